import HTTPServer
import HTTPTypes

/// The table of all served addresses. Each route is one line of a list: its template, its handlers, and its audience
/// and rate limits if they differ from its group's.
///
/// `{word}` is a parameter of the handlers, and `{.format}` a suffix that may be absent. GET also answers HEAD.
enum Routes {
    static let server = ServerRoutes()
    static let classic = ClassicRoutes()
    static let v1 = ClientRoutes()
    static let pages = PageRoutes()
    static let admin = AdminRoutes()
    static let console = ConsoleRoutes()

    static let all = [server.all, classic.all, v1.all, pages.all, admin.all, console.all].flatMap(\.self)

    static let tree = RouteTree(all)

    /// All methods that some route takes, as the `Allow` header lists them.
    static let allow = Set(all.flatMap { $0.methods.map(\.rawValue) }).sorted().joined(separator: ", ")

    /// - Parameters:
    ///   - path: Percent-escaped, without its query.
    ///   - listener: The listener that the request came to.
    ///   - isAdminPublic: Whether the listeners of clients serve the admin API too.
    /// - Returns: Nil when that listener serves nothing at the path.
    static func find(
        _ path: String, method: HTTPRequest.Method, on listener: ListenerRole = .open, isAdminPublic: Bool = false
    ) -> RouteMatch? {
        guard let (route, texts) = tree.find(path), route.audience.isServed(on: listener, isAdminPublic: isAdminPublic)
        else { return nil }
        return route.match(texts, method: method)
    }

    /// The audience that a path without a route was probably meant for.
    static func audience(near path: String) -> Audience {
        // The comparison is by bytes, because this path may be any text.
        let path = path.utf8
        if path.elementsEqual("/v1/admin".utf8) || path.starts(with: "/v1/admin/".utf8) { return .admin }
        if path.elementsEqual("/admin".utf8) || path.starts(with: "/admin/".utf8) { return .console }
        if path.elementsEqual("/v1".utf8) || path.starts(with: "/v1/".utf8) { return .v1 }
        return classicWords.contains { path.starts(with: $0.utf8) } ? .classic : .visitors
    }

    /// The first segments of the classic routes' paths.
    private static let classicWords: Set<String> = Set(
        all.filter(\.audience.isClassic).compactMap { route in
            if case .word(let word)? = route.template.segments.first { "/" + word } else { nil }
        })
}
