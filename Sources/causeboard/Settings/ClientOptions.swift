import ArgumentParser

/// The options of `serve` about its clients: who they are behind proxies, and how often they may call.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Networks of proxies in front of this server, whose word about their clients is believed, \
            with commas or given again. CAUSEBOARD_TRUSTED_PROXIES; none.
            """, valueName: "CIDR,…")) var trustedProxies: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The one header in which these proxies name their client: x-forwarded-for or forwarded. \
            CAUSEBOARD_PROXY_HEADER; x-forwarded-for.
            """, valueName: "header")) var proxyHeader: String?

    @Option(
        help: ArgumentHelp(
            """
            Up to 8 networks of an event, such as a hall behind one address, which no limit of an address counts. \
            CAUSEBOARD_EVENT_NETWORK; none.
            """, valueName: "CIDR,…")) var eventNetwork: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Sets a limit, such as address-reads=6000/min:12000: units are s, min, h and day, the burst follows the \
            colon. May be given again. CAUSEBOARD_LIMIT.
            """, valueName: "name=rate:burst")) var limit: [String] = []

    @Option(
        help: ArgumentHelp(
            "on, or off to limit no rates. Bounds on memory and connections stay. CAUSEBOARD_LIMITS; on.",
            valueName: "on|off")) var limits: String?
}
