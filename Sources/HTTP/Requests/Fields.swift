import Domain

/// The fields of a v1 request, from JSON or from a form, or those of a form of the console. A field that is absent or
/// null is nil; ``presence(of:)`` tells the two apart. Each error names its field and never repeats what was sent.
enum Fields {
    case form(FormBody)
    case json(JSONObject)
    /// What was typed, by the names of the fields. An empty text is null.
    case typed([String: String])

    enum Presence {
        case absent
        /// JSON's null. A form has none: its `(null)` counts as absent.
        case null
        /// A value, which may be an empty text.
        case value
    }

    func presence(of field: String) -> Presence {
        switch self {
        case .form(let form): form[field] == nil ? .absent : .value
        case .json(let object): object[field].map { $0.kind == .null ? .null : .value } ?? .absent
        case .typed(let texts): texts[field].map { $0.isEmpty ? .null : .value } ?? .absent
        }
    }

    /// Whether there are no fields but those of these names. A form leaves others out.
    func hasOnly(_ names: Set<String>) -> Bool {
        switch self {
        case .form: true
        case .json(let object): object.hasOnly(names)
        case .typed(let texts): names.isSuperset(of: texts.keys)
        }
    }

    func text(_ field: String) throws(FieldError) -> String? {
        try text(field, orSay: "\(field) is no text. Send it as a string in quotes.")
    }

    /// An integer: in JSON a number in any notation whose value is whole, or a string of digits; in a form either of
    /// them without quotes.
    func integer(_ field: String) throws(FieldError) -> Int64? {
        let text: String
        switch self {
        case .typed:
            guard let typed = try self.text(field) else { return nil }
            text = typed
        case .form(let form):
            guard let sent = form[field] else { return nil }
            // Without this comparison a number with white space around it would be accepted.
            if let number = try? JSONValue(sent), number.bytes.count == sent.utf8.count, let whole = number.whole {
                return whole
            }
            text = sent
        case .json(let object):
            guard let value = object[field], value.kind != .null else { return nil }
            if let whole = value.whole { return whole }
            text = value.text ?? String(decoding: value.bytes, as: UTF8.self)
        }
        return try Points.whole(text, field: field)
    }

    /// The text of a number as it was written, in JSON with or without quotes.
    func digits(_ field: String) throws(FieldError) -> String? {
        if case .json(let object) = self, let value = object[field], value.kind == .number {
            return String(decoding: value.bytes, as: UTF8.self)
        }
        return try text(field, orSay: "\(field) is no number. Send one.")
    }

    /// A boolean: in JSON true, false, 1, 0, or a string that is read as in a form; see ``FormBoolean``. A misspelt
    /// one is refused: whoever asks to be anonymous or unlisted must not be shown instead.
    func boolean(_ field: String) throws(FieldError) -> Bool? {
        if case .json(let object) = self, let value = object[field], value.kind != .string {
            switch (value.kind, value.whole) {
            case (.null, _): return nil
            case (.true, _), (.number, 1): return true
            case (.false, _), (.number, 0): return false
            default: throw FormBoolean.isNeither(field)
            }
        }
        guard let text = try text(field) else { return nil }
        return try FormBoolean.read(text, field: field)
    }

    func instant(_ field: String) throws(FieldError) -> Instant? {
        let sentence = "\(field) is no time of RFC 3339. Send a string such as 2026-11-21T10:00:00Z."
        guard let text = try text(field, orSay: sentence) else { return nil }
        guard let instant = Instant(rfc3339: text) else { throw FieldError(field, sentence) }
        return instant
    }

    /// Any JSON value, null included, without insignificant white space; in a form the field's text is JSON.
    /// - Throws: When the text is no JSON, or longer than ``Limits/detailBytesMax``.
    func json(_ field: String) throws(FieldError) -> String? {
        let value: JSONValue
        switch self {
        case .form, .typed:
            guard let text = try text(field) else { return nil }
            do { value = try JSONValue(text) } catch {
                throw FieldError(
                    field, "\(field) is no JSON. Send a value such as {\"level\": 3}, a text in double quotes.")
            }
        case .json(let object):
            guard let sent = object[field] else { return nil }
            value = sent
        }
        let minified = value.minified
        guard minified.count <= Limits.detailBytesMax else {
            throw FieldError(field, "\(field) is longer than \(Limits.detailBytesMax) bytes of JSON. Send less.")
        }
        return String(decoding: minified, as: UTF8.self)
    }

