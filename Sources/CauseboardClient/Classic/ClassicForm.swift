import Contract
import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// A body as the games of 2009 built it: fields put together by string format, with nothing escaped.
struct ClassicForm: Sendable {
    private var fields: [(name: String, value: String)] = []

    /// Adds a field; nil adds none.
    mutating func add(_ name: String, _ value: String?) { if let value { fields.append((name, value)) } }

    /// - Parameter known: All fields of the address, by which a server finds where a value ends.
    /// - Throws: `.giveUp` when a value would be taken for another field, or is no line of text.
    func body(known: [String]) throws(CauseboardError) -> Data {
        for (name, value) in fields {
            let isForeign = known.contains { value.contains("&\($0)=") }
            let hasControls = value.unicodeScalars.contains { $0.properties.generalCategory == .control }
            if isForeign || hasControls || value == "(null)" {
                throw .giveUp(.field, "\(name) has a text that the classic protocol cannot send.")
            }
        }
        return Data(fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&").utf8)
    }
}

/// The `auth_token` of a high score: the hex MD5 of `total_score:salt:iphone_udid`, in capitals as the games sent it.
enum ClassicToken {
    static func text(score: Int64, salt: String, phone: String) -> String {
        Hex.text(Insecure.MD5.hash(data: Data("\(score):\(salt):\(phone)".utf8))).uppercased()
    }
}
