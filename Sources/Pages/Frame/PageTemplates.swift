import Mustache

/// The templates of all pages, parsed once.
enum PageTemplates {
    private static let library: MustacheLibrary = {
        var library = MustacheLibrary()
        for (name, text) in PageFiles.templates {
            do { try library.register(text, named: name) } catch {
                preconditionFailure("the template \(name) cannot be parsed: \(error)")
            }
        }
        return library
    }()

    static func render(_ name: String, _ scope: Scope) -> [UInt8] {
        guard let text = library.render(scope, withTemplate: name) else {
            preconditionFailure("there is no template \(name)")
        }
        return Array(text.utf8)
    }
}

/// What a template is filled with: nothing but markup, switches, lists and the scopes of names.
enum Fill: Sendable {
    case markup(Markup)
    case flag(Bool)
    case list([Scope])
    indirect case scope(Scope)
}

/// The names that a template or a section of it sees.
typealias Scope = [String: Fill]

extension Fill: MustacheCustomRepresentation {
    var representation: Any? {
        switch self {
        case .markup(let markup): markup
        case .flag(let flag): flag
        case .list(let scopes): scopes
        case .scope(let scope): scope
        }
    }
}

extension Fill: ExpressibleByBooleanLiteral { init(booleanLiteral value: Bool) { self = .flag(value) } }

extension Fill {
    /// A text, escaped.
    static func text(_ text: String) -> Fill { .markup(Markup(text)) }

    /// Nothing, or a text; a section on its name is left out without one.
    static func text(ifAny text: String?) -> Fill { text.map(Fill.text) ?? .flag(false) }
    static func scope(ifAny scope: Scope?) -> Fill { scope.map { .scope($0) } ?? .flag(false) }
}
