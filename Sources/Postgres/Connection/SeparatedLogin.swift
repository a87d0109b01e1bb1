import CPQ

/// A connection string for a program of PostgreSQL's: what may be an argument, which all users of a machine can see,
/// and the password, which may not.
package struct SeparatedLogin: Sendable, Equatable {
    /// `key=value` pairs without passwords.
    package let conninfo: String
    /// The environment variables that have the passwords, as `NAME=value`.
    package let environment: [String]
    /// Whether there was a password, including that of a key.
    package let hasPassword: Bool

    /// - Returns: Nil for what libpq does not take.
    package init?(_ text: String) {
        guard let options = PQconninfoParse(text, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var pairs: [String] = []
        var environment: [String] = []
        var names: Set<String> = []
        var hosts = 1
        var hasPassword = false
        var option = options
        while let keyword = option.pointee.keyword {
            defer { option += 1 }
            guard let value = option.pointee.val.map({ String(cString: $0) }) else { continue }
            let name = String(cString: keyword)
            switch name {
            case "password":
                environment.append("PGPASSWORD=\(value)")
                hasPassword = hasPassword || !value.isEmpty
            // libpq reads the key's password from nowhere else; a key may have none.
            case "sslpassword": hasPassword = hasPassword || !value.isEmpty
            default:
                names.insert(name)
                pairs.append("\(name)=\(Self.quoted(value))")
                if name == "host" || name == "hostaddr" { hosts = value.split(separator: ",").count }
            }
        }
        // A snapshot exists on one server only: the same one that our own connections choose.
        if hosts > 1, !names.contains("target_session_attrs") { pairs.append("target_session_attrs=read-write") }
        conninfo = pairs.joined(separator: " ")
        self.environment = environment
        self.hasPassword = hasPassword
    }

    static func quoted(_ value: String) -> String {
        var text = "'"
        for scalar in value.unicodeScalars {
            if scalar == "'" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text + "'"
    }
}
