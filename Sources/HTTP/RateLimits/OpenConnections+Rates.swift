import Domain
package import HTTPServer
package import Logging

extension OpenConnections {
    /// The limits of a server. If rates are not limited, the rate of new connections is not either.
    package convenience init(_ bounds: Bounds, proxies: TrustedProxies, rates: RateSettings, logger: Logger) {
        var bounds = bounds
        bounds.ofAddressRate =
            rates.areOn ? Rate(Limits.newConnectionsPerSecond, per: .second, burst: Limits.newConnectionsAtOnce) : nil
        self.init(bounds, proxies: proxies, eventNetworks: rates.eventNetworks, logger: logger)
    }
}
