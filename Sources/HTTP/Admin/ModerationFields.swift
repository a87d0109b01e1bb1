import Domain
import Storage

/// The fields of a request for a moderation action, which ``ModerationDescription`` describes.
struct ModerationFields: ModerationSource {
    private let fields: Fields
    /// What the action is about.
    private let subject: Fields

    static let known = Set(["do", "on", "reason"] + ModerationField.all.map(\.name)).subtracting(
        ModerationField.subjects)

    init(_ fields: Fields, subject: Fields) {
        self.fields = fields
        self.subject = subject
    }

    /// - Throws: 422 when `on` is missing.
    init(_ fields: Fields) throws(FieldError) {
        guard let subject = try fields.object("on") else {
            throw FieldError("on", "on is missing. Say what it is about, such as {\"player\": 7}.")
        }
        self.init(fields, subject: subject)
    }

    /// - Throws: 422 for an unknown action, a missing field, and a field that the action does not take.
    func kind() throws(FieldError) -> ModerationKind {
        // A longer text is no action, and comparing a hostile one would take long.
        let word = try fields.text("do").flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
        let taken = ModerationDescription.subjects(of: word)
        if !taken.isEmpty {
            guard subject.hasOnly(taken), taken.allSatisfy({ subject.presence(of: $0) != .null }) else {
                let names = taken.sorted().joined(separator: ", ")
                throw FieldError("on", "on has a member that this action does not take, or null. Send \(names).")
            }
        }
        return try ModerationDescription.kind(word, self)
    }

    func reason() throws(FieldError) -> ModerationReason { try ModerationReason(try fields.text("reason") ?? "") }

    static let clearing = "null"

    func aboutSubject(_ error: FieldError) -> FieldError { FieldError("on", "on.\(error.description)") }

    func isAbsent(_ field: String) -> Bool { part(field).isAbsent(field) }
    func text(_ field: String) throws(FieldError) -> String? { try part(field).text(field) }
    func integer(_ field: String) throws(FieldError) -> Int64? { try part(field).integer(field) }
    func digits(_ field: String) throws(FieldError) -> String? { try part(field).digits(field) }
    func instant(_ field: String) throws(FieldError) -> Instant? { try part(field).instant(field) }
    func texts(_ field: String, countMax: Int) throws(FieldError) -> [String]? {
        try part(field).texts(field, countMax: countMax)
    }

    /// - Returns: In JSON nil for anything but true and false: no other word may void or forfeit points.
    func boolean(_ field: String) throws(FieldError) -> Bool? {
        let part = part(field)
        if case .json(let object) = part, let value = object[field], value.kind != .true, value.kind != .false {
            return nil
        }
        return try part.boolean(field)
    }

    private func part(_ field: String) -> Fields { ModerationField.subjects.contains(field) ? subject : fields }
}
