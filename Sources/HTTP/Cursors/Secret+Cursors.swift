import Avatars
import Storage

extension Secret {
    /// A cursor as it stands in a URL: it says nothing to anybody else.
    func cursor(_ bytes: [UInt8]) -> String? {
        sealed(bytes).map { sealed in
            String(decoding: base64Encoded(sealed).compactMap(Self.urlSafe), as: UTF8.self)
        }
    }

    /// - Throws: 400 for a cursor that is not ours.
    func cursorBytes(_ text: String, field: String) throws(Problem) -> [UInt8] {
        guard text.utf8.count <= 256, text.utf8.allSatisfy(Self.isUrlSafe), let sealed = base64Decoded(text.utf8),
            let bytes = opened(sealed)
        else {
            throw Problem.badCursor(field)
        }
        return bytes
    }

    private static func isUrlSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The alphabet of RFC 4648, section 5, without padding.
    private static func urlSafe(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "="): nil
        default: byte
        }
    }
}

extension Problem {
    static func badCursor(_ field: String) -> Problem {
        Problem(.badCursor, "\(field) is no cursor of this list. Take next or prev of the page that was answered, as it is.", field: field)
    }
}
