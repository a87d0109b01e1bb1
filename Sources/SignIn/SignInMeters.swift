import CoreMetrics
import Domain
import Outgoing

/// What is measured of sign-ins. Labels are words of this server, because a stranger sends the rest.
struct SignInMeters: Sendable {
    private let factory: any MetricsFactory

    init(_ factory: any MetricsFactory) { self.factory = factory }

    /// An ID token was judged.
    /// - Parameter error: Why it signs nobody in; nil when it does.
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

    /// Keys of an issuer were asked for.
    /// - Parameter error: Why there are none; nil when there are.
    func fetched(_ error: KeyFetchError?) {
        let labels = [("result", error?.reason ?? "ok")]
        Counter(label: "identity_key_fetches_total", dimensions: labels, factory: factory).increment()
    }
}
