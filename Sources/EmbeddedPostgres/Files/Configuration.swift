/// The text of the configuration files that Causeboard writes into the cluster at every start.
struct Configuration {
    let settings: ClusterSettings
    let socketDirectory: String

    /// The file's name, and the line in `postgresql.conf` that includes it.
    static let name = "causeboard.conf"
    static let include = "include '\(name)'"

    /// Local connections only, and every login without a password: the directory of the socket admits nobody but the
    /// cluster's own user and root (mode 0700, verified before every start), and those two could read the files anyway.
    static let access = """
        # Written by Causeboard at every start; edits are lost.
        local all         all trust
        local replication all trust

        """

    /// - Throws: `.invalidSetting` for a name that could be none.
    static func verify(_ extra: [String: String]) throws(ClusterError) {
        for name in extra.keys.sorted() where !isName(name) { throw .invalidSetting(name) }
    }

    /// `causeboard.conf`.
    var text: String {
        var lines = [
            "# Written by Causeboard at every start; edits are lost. Use ALTER SYSTEM for settings of your own."
        ]
        lines += choices.map(line)
        // What was committed outlasts kill -9 even so, because commits stay synchronous: only a power cut loses it.
        if !settings.durable { lines += [("fsync", "off"), ("full_page_writes", "off")].map(line) }
        lines += settings.extra.sorted { $0.key < $1.key }.map(line)
        lines += demands.map(line)  // last, because of two lines for one setting the later counts
        return lines.joined(separator: "\n") + "\n"
    }

    /// Good for a machine of 2 cores and 2 GB; `extra` may say otherwise.
    private var choices: [(String, String)] {
        [
            ("shared_buffers", "128MB"), ("max_connections", "100"), ("max_wal_size", "1GB"), ("jit", "off"),
            ("max_wal_senders", "32"), ("max_replication_slots", "32"),
            ("max_slot_wal_keep_size", "4GB"),  // a slot that nobody reads must not fill the disk; standings load again
            ("timezone", "UTC"), ("log_timezone", "UTC"), ("log_line_prefix", "%m [%p] "), ("log_checkpoints", "off"),
        ]
    }

    /// What the rest of Causeboard relies on: private, streamable, and a log without a word of a player.
    private var demands: [(String, String)] {
        [
            ("listen_addresses", ""), ("port", String(SocketDirectory.port)),
            ("unix_socket_directories", quotedForList(socketDirectory)),
            ("unix_socket_permissions", "0700"), ("wal_level", "logical"),
            // The log goes to standard error, which is DATA/postgres.log. Statements, parameters, details ("Key
            // (email)=(…) already exists") and the messages of failed statements quote what people typed, so none of
            // them is logged: the client gets them, and logs the SQLSTATE. FATAL, PANIC and LOG remain.
            ("log_destination", "stderr"), ("logging_collector", "off"), ("log_min_messages", "log"),
            ("log_error_verbosity", "terse"),
            ("log_statement", "none"), ("log_min_error_statement", "panic"), ("log_min_duration_statement", "-1"),
            ("log_min_duration_sample", "-1"), ("log_transaction_sample_rate", "0"), ("log_duration", "off"),
            ("log_temp_files", "-1"),
            ("log_parameter_max_length", "0"), ("log_parameter_max_length_on_error", "0"),
            ("log_replication_commands", "off"),
        ]
    }

    private func line(_ name: String, _ value: String) -> String { "\(name) = \(Self.quoted(value))" }

    /// A quote is doubled, and so is a backslash, which would begin an escape.
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

    /// One element of a comma-separated list; in double quotes a comma or a blank is a part of the path.
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
