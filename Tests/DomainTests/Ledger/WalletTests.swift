import Domain
import Testing

@Suite struct WalletTests {
    @Test("what was donated beyond what is left is unfunded, and what is left is never below zero")
    func sums() {
        let fine = WalletSums(earned: 100, voided: 10, held: 20, given: 30)
        #expect(fine.left == 40 && fine.unfunded == 0 && fine.funded == 30)
        let short = WalletSums(earned: 100, voided: 60, held: 20, given: 30)
        #expect(short.left == 0 && short.unfunded == 10 && short.funded == 20)
        for sums in [fine, short] { #expect(sums.earned == sums.voided + sums.held + sums.left + sums.funded) }
    }

    @Test("without anonymous donations the sums show neither them nor what they forfeited")
    func withoutAnonymous() {
        let sums = WalletSums(earned: 100, voided: 25, held: 5, given: 40)
        #expect(
            sums.without(anonymousBeside: GivenByName(given: 30, forfeited: 15))
                == WalletSums(earned: 100, voided: 10, held: 5, given: 30)
        )
        #expect(sums.without(anonymousBeside: .zero) == WalletSums(earned: 100, voided: 25, held: 5, given: 0))
        #expect(sums.without(anonymousBeside: GivenByName(given: 0, forfeited: 26)).voided == 0)
    }

    @Test("a secret and a settling time end at their instant")
    func ends() {
        let end = Instant(microsecondsSince1970: 1_700_000_000_000_000)
        let before = Instant(microsecondsSince1970: end.microsecondsSince1970 - 1)
        let wallet = WalletGround(earned: 9, spent: 0, secretUntil: end, settlesAt: end)
        #expect(wallet.isToldItsOwn(at: before) && wallet.isSettling(at: before))
        #expect(!wallet.isToldItsOwn(at: end) && !wallet.isSettling(at: end))
        #expect(WalletGround(earned: 9, spent: 0, holdsCount: 1).isToldItsOwn(at: end))
        let plain = WalletGround(earned: 9, spent: 0)
        #expect(!plain.isToldItsOwn(at: end) && !plain.isSettling(at: end))
    }
}
