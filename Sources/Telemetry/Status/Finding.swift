/// One thing that is well, or is not, and what to do about it.
package struct Finding: Sendable, Equatable {
    package let what: String
    package let isWell: Bool
    package let says: String
    /// Nil where there is nothing to do.
    package let todo: String?

    package init(_ what: String, isWell: Bool, _ says: String, todo: String? = nil) {
        self.what = what
        self.isWell = isWell
        self.says = says
        self.todo = isWell ? nil : todo
    }

    package var json: String {
        "{\"what\":\(JSONText.quoted(what)),\"well\":\(isWell),\"says\":\(JSONText.quoted(says))"
            + ",\"do\":\(todo.map(JSONText.quoted) ?? "null")}"
    }
}

extension Finding {
    /// What `/readyz` says: whether the server is ready, and how the archive of the write-ahead log is, whose troubles
    /// make no server unready.
    /// - Parameter causes: Those of both.
    package static func all(isReady: Bool, causes: [String]) -> [Finding] {
        let archive = causes.first { $0.hasPrefix("archive-") }
        // The disk reserve does not make a server unready; the metrics report it.
        return [ready(isReady, causes.first { !$0.hasPrefix("archive-") && $0 != "disk-reserve" })]
            + [archive].compactMap(\.self).map { Finding("archive", isWell: false, $0, todo: todo(archive: $0)) }
    }

    private static func ready(_ isReady: Bool, _ cause: String?) -> Finding {
        if isReady { return Finding("ready", isWell: true, "reaches its database") }
        let todo =
            switch cause {
            case "starting": "Wait a moment, and ask again."
            case "stopping": "Nothing: it was told to end."
            case "database-away", "database-silent":
                "See that PostgreSQL runs, takes connections and has a disk that answers; the log says what it met."
            case "database-read-only": "Point --database-url at the primary, or promote this one."
            case "former-primary":
                "See that the new primary can be reached. If you restored an older state on purpose, restart it."
            case "database-broken": "Run `causeboard check`: most likely its migrations are not this server's."
            default: "See the log."
            }
        return Finding("ready", isWell: false, cause ?? "it says no more", todo: todo)
    }

    private static func todo(archive cause: String) -> String {
        switch cause {
        case "archive-failing":
            "See PostgreSQL's log for why, and mend it: until then the archive's part fills the data's disk."
        case "archive-behind":
            "See that the archive's disk is not too slow or full; what was posted since is in no archive."
        case "archive-base-failing": "See the log for why; until there is one, restoring takes longer."
        default: "See the log."
        }
    }

    /// What a server's figures say, those first that stop posts. The alert rules in `deploy/observe` have the same
    /// bounds; they look at rates too, which one scrape does not show.
    package static func all(in scrape: Scrape, now: Double) -> [Finding] {
        [
            disk(scrape), reserve(scrape), commits(scrape), connections(scrape), pools(scrape), standings(scrape),
            stream(scrape), slots(scrape), transactions(scrape), deadRows(scrape), certificate(scrape, now: now),
            lines(scrape),
        ].compactMap(\.self)
    }

    private static func disk(_ scrape: Scrape) -> Finding? {
        guard let free = scrape["data_disk_free_bytes"], let size = scrape["data_disk_bytes"], size > 0 else {
            return nil
        }
        return Finding(
            "disk", isWell: free >= 0.1 * size, "\(bytes(free)) of \(bytes(size)) left",
            todo: "Make room on the disk of --data, or move it: PostgreSQL stops when it is full.")
    }

    private static func reserve(_ scrape: Scrape) -> Finding? {
        guard let isReached = scrape["disk_reserve_reached"], let size = scrape["disk_reserve_bytes"] else {
            return nil
        }
        return Finding(
            "room for players", isWell: isReached == 0,
            isReached == 0
                ? "more than the reserve of \(bytes(size)) is free"
                : "under the reserve of \(bytes(size)): new players, saves, pictures and reports are refused",
            todo: "Free space on the database's disk, erase players who only fill it, or lower --disk-reserve.")
    }

    private static func commits(_ scrape: Scrape) -> Finding? {
        guard let pending = scrape["pending_writes"], let age = scrape["commit_under_way_seconds"] else { return nil }
        let waits = scrape["postgres_lock_waits"] ?? 0
        if scrape["commits_failing"] == 1 {
            return Finding(
                "commits", isWell: false, "the latest one failed, and its posts were refused",
                todo: "See the disk, memory and connections of PostgreSQL; the log has the SQLSTATE and what it means.")
        }
        return Finding(
            "commits", isWell: age < 1 && pending < 1_000,
            "\(whole(pending)) writes wait, the oldest commit under way is \(seconds(age)) old",
            todo: waits > 0
                ? "\(whole(waits)) sessions wait for a lock: find who holds it in pg_stat_activity (pg_blocking_pids)."
                : "See PostgreSQL's disk and processor; posts are refused while commits take this long.")
    }

    private static func connections(_ scrape: Scrape) -> Finding? {
        guard let used = scrape["postgres_connections"], let most = scrape["postgres_connections_max"], most > 0 else {
            return nil
        }
        return Finding(
            "PostgreSQL's connections", isWell: used <= 0.9 * most, "\(whole(used)) of \(whole(most))",
            todo: "Close what else is connected, lower --connections, or raise max_connections.")
    }

