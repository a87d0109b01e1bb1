import Domain
import Testing

@Suite struct ContestOutcomeTests {
    private static let (ada, bob, cy, dee) = (1, 2, 3, 4) as (Int64, Int64, Int64, Int64)
    private static let water = Slug("water").map { StakeCharity(id: 7, slug: $0) }
    private static let books = Slug("books").map { StakeCharity(id: 8, slug: $0) }

    /// Somebody's lap, of which a shorter one is better.
    private static func lap(_ points: Int64, of row: Int64, at minute: Int64) -> ContestResult {
        let reachedAt = Instant(microsecondsSince1970: minute * 60_000_000)
        return ContestResult(
            points: Int128(points), sortKey: SortKey(orderKey: Int128(points), reachedAt: reachedAt, row: row))
    }

    private static func contestants(adaIsVoided: Bool = false) -> [Contestant] {
        func contestant(_ id: Int64, _ charity: StakeCharity?, ready: Int64 = 100, _ result: ContestResult?)
            -> Contestant
        {
            Contestant(
                player: Player.ID(rawValue: id), entrant: Player.ID(rawValue: id), charity: charity, ready: ready,
                result: result)
        }
        return [
            contestant(ada, water, adaIsVoided ? nil : lap(61_500, of: ada, at: 600)),
            contestant(bob, books, lap(61_500, of: bob, at: 660)), contestant(cy, water, lap(64_000, of: cy, at: 620)),
            contestant(dee, books, ready: 3, nil),
        ]
    }

    /// Each share as `player charity points`.
    private static func shares(_ settlement: ChallengeSettlement) -> [String] {
        settlement.shares.map { "\($0.entrant.rawValue) \($0.charity.slug) \($0.points)" }
    }

    @Test("equal points rank by time, or share a rank, as the board says") func ranks() {
        let results = Self.contestants().compactMap(\.result)
        let first = ContestOutcome(results.reversed(), ties: .first)
        #expect(first.places.map(\.rank) == [1, 2, 3])
        #expect(first.places.map(\.isTied) == [true, true, false])
        #expect(first.winners == [Self.ada])
        let shared = ContestOutcome(results, ties: .shared)
        #expect(shared.places.map(\.rank) == [1, 1, 3])
        #expect(shared.winners == [Self.ada, Self.bob])
        #expect(shared.place(of: Player.ID(rawValue: Self.dee)) == nil)
        #expect(shared.place(of: Player.ID(rawValue: Self.cy))?.rank == 3)
    }

    @Test("everybody who entered gives its stake to the winner's charity, as far as it has the points") func oneWinner()
    {
        let settled = ChallengeSettlement(of: Self.contestants(), stake: 5, ties: .first)
        #expect(settled.state == .settled)
        #expect(settled.winners == [Player.ID(rawValue: Self.ada)])
        #expect(Self.shares(settled) == ["1 water 5", "2 water 5", "3 water 5", "4 water 3"])
    }

    @Test("stakes are split among the charities of tied winners, in their order") func tiedWinners() {
        let settled = ChallengeSettlement(of: Self.contestants(), stake: 5, ties: .shared)
        #expect(settled.winners.map(\.rawValue) == [Self.ada, Self.bob])
        #expect(
            Self.shares(settled) == [
                "1 water 3", "1 books 2", "2 water 3", "2 books 2", "3 water 3", "3 books 2", "4 water 2", "4 books 1",
            ])
    }

    @Test("a void before it is settled changes the winner, and who lost the row gives all the same") func voided() {
        let settled = ChallengeSettlement(of: Self.contestants(adaIsVoided: true), stake: 5, ties: .first)
        #expect(settled.winners.map(\.rawValue) == [Self.bob])
        #expect(Self.shares(settled) == ["1 books 5", "2 books 5", "3 books 5", "4 books 3"])
    }

    @Test("nobody gives anything without a winner, without a stake, or when fewer than two entered") func nothing() {
        let none = Self.contestants().map {
            Contestant(player: $0.player, entrant: $0.entrant, charity: $0.charity, ready: $0.ready, result: nil)
        }
        let settled = ChallengeSettlement(of: none, stake: 5, ties: .first)
        #expect((settled.state, settled.winners, settled.shares) == (.settled, [], []))
        #expect(ChallengeSettlement(of: Self.contestants(), stake: 0, ties: .first).shares == [])
        let lapsed = ChallengeSettlement(of: Array(Self.contestants().prefix(1)), stake: 5, ties: .first)
        #expect((lapsed.state, lapsed.winners, lapsed.shares) == (.lapsed, [], []))
        #expect(ChallengeSettlement(of: [], stake: 5, ties: .first).state == .lapsed)
    }

    @Test("two winners with one charity bring it two parts") func sharedCharity() {
        let three = Self.contestants().map { one in
            Contestant(
                player: one.player, entrant: one.entrant, charity: one.charity, ready: one.ready,
                result: one.result.map { Self.lap(60_000, of: $0.sortKey.row, at: one.player.rawValue) })
        }
        let settled = ChallengeSettlement(of: three, stake: 5, ties: .shared)
        #expect(Self.shares(settled).prefix(2) == ["1 water 3", "1 books 2"])
    }
}
