import CPQ
import Glibc

/// The variables by which libpq takes options from the environment, such as `PGPASSWORD`.
package enum LoginEnvironment {
    /// The names of those that are set.
    package static var names: [String] {
        var entries: [String] = []
        var variable = environ
        while let entry = variable.pointee {
            entries.append(String(cString: entry))
            variable += 1
        }
        return names(in: entries)
    }

    /// - Parameter entries: Each is `NAME=value`.
    static func names(in entries: [String]) -> [String] {
        entries.map { String($0.prefix { $0 != "=" }) }.filter { $0.hasPrefix("PG") && !places.contains($0) }.sorted()
    }

    /// Takes them out of the environment of this process: the embedded database needs none, and some would keep us from
    /// it, such as `PGSERVICE`. Call it before other threads run, because the environment has no lock for readers.
    package static func clear() { for name in names { unsetenv(name) } }

    /// A connection string with what the environment adds to it, so that it says the same without.
    package static func completed(_ text: String) -> String {
        completed(text) { name in getenv(name).map { String(cString: $0) } }
    }

    static func completed(_ text: String, _ value: (String) -> String?) -> String {
        guard let options = PQconninfoParse(text, nil) else { return text }
        defer { PQconninfoFree(options) }
        var pairs: [String] = []
        var option = options
        while let keyword = option.pointee.keyword {
            let given = option.pointee.val.map { String(cString: $0) }
            if let text = given ?? option.pointee.envvar.flatMap({ value(String(cString: $0)) }) {
                pairs.append("\(String(cString: keyword))=\(SeparatedLogin.quoted(text))")
            }
            option += 1
        }
        return pairs.joined(separator: " ")
    }

    /// Where files are that libpq reads for a service that a connection string names.
    private static let places: Set<String> = ["PGSERVICEFILE", "PGSYSCONFDIR"]
}
