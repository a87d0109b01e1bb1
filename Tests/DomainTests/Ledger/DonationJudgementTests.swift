import Domain
import Foundation
import Testing

@Suite struct DonationJudgementTests {
    private static let noon = Instant(microsecondsSince1970: 1_700_000_000_000_000)
    private static let player = Player.ID(rawValue: 7)

    private static func donation(
        _ points: Int64, id: UUID? = UUID(), isAnonymous: Bool = false, after seconds: Int64 = 0
    ) throws -> NewDonation {
        NewDonation(
            points, by: .player(player), to: try CharityName("trees", field: "charity"), id: id,
            isAnonymous: isAnonymous, reachedAt: noon.advanced(bySeconds: seconds))
    }

    private static func charity(opens: Instant? = nil, closes: Instant? = nil) -> CharityContext {
        CharityContext(
            id: 3, slug: "trees", hours: OpeningHours(opensAt: opens, closesAt: closes), board: Board.ID(rawValue: 5),
            ties: .shared, day: Day(daysSince1970: 19_675), dayBeganAt: noon, anonymousRow: -99,
            caps: CharityCaps(day: nil, all: nil), overall: nil, hasDonated: false)
    }

    private static func judged(
        _ donation: NewDonation, wallet: WalletContext = WalletContext(earned: 100, spent: 40),
        charity: CharityContext? = Self.charity(), recalled: RecalledDonation? = nil, settling: SettlingContext? = nil,
        isRepeated: Bool = false
    ) -> DonationJudgement {
        let context = DonationContext(wallet: wallet, charity: charity, recalled: recalled, settling: settling)
        return DonationJudgement(donation, of: player, on: context, isRepeated: isRepeated)
    }

    private static func recalled(
        _ donation: NewDonation, _ points: Int64, charity: Int32 = 3, isAnonymous: Bool = false,
        anonymousRow: Int64? = nil, after seconds: Int64 = 0
    ) -> RecalledDonation {
        RecalledDonation(
            id: donation.id, charity: charity, points: points, isAnonymous: isAnonymous, anonymousRow: anonymousRow,
            reachedAt: noon.advanced(bySeconds: seconds), isReversed: true)
    }

    @Test("all that is left may be donated, and not one point more") func balance() throws {
        for (points, outcome, left) in [
            (60, DonationOutcome.recorded, 0), (1, .recorded, 59), (61, .overspent, 60), (.max, .overspent, 60),
        ] as [(Int64, DonationOutcome, Int64)] {
            let judgement = Self.judged(try Self.donation(points))
            #expect(judgement.receipt.outcome == outcome && judgement.receipt.balance == left)
            #expect((judgement.charity != nil) == (outcome == .recorded))
        }
        let below = Self.judged(try Self.donation(1), wallet: WalletContext(earned: 10, spent: 30)).receipt
        #expect(below.outcome == .overspent && below.balance == 0, "a balance below zero shows as zero")
    }

    @Test("points that are too new are told of and not donated") func settling() throws {
        let ready = Self.noon.advanced(bySeconds: 600)
        func judged(_ points: Int64, left: Int64 = 60, settling: Int64 = 25) throws -> DonationReceipt {
            let context = SettlingContext(left: left, settling: settling, readyAt: ready)
            return Self.judged(try Self.donation(points), settling: context).receipt
        }
        #expect(try judged(35).outcome == .recorded && judged(35).readyAt == nil && judged(35).balance == 25)
        #expect(try judged(36).outcome == .settling && judged(36).readyAt == ready && judged(36).balance == 60)
        #expect(try judged(60).outcome == .settling)
        #expect(try judged(61).outcome == .overspent && judged(61).readyAt == nil)
        // What is held, and not told so, is among the points that are told: 90 are, of which the wallet has 60.
        #expect(try judged(61, left: 90, settling: 0).outcome == .settling)
        #expect(try judged(60, left: 90, settling: 0).outcome == .recorded)
    }

    @Test("a charity takes donations from its first instant until its last") func hours() throws {
        let charity = Self.charity(opens: Self.noon, closes: Self.noon.advanced(bySeconds: 10))
        let outcomes = try [-1, 0, 9, 10].map {
            Self.judged(try Self.donation(1, after: $0), charity: charity).receipt.outcome
        }
        #expect(outcomes == [.charityClosed, .recorded, .recorded, .charityClosed])
        #expect(Self.judged(try Self.donation(1), charity: nil).receipt.outcome == .noCharity)
        // What would be refused anyway is not told of the wallet.
        let closed = Self.judged(try Self.donation(1_000, after: 10), charity: charity).receipt.outcome
        #expect(closed == .charityClosed)
    }

