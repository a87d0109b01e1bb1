import Domain
import Foundation
import TestDatabases

/// What players of a game posted and which flags they show, as a person would write it down. Every question looks at
/// everything again.
struct CountryModel: Sendable {
    struct Post: Sendable {
        let id: UUID
        let player: Player.ID
        let board: String
        let points: Int64
        let at: Instant
        var isVoided = false
    }

    struct Person: Sendable {
        var flag: CountryFlag?
        var isHidden = false
        var isErased = false
        var survivor: Player.ID?
    }

    var posts: [Post] = []
    var people: [Player.ID: Person] = [:]

    /// The players who are their own, and can do something.
    var actors: [Player.ID] {
        people.filter { $0.value.survivor == nil && !$0.value.isErased && !$0.value.isHidden }.keys.sorted()
    }

    private func survivor(of player: Player.ID) -> Player.ID { people[player]?.survivor ?? player }

    /// The rows of a board, of all players or of those who show a flag.
    func ranking(_ board: String, by rules: Rules, in window: WindowByHand, of flag: CountryFlag? = nil)
        -> RankingByHand
    {
        let entries = posts.compactMap { post -> Entry? in
            let player = survivor(of: post.player)
            guard post.board == board, !post.isVoided, window.contains(post.at), let person = people[player],
                !person.isHidden, flag.map({ person.flag?.counts(for: $0) ?? false }) ?? true
            else { return nil }
            return Entry(board: board, season: 1, player: player, points: post.points, at: post.at)
        }
        return RankingByHand(entries, by: rules)
    }

    /// Countries, or the regions of one, best first.
    /// - Parameter best: How many players of each count.
    func countries(_ board: String, by rules: Rules, in window: WindowByHand, of country: CountryFlag?, best: Int)
        -> [CountrySum]
    {
        let shown = Set(people.values.compactMap(\.flag))
        let flags =
            country.map { country in shown.filter { $0.isRegion && $0.country == country } }
            ?? Set(shown.map(\.country))
        return flags.compactMap { flag -> CountrySum? in
            let lines = ranking(board, by: rules, in: window, of: flag).lines
            let counted = lines.prefix(best)
            guard let reachedAt = counted.map(\.at).max(), !rules.lowestFirst || counted.count == best else {
                return nil
            }
            return CountrySum(
                country: flag, points: Int64(clamping: counted.reduce(0) { $0 + $1.points }), reachedAt: reachedAt,
                players: Int64(lines.count))
        }.sorted { one, other in
            if one.points != other.points { return rules.isBetter(Int128(one.points), Int128(other.points)) }
            if one.reachedAt != other.reachedAt { return one.reachedAt < other.reachedAt }
            return one.country.description < other.country.description
        }
    }
}
