/// The text of the configuration files that Causeboard writes into the cluster at every start.
struct Configuration {
    let settings: ClusterSettings
    let sizing: Sizing
    let socketDirectory: String

    /// The file's name, and the line in `postgresql.conf` that includes it.
    static let name = "causeboard.conf"
    static let include = "include '\(name)'"

    /// `pg_hba.conf`: local connections only, and every login without a password. The socket's directory admits nobody
    /// but the cluster's own user and root (mode 0700, verified before every start), and those two could read the files
    /// anyway.
    static let access = """
        # Written by Causeboard at every start; edits are lost.
        local all         all trust
        local replication all trust

        """

    /// Checks the names of extra settings.
    /// - Throws: `.invalidSetting` for a text that cannot be the name of a setting.
    static func verify(_ extra: [String: String]) throws(ClusterError) {
        for name in extra.keys.sorted() where !isName(name) { throw .invalidSetting(name) }
    }

    /// The text of `causeboard.conf`.
    var text: String {
        var lines = [
            "# Written by Causeboard at every start; edits are lost. Use ALTER SYSTEM for settings of your own."
        ]
        lines += defaults.map(line)
        // Commits stay synchronous, so committed rows survive a kill -9 even then; only a power cut loses them.
        if !settings.durable { lines += [("fsync", "off"), ("full_page_writes", "off")].map(line) }
        lines += settings.extra.sorted { $0.key < $1.key }.map(line)
        lines += demands.map(line)  // last, because the last of two lines for one setting wins
        return lines.joined(separator: "\n") + "\n"
    }

    /// Which `extra` and an operator may override.
    var defaults: [(name: String, value: String)] {
        sizing.settings + [
            ("max_connections", "100"), ("jit", "off"), ("max_wal_senders", "32"), ("max_replication_slots", "32"),
            ("timezone", "UTC"), ("log_timezone", "UTC"), ("log_line_prefix", "%m [%p] "), ("log_checkpoints", "off"),
        ]
    }

    /// What the rest of Causeboard relies on, which `extra` cannot override: a private server, logical replication, and
    /// a log without players' data.
    private var demands: [(String, String)] {
        [
            ("listen_addresses", ""), ("port", String(SocketDirectory.port)),
            ("unix_socket_directories", quotedForList(socketDirectory)), ("unix_socket_permissions", "0700"),
            ("wal_level", "logical"),
            // The log goes to standard error, which is DATA/postgres.log. Statements, parameters, details ("Key
            // (email)=(…) already exists") and the messages of failed statements quote what people typed, so none of
            // them is logged: the client gets them, and logs the SQLSTATE. FATAL, PANIC and LOG remain.
            ("log_destination", "stderr"), ("logging_collector", "off"), ("log_min_messages", "log"),
            ("log_error_verbosity", "terse"), ("log_statement", "none"), ("log_min_error_statement", "panic"),
            ("log_min_duration_statement", "-1"), ("log_min_duration_sample", "-1"),
            ("log_transaction_sample_rate", "0"), ("log_duration", "off"), ("log_temp_files", "-1"),
            ("log_parameter_max_length", "0"), ("log_parameter_max_length_on_error", "0"),
            ("log_replication_commands", "off"),
        ] + (settings.archive?.demands ?? [])
    }

    private func line(_ name: String, _ value: String) -> String { "\(name) = \(Self.quoted(value))" }

    /// Quotes a value for `postgresql.conf`. A quote is doubled, and so is a backslash, which would begin an escape.
    static func quoted(_ value: String) -> String {
        let escaped = value.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "'": "''"
            case "\\": "\\\\"
            case "\n": "\\n"
            default: String(scalar)
            }
        }
        return "'\(escaped.joined())'"
    }

    /// Quotes one element of a comma-separated list. In double quotes a comma or a space is part of the path.
    private func quotedForList(_ path: String) -> String {
        "\"" + path.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}
