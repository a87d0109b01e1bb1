/// Where a connection goes and how it behaves.
package struct ConnectionSettings: Sendable {
    /// Anything libpq takes: a URL or `key=value` pairs, several hosts, TLS. Unless it says otherwise, a peer that has
    /// vanished is noticed by TCP within 30 s (keepalives after 10 s, three of them 5 s apart; `tcp_user_timeout` 10 s,
    /// which also bounds each host's connect).
    package var conninfo: String

    /// Settings of the session by name, such as `search_path`, `role` or `statement_timeout`, set right after
    /// connecting.
    package var session: [String: String]

    /// From the first packet to a session that is set up, over all hosts.
    package var connectTimeout: Duration

    /// How long the server may say nothing while it has a statement to answer; then the connection is given up (08006).
    /// Nil waits for ever, for statements that no `statement_timeout` bounds, such as building an index.
    package var silenceMax: Duration?

    /// How long a cancelled statement may take to end, before the connection is closed instead.
    package var cancelMax: Duration

    /// Called for each notice, on whatever task is reading; it must not wait. Nil logs its SQLSTATE at debug level.
    package var onNotice: (@Sendable (Notice) -> Void)?

    package init(
        conninfo: String,
        session: [String: String] = [:],
        connectTimeout: Duration = .seconds(10),
        silenceMax: Duration? = .seconds(300),
        cancelMax: Duration = .seconds(5),
        onNotice: (@Sendable (Notice) -> Void)? = nil
    ) {
        self.conninfo = conninfo
        self.session = session
        self.connectTimeout = connectTimeout
        self.silenceMax = silenceMax
        self.cancelMax = cancelMax
        self.onNotice = onNotice
    }
}
