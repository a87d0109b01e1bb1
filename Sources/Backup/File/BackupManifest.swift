import FoundationEssentials

/// What a backup says of itself: where it is from, what has to be in its database, and what its parts are.
package struct BackupManifest: Codable, Sendable, Equatable {
    /// The format that this program writes, and the only one that it reads.
    package static let currentFormat = 1

    /// A part of the file.
    package struct Part: Codable, Sendable, Equatable {
        package let name: String
        package let bytes: Int
        /// 64 hex digits.
        package let sha256: String

        package init(name: String, bytes: Int, sha256: String) {
            (self.name, self.bytes, self.sha256) = (name, bytes, sha256)
        }
    }

    /// What was counted in the database.
    package struct Sum: Codable, Sendable, Equatable {
        package let subject: String
        package let rows: Int64
        package let points: String

        package init(subject: String, rows: Int64, points: String) {
            (self.subject, self.rows, self.points) = (subject, rows, points)
        }
    }

    package var format = Self.currentFormat
    /// The version of the program that made it.
    package var program: String
    /// The number of the database's newest migration.
    package var schema: Int32
    /// PostgreSQL's version number, such as 150018.
    package var postgresql: Int32
    /// When the database was as it is in the backup, in RFC 3339.
    package var moment: String
    /// The position in PostgreSQL's write-ahead log at that moment.
    package var position: String
    package var sums: [Sum]
    /// All parts before the manifest, in their order.
    package var parts: [Part] = []

    package init(program: String, schema: Int32, postgresql: Int32, moment: String, position: String, sums: [Sum]) {
        self.program = program
        self.schema = schema
        self.postgresql = postgresql
        self.moment = moment
        self.position = position
        self.sums = sums
    }

    /// The major version of PostgreSQL.
    package var postgresqlMajor: Int { Int(postgresql) / 10_000 }

    func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Numbers, texts and lists of them always encode.
        return Array((try? encoder.encode(self)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    init?(_ bytes: [UInt8]) {
        guard let manifest = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = manifest
    }

    /// The format that a manifest names, whatever else is in it.
    static func format(of bytes: [UInt8]) -> Int? {
        struct Format: Decodable { let format: Int }
        return (try? JSONDecoder().decode(Format.self, from: Data(bytes)))?.format
    }
}

/// The names of a backup's parts, in their order.
enum PartName {
    static let format = "format"
    static let secret = "secret"
    static let erasures = "erasures"
    static let manifest = "manifest.json"
    static let manifestSum = "manifest.json.sha256"

    /// The name of a piece of what `pg_dump` wrote; `cat database/*` puts them together.
    static func database(_ number: Int) -> String {
        let digits = String(number)
        return "database/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// What the part `format` holds, up to the number.
    static let formatWords = "causeboard backup "
}

extension BackupManifest {
    /// What was counted otherwise in a copy, in the order of the subjects, whatever order the counts come in.
    /// - Returns: Parts of a sentence, such as `scores should be 3 (30), and are 2 (20)`; empty when all are equal.
    package func differences(from found: [Sum]) -> [String] {
        let ours = Self.bySubject(sums), theirs = Self.bySubject(found)
        return Set(ours.keys).union(theirs.keys).sorted().compactMap { subject in
            let (wanted, got) = (ours[subject], theirs[subject])
            if wanted == got { return nil }
            return "\(subject) should be \(Self.counted(wanted)), and are \(Self.counted(got))"
        }
    }

    private static func bySubject(_ sums: [Sum]) -> [String: Sum] {
        Dictionary(sums.lazy.map { ($0.subject, $0) }) { first, _ in first }
    }

    private static func counted(_ sum: Sum?) -> String { sum.map { "\($0.rows) (\($0.points))" } ?? "uncounted" }
}