    /// The fields of an object within the body, which only JSON has.
    func object(_ field: String) throws(FieldError) -> Fields? {
        guard case .json(let object) = self, let value = object[field], value.kind != .null else {
            if presence(of: field) == .absent { return nil }
            throw FieldError(field, "\(field) is no object. Send one in { }.")
        }
        guard value.kind == .object, let members = try? JSONObject(Array(value.bytes)) else {
            throw FieldError(field, "\(field) is no object. Send one in { }.")
        }
        return .json(members)
    }

    /// The objects of an array, which only JSON has.
    func objects(_ field: String, countMax: Int) throws(FieldError) -> [Fields]? {
        if presence(of: field) != .value { return nil }
        guard case .json(let object) = self,
            let objects = object[field]?.elements(
                countMax: countMax, { value in value.kind == .object ? try? JSONObject(Array(value.bytes)) : nil })
        else { throw FieldError(field, "\(field) is no list of at most \(countMax) objects. Send an array in JSON.") }
        return objects.map { .json($0) }
    }

    /// A list of texts: in JSON an array of strings, or a string with commas or spaces between them, which a form has
    /// too.
    func texts(_ field: String, countMax: Int = Limits.textsInListMax) throws(FieldError) -> [String]? {
        let sentence = "\(field) is no list of texts. Send an array of strings."
        if case .json(let object) = self, let value = object[field], value.kind == .array {
            guard let texts = value.texts(countMax: countMax) else { throw FieldError(field, sentence) }
            return texts
        }
        return try text(field, orSay: sentence)?.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }.map {
            String($0) ?? ""
        }
    }

    /// A list of whole numbers: in JSON an array of them, or a string with commas or spaces between them, which a form
    /// has too.
    func integers(_ field: String, countMax: Int) throws(FieldError) -> [Int64]? {
        let sentence = "\(field) is no list of whole numbers. Send an array of at most \(countMax)."
        var numbers: [Int64?]
        if case .json(let object) = self, let value = object[field], value.kind == .array {
            guard let values = value.elements(countMax: countMax, \.whole) else { throw FieldError(field, sentence) }
            numbers = values
        } else {
            guard let texts = try texts(field) else { return nil }
            numbers = texts.map { Int64($0) }
        }
        let known = numbers.compactMap(\.self)
        guard known.count == numbers.count, known.count <= countMax else { throw FieldError(field, sentence) }
        return known
    }

    private func text(_ field: String, orSay sentence: String) throws(FieldError) -> String? {
        switch self {
        case .form(let form): return form[field]
        case .typed(let texts): return texts[field].flatMap { $0.isEmpty ? nil : $0 }
        case .json(let object):
            guard let value = object[field], value.kind != .null else { return nil }
            guard let text = value.text else { throw FieldError(field, sentence) }
            return text
        }
    }
}

extension Fields {
    /// - Parameters:
    ///   - bytes: At most ``Limits/bodyBytesMax``.
    ///   - contentType: The header's value.
    ///   - known: The fields of the route, which a form needs to tell fields from values.
    /// - Throws: 415 for a type that is neither JSON nor a form, 400 for a malformed body.
    init(_ bytes: [UInt8], contentType: String?, known: Set<String>) throws(Problem) {
        switch Body.kind(contentType: contentType, firstByte: Body.firstByte(of: bytes)) {
        case .empty: self = .json(JSONObject())
        case .form: self = .form(try FormBody(bytes, known: known))
        case .json: do { self = .json(try JSONObject(bytes)) } catch { throw Problem.malformedJSON(error) }
        case nil: throw Problem.noJSONOrForm
        }
    }
}

/// The boolean values that the clients of 2009 send.
enum FormBoolean {
    private static let yes: Set<String> = ["1", "y", "yes", "t", "true", "on"]
    private static let no: Set<String> = ["0", "n", "no", "f", "false", "off"]

    /// True for 1, y, yes, t, true and on, in any case; false for everything else.
    static func isOn(_ text: String) -> Bool {
        // A longer text is none of them, and hashing a hostile one could take seconds.
        text.utf8.count <= 4 && yes.contains(text.lowercased())
    }

    /// The same, but false for 0, n, no, f, false and off only. An empty text is an error, too: a player who meant to
    /// donate without a name must not be named.
    /// - Throws: For any other text.
    static func read(_ text: String, field: String) throws(FieldError) -> Bool {
        if isOn(text) { return true }
        guard text.utf8.count <= 5, no.contains(text.lowercased()) else { throw isNeither(field) }
        return false
    }

    static func isNeither(_ field: String) -> FieldError {
        FieldError(field, "\(field) is neither true nor false. Send one of them.")
    }
}
