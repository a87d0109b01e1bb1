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
