import enum Contract.ProblemName
import Domain
import Pages
import Storage

/// The settings of one kind of thing, as a form asks for them. Their names are those of the admin API.
struct SettingForm {
    let fields: [ConsoleForm.Field]
    /// What is fixed once it is made, and so only asked for then.
    let fixed: Set<String>
    private let secrets: Set<String>

    init(_ settings: [AdminSetting]) {
        fields = settings.formFields()
        fixed = settings.filter(\.isFixed).names
        secrets = settings.filter { $0.presence != nil }.names
    }

    /// A form whose fields are listed here, not described by settings.
    init(fields: [ConsoleForm.Field], fixed: Set<String>) {
        (self.fields, self.fixed) = (fields, fixed)
        secrets = []
    }

    /// The fields that such a form may send.
    var sentNames: Set<String> { Set(fields.map(\.name)).union(["version", "slug"]) }

    /// The form that changes what there is.
    /// - Parameters:
    ///   - settings: What is set now, by the names of the fields.
    ///   - version: The version that is changed.
    ///   - sent: What was typed before and refused.
    func form(
        _ action: String, of settings: [String: String], version: String, hidden: [ConsoleForm.Hidden],
        sent: Submission?, _ problem: Problem?
    ) -> ConsoleForm {
        let kept = sent.map { $0["version"] } ?? version
        // Whoever was second sees what is set now, and saves again over it.
        let newest = problem?.name == .stale ? version : kept
        var form = ConsoleForm(
            action, hidden: hidden + [ConsoleForm.Hidden("version", newest)],
            fields: fields.filter { !fixed.contains($0.name) }.map { field in
                var field = field
                field.value = sent.map { $0[field.name] } ?? settings[field.name] ?? ""
                return field
            }, buttons: [ConsoleForm.Button("Save")])
        if let problem {
            let sentence =
                problem.name == .stale
                ? "Somebody else has changed this meanwhile. Look at what is typed here, and save it again to keep it."
                : problem.sentence
            form.show(sentence, at: problem.field)
        }
        return form
    }

    /// The form that makes something new.
    func form(_ action: String, hidden: [ConsoleForm.Hidden], sent: Submission?, button: String, _ problem: Problem?)
        -> ConsoleForm
    {
        let slug = ConsoleForm.Field(
            "slug", "Slug",
            hint: "1 to 63 small letters, digits and hyphens. It stands in addresses and stays for good.",
            isRequired: true)
        var form = ConsoleForm(
            action, hidden: hidden,
            fields: ([slug] + fields).map { field in
                var field = field
                field.value = sent.map { $0[field.name] } ?? ""
                return field
            }, buttons: [ConsoleForm.Button(button)])
        if let problem { form.show(problem.sentence, at: problem.field) }
        return form
    }

    /// What was changed, as a body of the admin API: fields that say what is set already are left out, so that nothing
    /// is rounded or set anew.
    func changes(_ sent: Submission, of settings: [String: String]) -> Fields {
        let changed = fields.map(\.name).filter { name in
            !fixed.contains(name) && sent.has(name) && !sent[name].utf8.elementsEqual((settings[name] ?? "").utf8)
                // A secret is never shown, so an empty field says nothing of it.
                && !(secrets.contains(name) && sent[name].isEmpty)
        }
        return sent.fields(changed)
    }

    /// The settings of something new; those that were left empty have their standard values.
    func made(_ sent: Submission) -> Fields { sent.fields(fields.map(\.name), leavingOutEmpty: true) }
}

extension SettingForm {
    static let game = SettingForm(GameChange.settings)
    static let charity = SettingForm(CharityChange.settings)
    static let board = SettingForm(BoardChange.settings)
}
