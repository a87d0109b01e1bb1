import Avatars
import Domain
import Storage

extension World {
    /// What there must be before the first player comes.
    func ground() throws(AvatarError) -> DemoGround {
        let added = games.filter { $0.slug != .defaultGame }
        return DemoGround(
            games: added.map { DemoGround.NewGame(slug: $0.slug, name: $0.name) }, boards: added.flatMap { $0.boards.map(\.board) },
            charities: charities.map { charity in
                var change = CharityChange()
                change.name = charity.name
                change.url = .set(charity.url)
                change.description = .set(charity.description)
                change.goal = .set(goal(of: charity))
                change.closesAt = charity.closesAt(evenings.end).map { .set($0) } ?? .keep
                return DemoGround.NewCharity(slug: charity.slug, change: change, zone: charity.zone)
            }, pictures: try Identicon.pictures(picturesCount, seed: seed), addedAt: foundedAt)
    }
}
