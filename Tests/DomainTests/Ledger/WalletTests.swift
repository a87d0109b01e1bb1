import Domain
import Testing

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
                == WalletSums(earned: 100, voided: 10, held: 5, donated: 30)
        )
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
