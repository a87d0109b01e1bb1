import Domain
import HTTP
import HTTPServer
import Outgoing

/// The settings about clients: who they are behind proxies, how often they may call, and who may prove who they are.
struct ClientSettings: Sendable {
    let proxies: TrustedProxies
    let rates: RateSettings
    /// Private networks in which keys of sign-in providers may be fetched.
    let outgoing: [IPNetwork]

    init(_ settings: Settings) throws(CommandError) {
        proxies = TrustedProxies(
            try Self.networks(settings, \.trustedProxies, countMax: Limits.trustedProxiesMax),
            header: try settings.value(\.proxyHeader))
        outgoing = try Self.networks(settings, \.outgoingAllow, countMax: Limits.outgoingNetworksMax)
        var rates = RateSettings()
        rates.eventNetworks = try Self.networks(settings, \.eventNetwork, countMax: Limits.eventNetworksMax)
        for text in try settings.value(\.limit) {
            let (limit, rate) = try Self.limit(text)
            guard rates.rates.updateValue(rate, forKey: limit) == nil else {
                throw CommandError("--limit (CAUSEBOARD_LIMIT) sets \(limit.name) twice. Set it once.")
            }
        }
        rates.areOn = try settings.value(\.limits) == .on
        self.rates = rates
    }

    private static func networks(_ settings: Settings, _ path: KeyPath<SettingList, Setting<[String]>>, countMax: Int)
        throws(CommandError) -> [IPNetwork]
    {
        let label = SettingList.all[keyPath: path].label
        let networks = try settings.value(path).map { text throws(CommandError) in
            guard let network = IPNetwork(text) else {
                throw CommandError(
                    """
                    \(label) has "\(text)", which is no network. \
                    Give one such as 10.0.0.0/8 or 2001:db8::/32, with no bits after the prefix.
                    """)
            }
            return network
        }
        guard networks.count <= countMax else {
            throw CommandError("\(label) has \(networks.count) networks. Give at most \(countMax).")
        }
        return networks
    }

    private static func limit(_ text: String) throws(CommandError) -> (RateLimit, Rate) {
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
