/// A form of the console.
package struct ConsoleForm: Sendable {
    /// A field that nobody sees, such as the token that says whose form it is.
    package struct Hidden: Sendable {
        let name: String
        let value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

        var scope: Scope { ["name": .text(name), "value": .text(value)] }
    }

    package struct Field: Sendable {
        package enum Kind: Sendable {
            case text
            case password
            case area
            /// Values and what is read for them.
            case choice([(value: String, text: String)])
            case boxes([(value: String, text: String)])
            case box
            /// What is shown and cannot be changed here.
            case fixed
        }

        package let name: String
        let label: String
        let kind: Kind
        /// What was typed, or is set now; of boxes the values of those that are ticked, with spaces between them.
        package var value: String
        let hint: String?
        /// What has to be changed.
        package var error: String?
        let isRequired: Bool

        package init(
            _ name: String, _ label: String, _ kind: Kind = .text, value: String = "", hint: String? = nil,
            isRequired: Bool = false
        ) {
            (self.name, self.label, self.kind, self.value) = (name, label, kind, value)
            (self.hint, self.isRequired) = (hint, isRequired)
        }
    }

    package struct Button: Sendable {
        package enum Look: Sendable { case main, plain, stop }
        let text: String
        /// What the field `step` says when it is pressed; nil for nothing.
        let step: String?
        let look: Look

        package init(_ text: String, _ look: Look = .main, step: String? = nil) {
            (self.text, self.look, self.step) = (text, look, step)
        }
    }

    /// What it is for, where the page has several forms.
    package var legend: String?
    package let action: String
    package let isPost: Bool
    package var hidden: [Hidden]
    package var fields: [Field]
    package var buttons: [Button]
    /// What has to be changed, where it is about no field of the form.
    package var error: String?

    package init(_ action: String, isPost: Bool = true, hidden: [Hidden] = [], fields: [Field] = [], buttons: [Button])
    { (self.action, self.isPost, self.hidden, self.fields, self.buttons) = (action, isPost, hidden, fields, buttons) }

    /// The form with an error at the field that it is about, or above all fields.
    package mutating func show(_ error: String, at field: String?) {
        if let field, let index = fields.firstIndex(where: { $0.name == field }) {
            fields[index].error = error
        } else {
            self.error = error
        }
    }

    var scope: Scope {
        [
            "legend": .text(ifAny: legend), "action": .text(action), "method": .text(isPost ? "post" : "get"),
            "error": .text(ifAny: error), "hidden": .list(hidden.map(\.scope)),
            "fields": .list(fields.map { $0.scope(in: action) }),
            "buttons": .list(
                buttons.map { button in
                    [
                        "label": .text(button.text), "step": .text(ifAny: button.step),
                        "classes": .text(ifAny: button.look == .main ? "main" : button.look == .stop ? "stop" : nil),
                    ]
                }),
        ]
    }
}

extension ConsoleForm.Field {
    /// - Parameter action: The form's, so that the same field of two forms has two ids.
    fileprivate func scope(in action: String) -> Scope {
        var options: [(value: String, text: String)] = []
        var (isText, isPassword, isArea, isChoice, isBoxes, isBox) = (false, false, false, false, false, false)
        switch kind {
        case .text: isText = true
        case .password: isPassword = true
        case .area: isArea = true
        case .choice(let all): (isChoice, options) = (true, all)
        case .boxes(let all): (isBoxes, options) = (true, all)
        case .box: isBox = true
        case .fixed: break
        }
        let ticked = value.split(separator: " ").map(String.init)
        let id = "f" + action.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-") + "-" + name
        return [
            "id": .text(id), "name": .text(name), "label": .text(label), "value": .text(value),
            "hint": .text(ifAny: hint), "error": .text(ifAny: error), "is-required": .flag(isRequired),
            "is-described": .flag(hint != nil || error != nil), "is-text": .flag(isText),
            "is-password": .flag(isPassword), "is-area": .flag(isArea), "is-choice": .flag(isChoice),
            "is-boxes": .flag(isBoxes), "is-box": .flag(isBox),
            "is-fixed": .flag(!isText && !isPassword && !isArea && !isChoice && !isBoxes && !isBox),
            "is-ticked": .flag(value == "true"),
            "options": .list(
                options.enumerated().map { index, option in
                    [
                        "id": .text("\(id)-\(index)"), "name": .text(name), "value": .text(option.value),
                        "label": .text(option.text),
                        "is-current": .flag(isBoxes ? ticked.contains(option.value) : option.value == value),
                    ]
                }),
        ]
    }
}