    private static func pools(_ scrape: Scrape) -> Finding? {
        let waiting = scrape.family("database_waiting")
        guard !waiting.isEmpty else { return nil }
        let queued = waiting.filter { $0.value > 0 }
        return Finding(
            "connections of this server", isWell: queued.isEmpty,
            queued.isEmpty
                ? "nobody waits for one"
                : queued.map { "\(whole($0.value)) wait in \(Scrape.word($0.labels))" }.joined(separator: ", "),
            todo: "If it lasts, find the slow statements in pg_stat_activity, or raise --connections.")
    }

    private static func standings(_ scrape: Scrape) -> Finding? {
        guard let loaded = scrape["standings_loaded"] else { return nil }
        return Finding(
            "standings", isWell: loaded == 1,
            loaded == 1
                ? "\(whole(scrape["standings_rows"] ?? 0)) rows in memory" : "ranks come from SQL, which is slow",
            todo: "If it lasts, the log says why the stream is not followed; often --stream-url may not replicate.")
    }

    private static func stream(_ scrape: Scrape) -> Finding? {
        guard let age = scrape["stream_seconds_since_heartbeat"] else { return nil }
        return Finding(
            "stream", isWell: age <= 2, "the latest heartbeat is \(seconds(age)) old",
            todo: "PostgreSQL or this machine is too busy, or a transaction with very many rows is decoded.")
    }

    private static func slots(_ scrape: Scrape) -> Finding? {
        guard let kept = scrape["postgres_slot_wal_bytes"] else { return nil }
        let most = scrape["postgres_slot_wal_bytes_max"]
        let lost = scrape[#"postgres_slots{state="lost"}"#] ?? 0
        let unread = scrape[#"postgres_slots{state="unread"}"#] ?? 0
        return Finding(
            "replication slots", isWell: lost == 0 && kept <= 0.5 * (most ?? 16_000_000_000),
            "\(bytes(kept)) of log kept for them\(most.map { " of at most \(bytes($0))" } ?? ""), "
                + "\(whole(unread)) unread, \(whole(lost)) lost",
            todo: "Drop a slot that nobody reads: select pg_drop_replication_slot(slot_name) from pg_replication_slots."
        )
    }

    private static func transactions(_ scrape: Scrape) -> Finding? {
        guard let age = scrape["postgres_transaction_age"] else { return nil }
        return Finding(
            "transaction numbers", isWell: age < 1_000_000_000, "\(whole(age / 1_000_000)) million of 2,000 used",
            todo: "Let vacuum run: end old transactions and prepared ones, then: vacuum freeze.")
    }

    private static func deadRows(_ scrape: Scrape) -> Finding? {
        let dead = scrape.family("postgres_dead_rows")
        guard !dead.isEmpty else { return nil }
        let bloated = dead.filter { series in
            series.value > 1_000_000 && series.value > scrape["postgres_live_rows" + series.labels] ?? 0
        }
        return Finding(
            "dead rows", isWell: bloated.isEmpty,
            bloated.isEmpty
                ? "no large table has more than live ones"
                : bloated.map { "\(Scrape.word($0.labels)) has \(whole($0.value))" }.joined(separator: ", "),
            todo: "See that autovacuum is on and that no transaction stays open, then: vacuum of that table.")
    }

    private static func certificate(_ scrape: Scrape, now: Double) -> Finding? {
        guard let end = scrape["certificate_valid_until_seconds"] else { return nil }
        let days = (end - now) / 86_400
        return Finding(
            "certificate", isWell: days >= 7, "good for \(whole(days)) days",
            todo: "Renew it, and send the server SIGHUP.")
    }

    private static func lines(_ scrape: Scrape) -> Finding? {
        let dropped = (scrape["access_log_dropped_lines_total"] ?? 0) + (scrape["trace_dropped_lines_total"] ?? 0)
        guard dropped > 0 else { return nil }
        return Finding(
            "logs", isWell: false, "\(whole(dropped)) lines lost since the start",
            todo: "See the disk of --access-log and --trace-lines.")
    }

    private static func whole(_ number: Double) -> String {
        Int64(exactly: number.rounded(.towardZero)).map { "\($0)" } ?? "\(number)"
    }

    /// To a tenth.
    private static func seconds(_ seconds: Double) -> String {
        guard let tenths = Int64(exactly: (seconds * 10).rounded()) else { return "\(seconds) s" }
        return "\(tenths / 10).\(abs(tenths % 10)) s"
    }

    private static func bytes(_ count: Double) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (rest, unit) = (count, 0)
        while rest >= 1_024, unit < units.count - 1 { (rest, unit) = (rest / 1_024, unit + 1) }
        return "\(whole(rest.rounded())) \(units[unit])"
    }
}

/// The figures of a `/metrics`, as whoever scrapes them reads them.
package struct Scrape: Sendable {
    /// By name and labels as they are written, without the prefix `causeboard_`.
    private let values: [String: Double]

    /// - Parameter text: Lines that are no figures of ours are left out.
    package init(_ text: String) {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix(Self.prefix) {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            values[String(line[..<space].dropFirst(Self.prefix.count))] = value
        }
        self.values = values
    }

    private static let prefix = "causeboard_"

    /// A figure by its name and its labels, such as `database_waiting{pool="ledger"}`.
    subscript(series: String) -> Double? { values[series] }

    /// The figures of a family, by their labels.
    func family(_ name: String) -> [(labels: String, value: Double)] {
        values.filter { $0.key.hasPrefix(name + "{") }.map { (String($0.key.dropFirst(name.count)), $0.value) }.sorted {
            $0.labels < $1.labels
        }
    }

    /// The value of the first label.
    static func word(_ labels: String) -> String {
        String(labels.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" })
    }
}
