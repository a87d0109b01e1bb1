import Configuration
import Domain
import HTTP

/// What ``ClientOptions`` say, or else the environment or the settings file.
struct ClientSettings: Sendable {
    let proxies: TrustedProxies
    let rates: RateSettings

    init(_ settings: Settings, _ options: ClientOptions?) throws {
        proxies = TrustedProxies(
            try Self.networks(
                settings, options?.trustedProxies ?? [], "causeboard.trusted.proxies",
                named: "--trusted-proxies (CAUSEBOARD_TRUSTED_PROXIES)", countMax: Limits.trustedProxiesMax),
            header: try Self.header(settings.text(options?.proxyHeader, "causeboard.proxy.header")))
        var rates = RateSettings()
        rates.eventNetworks = try Self.networks(
            settings, options?.eventNetwork ?? [], "causeboard.event.network",
            named: "--event-network (CAUSEBOARD_EVENT_NETWORK)", countMax: Limits.eventNetworksMax)
        for text in Self.list(settings, options?.limit ?? [], "causeboard.limit") {
            let (limit, rate) = try Self.limit(text)
            guard rates.rates.updateValue(rate, forKey: limit) == nil else {
                throw CommandError("--limit (CAUSEBOARD_LIMIT) sets \(limit.name) twice. Set it once.")
            }
        }
        switch settings.text(options?.limits, "causeboard.limits")?.lowercased() {
        case "on", nil: break
        case "off": rates.areOn = false
        case let text?: throw CommandError("--limits (CAUSEBOARD_LIMITS) is on or off, not \(text).")
        }
        self.rates = rates
    }

    /// The values of an option that may be given again, or else those of its setting. Commas divide either.
    private static func list(_ settings: Settings, _ given: [String], _ key: ConfigKey) -> [Substring] {
        let texts = given.isEmpty ? settings.text(nil, key).map { [$0] } ?? [] : given
        return texts.flatMap { $0.filter { $0 != " " }.split(separator: ",", omittingEmptySubsequences: false) }
    }

    private static func networks(
        _ settings: Settings, _ given: [String], _ key: ConfigKey, named name: String, countMax: Int
    ) throws -> [IPNetwork] {
        let networks = try list(settings, given, key).map { text in
            guard let network = IPNetwork(text) else {
                throw CommandError(
                    """
                    \(name) has "\(text)", which is no network. \
                    Give one such as 10.0.0.0/8 or 2001:db8::/32, with no bits after the prefix.
                    """)
            }
            return network
        }
        guard networks.count <= countMax else {
            throw CommandError("\(name) has \(networks.count) networks. Give at most \(countMax).")
        }
        return networks
    }

    private static func header(_ text: String?) throws -> TrustedProxies.Header {
        guard let text else { return .xForwardedFor }
        guard let header = TrustedProxies.Header(rawValue: text.lowercased()) else {
            let known = TrustedProxies.Header.allCases.map(\.rawValue).joined(separator: " or ")
            throw CommandError("--proxy-header (CAUSEBOARD_PROXY_HEADER) is \(known), not \(text).")
        }
        return header
    }

    private static func limit(_ text: Substring) throws -> (RateLimit, Rate) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let limit = RateLimit(name: parts[0]) else {
            throw CommandError(
                """
                --limit (CAUSEBOARD_LIMIT): there is no limit "\(parts[0])". \
                There are \(RateLimit.allCases.map(\.name).joined(separator: ", ")).
                """)
        }
        guard parts.count == 2, let rate = Rate(parts[1]) else {
            throw CommandError(
                """
                --limit (CAUSEBOARD_LIMIT): "\(text)" has no good rate. Give one such as \
                \(limit.name)=\(limit.standard): a count for each \
                \(Rate.Unit.allCases.map(\.rawValue).joined(separator: ", ")), of at most \(Limits.ratePerSecondMax) a \
                second, and after the colon as many at once, at most \(Limits.rateBurstMax), \
                which come again within \(Limits.rateFillDaysMax) days.
                """)
        }
        return (limit, rate)
    }
}
