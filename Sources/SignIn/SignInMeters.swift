import CoreMetrics
import Domain
import Outgoing

/// Metrics of sign-ins. Labels are words of this server, because all other text comes from outside.
struct SignInMeters: Sendable {
    private let factory: any MetricsFactory

    init(_ factory: any MetricsFactory) { self.factory = factory }

    /// Counts a check of an ID token.
    /// - Parameter error: Why the token was refused; nil if it was accepted.
    func judged(_ kind: IdentityProvider.Kind, _ error: IdentityError?) {
        let outcome =
            switch error {
            case nil: "good"
            case .refused: "refused"
            case .issuerAway: "issuer-away"
            }
        let labels = [("kind", kind.rawValue), ("outcome", outcome)]
        Counter(label: "identity_checks_total", dimensions: labels, factory: factory).increment()
    }

    /// Counts a fetch of an issuer's keys.
    /// - Parameter error: Why the fetch failed; nil if it succeeded.
    func fetched(_ error: KeyFetchError?) {
        let labels = [("result", error?.reason ?? "ok")]
        Counter(label: "identity_key_fetches_total", dimensions: labels, factory: factory).increment()
    }
}