    @Test("a donation under a known id is the same or a conflict, and was recorded if its first attempt was")
    func repeats() throws {
        let sent = try Self.donation(30)
        for (row, outcome) in [
            (Self.recalled(sent, 30, after: -1), DonationOutcome.retry), (Self.recalled(sent, 31), .conflict),
            (Self.recalled(sent, 30, charity: 4), .conflict), (Self.recalled(sent, 30, isAnonymous: true), .conflict),
        ] {
            for charity in [Self.charity(), Self.charity(closes: Self.noon)] {
                let judgement = Self.judged(sent, charity: charity, recalled: row)
                #expect(judgement.receipt.outcome == outcome && judgement.charity == nil)
                #expect(judgement.receipt.balance == 60 && judgement.receipt.isReversed)
                #expect(judgement.receipt.points == row.points && judgement.receipt.id == sent.id)
            }
        }
        // A batch that is sent again finds its own row by its arrival, and nobody else's.
        let own = Self.judged(sent, recalled: Self.recalled(sent, 30), isRepeated: true)
        #expect(own.receipt.outcome == .recorded && own.charity == nil && own.receipt.balance == 60)
        let other = Self.judged(sent, recalled: Self.recalled(sent, 30, after: -1), isRepeated: true)
        #expect(other.receipt.outcome == .retry)
        #expect(Self.judged(sent, recalled: Self.recalled(sent, 30), isRepeated: false).receipt.outcome == .retry)
        // Without an id of its own, an equal one of the last minute was found, and counts as the same.
        let noID = try Self.donation(30, id: nil)
        #expect(Self.judged(noID, recalled: Self.recalled(noID, 31)).receipt.outcome == .retry)
    }

    @Test("who is banned donates nothing, and is told nothing of what was donated") func banned() throws {
        let sent = try Self.donation(30)
        let wallet = WalletContext(earned: 100, spent: 40, isBanned: true)
        for row in [nil, Self.recalled(sent, 30)] {
            let judgement = Self.judged(sent, wallet: wallet, recalled: row, isRepeated: true)
            #expect(judgement.receipt.outcome == .banned && judgement.charity == nil)
        }
    }

    @Test("a donation stands under its player, and an anonymous one under a row of its own") func rows() throws {
        let (named, anonymous) = (try Self.donation(5), try Self.donation(5, isAnonymous: true))
        #expect(Self.judged(named).receipt.row == 7)
        #expect(Self.judged(anonymous).receipt.row == -99)
        #expect(Self.judged(anonymous, charity: nil).receipt.row == nil)
        // It may have turned anonymous since it was sent.
        #expect(Self.judged(named, recalled: Self.recalled(named, 5, anonymousRow: -4)).receipt.row == -4)
        #expect(Self.judged(anonymous, recalled: Self.recalled(anonymous, 5, anonymousRow: -4)).receipt.row == -4)
        #expect(Self.judged(named, recalled: Self.recalled(named, 5)).receipt.row == 7)
    }

    @Test("what a charity's cap refuses stays with the player") func refusedByCap() throws {
        let cap = CapReached(room: 2, againAt: nil)
        let refused = Self.judged(try Self.donation(50)).refused(by: cap)
        #expect(refused.outcome == .capReached && refused.balance == 60 && refused.points == 50)
        #expect(refused.cap == cap && refused.row == 7 && refused.charity == "trees")
    }
}

@Suite struct WalletTests {
    @Test("what was donated beyond what is left is unfunded, and what is left is never below zero") func sums() {
        let fine = WalletSums(earned: 100, voided: 10, held: 20, donated: 30)
        #expect(fine.left == 40 && fine.unfunded == 0 && fine.funded == 30)
        let short = WalletSums(earned: 100, voided: 60, held: 20, donated: 30)
        #expect(short.left == 0 && short.unfunded == 10 && short.funded == 20)
        for sums in [fine, short] { #expect(sums.earned == sums.voided + sums.held + sums.left + sums.funded) }
    }

    @Test("without anonymous donations the sums show neither them nor what they forfeited") func withoutAnonymous() {
        let sums = WalletSums(earned: 100, voided: 25, held: 5, donated: 40)
        #expect(
            sums.without(anonymousBeside: DonatedByName(donated: 30, forfeited: 15))
                == WalletSums(earned: 100, voided: 10, held: 5, donated: 30))
        #expect(sums.without(anonymousBeside: .zero) == WalletSums(earned: 100, voided: 25, held: 5, donated: 0))
        #expect(sums.without(anonymousBeside: DonatedByName(donated: 0, forfeited: 26)).voided == 0)
    }

    @Test("a secret and a settling time end at their instant") func ends() {
        let end = Instant(microsecondsSince1970: 1_700_000_000_000_000)
        let before = Instant(microsecondsSince1970: end.microsecondsSince1970 - 1)
        let wallet = WalletContext(earned: 9, spent: 0, secretUntil: end, settlesAt: end)
        #expect(wallet.hasPrivateView(at: before) && wallet.isSettling(at: before))
        #expect(!wallet.hasPrivateView(at: end) && !wallet.isSettling(at: end))
        #expect(WalletContext(earned: 9, spent: 0, holdsCount: 1).hasPrivateView(at: end))
        let plain = WalletContext(earned: 9, spent: 0)
        #expect(!plain.hasPrivateView(at: end) && !plain.isSettling(at: end))
    }
}
