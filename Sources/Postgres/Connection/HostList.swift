import CPQ

/// One of the hosts that a connection string names.
struct Host: Hashable, Sendable {
    /// Empty where the connection string has none.
    let name: String
    let address: String
    let port: String

    /// The options of libpq that lead to this host alone.
    var options: [(key: StaticString, value: String)] {
        [("host", name), ("hostaddr", address), ("port", port)].filter { !$0.value.isEmpty }
    }
}

/// The hosts of a connection string that names several, of which the one is wanted that takes writes.
///
/// libpq would try them in order, too. But it waits for one that has vanished until the time for all of them is over,
/// and begins with a former primary again and again.
struct HostList: Hashable {
    /// Empty for lists that only libpq can take apart, such as one with a gap for the standard host.
    let hosts: [Host]

    /// Returns nil for a connection string that names one host, that wants another one than the primary, or that libpq
    /// will refuse.
    init?(conninfo: String) {
        // Like libpq, this takes a text without "=" that is no URL for the name of a database.
        let given =
            conninfo.contains("=") || conninfo.contains("://") ? Self.options(PQconninfoParse(conninfo, nil)) : [:]
        let standard = Self.options(PQconndefaults())
        let wanted = given["target_session_attrs"] ?? standard["target_session_attrs"] ?? "any"
        // A standard of "any" is libpq's own, and not what somebody asked for.
        guard ["read-write", "primary"].contains(wanted) || (wanted == "any" && given["target_session_attrs"] == nil)
        else { return nil }
        let keys = ["host", "hostaddr"]
        // Hosts of the environment count only where the connection string names none.
        let source = keys.contains { given[$0] != nil } ? given : standard
        func list(_ text: String?) -> [String] {
            guard let text, !text.isEmpty else { return [] }
            return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses) = (list(source["host"]), list(source["hostaddr"]))
        let count = max(names.count, addresses.count)
        guard count > 1 else { return nil }
        let ports = list(given["port"] ?? standard["port"])
        guard [names, addresses, ports].allSatisfy({ $0.count <= 1 || $0.count == count }), names.count != 1,
            addresses.count != 1, !(names + addresses + ports).contains("")
        else {
            hosts = []
            return
        }
        hosts = (0..<count).map { index in
            Host(
                name: names.isEmpty ? "" : names[index], address: addresses.isEmpty ? "" : addresses[index],
                port: ports.count > 1 ? ports[index] : ports.first ?? "")
        }
    }

    /// All hosts, the given one first if it is among them.
    func startingWith(_ first: Host?) -> [Host] {
        guard let first, hosts.contains(first) else { return hosts }
        return [first] + hosts.filter { $0 != first }
    }

    /// The options of a list of libpq's that have a value. Frees the list.
    private static func options(_ list: UnsafeMutablePointer<PQconninfoOption>?) -> [String: String] {
        guard let list else { return [:] }
        defer { PQconninfoFree(list) }
        var found: [String: String] = [:]
        var next = list
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val { found[String(cString: keyword)] = String(cString: value) }
            next += 1
        }
        return found
    }
}
