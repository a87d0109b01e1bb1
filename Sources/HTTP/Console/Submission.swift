import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import NIOCore

/// A form that a browser has sent (URL Standard, section 5.2). The same code that reads the bodies of the admin API
/// reads its fields; an empty field is null, which takes a setting away.
struct Submission {
    private var values: [String: [String]] = [:]
    /// The id under which the form does what it does; it is the session's own.
    private(set) var id = UUID()

    /// - Parameter known: The fields that count; what else came is left out.
    /// - Throws: 413 for more than ``Limits/consoleFormBytesMax``, 415 for no form of a browser, 400 for more fields
    ///   than ``Limits/consoleFieldsMax`` and for a value that is no UTF-8.
    init(_ request: Request, known: Set<String>) throws(Problem) {
        guard request.body.readableBytes <= Limits.consoleFormBytesMax else { throw .formTooLarge }
        let formType = "application/x-www-form-urlencoded"
        let type = Substring((request.headers[.contentType] ?? "").utf8.prefix(formType.utf8.count))
        guard type.isEqual(toLowercased: formType) else { throw .noForm }
        let bytes = Array(request.body.readableBytesView)
        let parts = bytes.dropFirst(TextLines.byteOrderMarkLength(of: bytes)).split(separator: UInt8(ascii: "&"))
        guard parts.count <= Limits.consoleFieldsMax else { throw .tooManyFields }
        for part in parts {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            guard let field = known.first(where: { $0.utf8.elementsEqual(name) }) else { continue }
            let bytes = FormBody.unescaped(Array(part.dropFirst(name.count + 1)), plusIsSpace: true)
            guard let text = String(validating: Self.withPlainLines(bytes), as: UTF8.self) else { throw .noUTF8(field) }
            values[field, default: []].append(text)
        }
    }

    /// Browsers end the lines of a text as HTTP does. The bytes are changed, because searching a hostile String takes
    /// time that grows with the square of its length.
    private static func withPlainLines(_ bytes: [UInt8]) -> [UInt8] {
        let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        guard bytes.contains(carriageReturn) else { return bytes }
        return bytes.indices.lazy.filter { index in
            bytes[index] != carriageReturn || index + 1 == bytes.endIndex || bytes[index + 1] != lineFeed
        }.map { bytes[$0] }
    }

    /// A form of the query of a page, by which it begins.
    init(_ query: QueryParameters, known: Set<String>) {
        for parameter in query.all {
            guard let field = known.first(where: { $0.utf8.elementsEqual(parameter.name.utf8) }) else { continue }
            values[field] = [parameter.value]
        }
    }

    func with(_ id: UUID) -> Submission {
        var form = self
        form.id = id
        return form
    }

    /// What was typed; empty where nothing was.
    subscript(_ field: String) -> String {
        get { values[field]?.last ?? "" }
        set { values[field] = [newValue] }
    }

    /// All values of boxes with one name.
    func all(_ field: String) -> [String] { values[field] ?? [] }

    func has(_ field: String) -> Bool { values[field] != nil }

    /// Whether a field has this word, which is compared by its bytes.
    func says(_ field: String, _ word: String) -> Bool { self[field].utf8.elementsEqual(word.utf8) }

    /// The fields, as the admin API would get them.
    /// - Parameters:
    ///   - names: Those that were sent of these; a field that is left out is absent.
    ///   - list: A field of checkboxes, whose values become one list.
    ///   - leavingOutEmpty: Whether an empty field is absent too, and not null.
    func fields(_ names: some Sequence<String>, list: String? = nil, leavingOutEmpty: Bool = false) -> Fields {
        var typed: [String: String] = [:]
        for name in names where has(name) && !(leavingOutEmpty && self[name].isEmpty) {
            typed[name] = name == list ? all(name).joined(separator: ",") : self[name]
        }
        return .typed(typed)
    }
}
