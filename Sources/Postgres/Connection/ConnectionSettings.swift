/// Where a connection goes and how it behaves.
package struct ConnectionSettings: Sendable {
    /// A connection string as libpq takes it: a URL or `key=value` pairs, with several hosts or TLS if wanted. Unless
    /// it says otherwise, of several hosts the first one that takes writes is connected, and a peer that has vanished
    /// is noticed by TCP within 30 s (keepalives after 10 s, three of them 5 s apart; `tcp_user_timeout` 10 s, which
    /// also bounds each host's connect).
    package var conninfo: String

    /// Settings of the session by name, such as `search_path`, `role` or `statement_timeout`, which are set right after
    /// connecting. Unless it says otherwise, `synchronous_commit` is `on` where the role or the database has `off`.
    package var session: [String: String]

    /// How long connecting may take: name resolution, all hosts and the application of `session` included.
    package var connectTimeout: Duration

    /// How long the server may be silent while it has a statement to answer; after that the connection is closed
    /// (08006). Nil waits for ever, for statements that no `statement_timeout` bounds, such as building an index.
    package var silenceMax: Duration?

    /// How long a cancelled statement may take to end, before the connection is closed instead.
    package var cancelMax: Duration

    /// Refuses former primaries. Without one, every server that takes writes is believed to be the primary.
    package var fence: TimelineFence?

    /// Which thread watches the connection; see ``Poller``.
    package var purpose: Poller.Purpose

    /// Called for each notice, on the task that is reading; it must not block. Nil logs the notice's SQLSTATE at debug
    /// level.
    package var onNotice: (@Sendable (Notice) -> Void)?

    package init(
        conninfo: String, session: [String: String] = [:], connectTimeout: Duration = .seconds(10),
        silenceMax: Duration? = .seconds(300), cancelMax: Duration = .seconds(5), fence: TimelineFence? = nil,
        purpose: Poller.Purpose = .statements, onNotice: (@Sendable (Notice) -> Void)? = nil
    ) {
        self.conninfo = conninfo
        self.session = session
        self.connectTimeout = connectTimeout
        self.silenceMax = silenceMax
        self.cancelMax = cancelMax
        self.fence = fence
        self.purpose = purpose
        self.onNotice = onNotice
    }
}
