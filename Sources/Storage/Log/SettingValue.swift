import Crypto
import Domain

/// What a setting was set to, as far as the log tells it.
enum SettingValue {
    /// A word of a closed list, a number or a time, which the log has as it is.
    case plain(String)
    /// A text that somebody wrote, or a secret. The log has its keyed hash, which holds no word of it and shows whether
    /// it was set back.
    case text(String)
    /// The setting was taken away.
    case none

    /// The value behind `name=`.
    /// - Parameters:
    ///   - name: The name of the setting. Equal texts of two settings have different hashes.
    ///   - key: The key of the log. Without it a short text could be found by trying.
    func logged(as name: String, _ key: LogKey) -> String {
        switch self {
        case .plain(let word) where !word.isEmpty && word.utf8.allSatisfy(Self.isPlain): word
        case .plain(let text), .text(let text): "#" + Hex.text(key.hash("\(name)\n\(text)").prefix(Self.hashBytes))
        case .none: "-"
        }
    }

    /// 64 bits: enough to tell two texts apart, and short enough to read.
    private static let hashBytes = 8

    /// What can stand in an entry: `;`, `=` and line ends are between the values there, and `#` begins a hash.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: ";") && byte != UInt8(ascii: "=")
            && byte != UInt8(ascii: "#")
    }
}

extension SettingValue {
    init(_ patch: Patch<some CustomStringConvertible & Sendable>) {
        self = patch.value.map { .plain($0.description) } ?? .none
    }

    init(_ patch: Patch<Instant>) {
        self = patch.value.map { .plain($0.rfc3339(.microseconds)) } ?? .none
    }

    init(text patch: Patch<some CustomStringConvertible & Sendable>) {
        self = patch.value.map { .text($0.description) } ?? .none
    }
}

/// The key by which the log hashes texts: 32 random bytes that a migration made.
struct LogKey {
    private let key: SymmetricKey

    init(_ bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
    }

    fileprivate func hash(_ text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }
}
