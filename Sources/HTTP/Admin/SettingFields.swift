import Domain
import Feeds
import Pages
import Storage

extension Fields: SettingSource {
    static let clearing = "null"
    func isAbsent(_ field: String) -> Bool { presence(of: field) == .absent }
}

extension [AdminSetting] {
    /// The columns of a list that shows these settings.
    func columns() -> [Column] {
        map { setting in
            if let presence = setting.presence { return Column(presence, .boolean) }
            return switch setting.kind {
            case .text, .area, .choice, .decimal, .texts: Column(setting.name, .text)
            case .boolean: Column(setting.name, .boolean)
            case .link: Column(setting.name, .link)
            case .integer: Column(setting.name, .integer)
            case .instant: Column(setting.name, .instant)
            }
        }
    }

    /// The values in these columns.
    func cells<Keys>(of values: SettingValues<Keys>) -> [JSONTree] {
        map { setting in
            let content = setting.content(of: values)
            if setting.presence != nil {
                let isThere = if case .none = content { false } else { true }
                return .value(.boolean(isThere))
            }
            return switch content {
            case .none: .value(.none)
            case .text(let text): .value(.text(text))
            case .boolean(let isSo): .value(.boolean(isSo))
            case .texts(let texts): .list(texts.map { .value(.text($0)) })
            case .integer(let number): .value(.integer(Int128(number)))
            case .decimal(let digits): .value(.json(digits))
            case .instant(let instant): .value(.instant(instant))
            }
        }
    }

    /// The fields of a form that asks for these settings.
    func formFields() -> [ConsoleForm.Field] {
        map { setting in
            let kind: ConsoleForm.Field.Kind =
                switch setting.kind {
                case .area: .area
                case .choice(let words): .choice(setting.standardFirst(words).map { ($0, $0) })
                case .boolean: .choice([("yes", "yes"), ("no", "no")])
                case .text, .link, .integer, .decimal, .instant, .texts: .text
                }
            return ConsoleForm.Field("\(setting.name)", setting.label, kind, hint: setting.hint)
        }
    }
}

extension AdminSetting {
    /// A form begins with the first word.
    fileprivate func standardFirst(_ words: [String]) -> [String] {
        guard case .text(let standard)? = standardContent else { return words }
        return words.filter { $0 == standard } + words.filter { $0 != standard }
    }
}
