import Crypto
import Domain

/// The new value of a setting, as the log shows it.
enum SettingValue {
    /// A word of a closed list, a number or a time. The log shows it in plain text.
    case plain(String)
    /// Free text, or a secret. The log shows its keyed hash, which reveals no word but shows whether the old value came
    /// back.
    case text(String)
    /// The setting was removed.
    case none

    /// The text after `name=`.
    /// - Parameters:
    ///   - name: The name of the setting. Equal texts of two settings have different hashes.
    ///   - key: The key of the log. Without a key, short texts could be found by guessing.
    func logged(as name: String, _ key: LogKey) -> String {
        switch self {
        case .plain(let word) where !word.isEmpty && word.utf8.allSatisfy(Self.isPlain): word
        case .plain(let text), .text(let text): "#" + Hex.text(key.hash("\(name)\n\(text)").prefix(Self.hashBytes))
        case .none: "-"
        }
    }

    /// 64 bits: enough to tell texts apart, and short enough to read.
    private static let hashBytes = 8

    /// Characters allowed in an entry: `;`, `=` and line ends separate values, and `#` begins a hash.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: ";") && byte != UInt8(ascii: "=")
            && byte != UInt8(ascii: "#")
    }
}

extension SettingValue {
    init(_ patch: Patch<some CustomStringConvertible & Sendable>) {
        self = patch.value.map { .plain($0.description) } ?? .none
    }

    init(_ patch: Patch<Instant>) { self = patch.value.map { .plain($0.rfc3339(.microseconds)) } ?? .none }

    init(text patch: Patch<some CustomStringConvertible & Sendable>) {
        self = patch.value.map { .text($0.description) } ?? .none
    }
}

/// The key with which the log hashes texts: 32 random bytes, made by a migration.
struct LogKey {
    private let key: SymmetricKey

    init(_ bytes: [UInt8]) { key = SymmetricKey(data: bytes) }

    fileprivate func hash(_ text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }
}
