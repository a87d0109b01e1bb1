import HTTPServer
import HTTPTypes

/// One served address: its template, its audience, and the handler of each method.
///
/// The handlers take the path's parameters in their order, so handlers of one route that disagree about them do not
/// compile.
final class Route<each Parameter: PathParameter>: ServedRoute {
    /// A method of an area of handlers, such as `RankingHandlers.boardTop`.
    typealias Handler<Area> = @Sendable (Area) -> (Request, repeat each Parameter) async throws -> Response

    let template: PathTemplate
    let audience: Audience
    let limits: RouteLimits
    let methods: [HTTPRequest.Method]
    let allow: String

    private let get: Handler<Handlers>?
    private let put: Handler<Handlers>?
    private let post: Handler<Handlers>?
    private let patch: Handler<Handlers>?
    private let delete: Handler<Handlers>?

    /// - Parameters:
    ///   - template: See ``PathTemplate``.
    ///   - limits: The limits of rates that its requests count in.
    ///   - get: Also answers HEAD.
    init<Area: RouteHandlers>(
        _ template: String, for audience: Audience, counts limits: RouteLimits, get: Handler<Area>? = nil,
        put: Handler<Area>? = nil, post: Handler<Area>? = nil, patch: Handler<Area>? = nil, delete: Handler<Area>? = nil
    ) {
        self.template = PathTemplate(template)
        self.audience = audience
        self.limits = limits
        self.get = Self.bound(get)
        self.put = Self.bound(put)
        self.post = Self.bound(post)
        self.patch = Self.bound(patch)
        self.delete = Self.bound(delete)
        // A comparison with nil would pass the handler to a generic function, which accepts no variadic type.
        var methods: [HTTPRequest.Method] = []
        if case .some = get { methods += [.get, .head] }
        if case .some = put { methods.append(.put) }
        if case .some = post { methods.append(.post) }
        if case .some = patch { methods.append(.patch) }
        if case .some = delete { methods.append(.delete) }
        self.methods = methods + [.options]
        allow = self.methods.map(\.rawValue).joined(separator: ", ")

        var suffixes: [Bool] = []
        for parameter in repeat (each Parameter).self { suffixes.append(parameter.isSuffix) }
        precondition(
            suffixes.count == self.template.parametersCount && suffixes.dropLast().allSatisfy { !$0 }
                && (suffixes.last ?? false) == self.template.takesSuffix,
            "the holes of \(template) are the parameters of its handlers, a suffix the last of them")
    }

    /// The handler as one of all areas.
    private static func bound<Area: RouteHandlers>(_ handler: Handler<Area>?) -> Handler<Handlers>? {
        guard case .some(let handler) = handler else { return nil }
        return { handlers in handler(Area.of(handlers)) }
    }

    /// The path with these values in its holes.
    func path(_ values: repeat each Parameter) -> String {
        var path = ""
        path.reserveCapacity(template.pathBytesExpected)
        var index = 0
        for value in repeat each values {
            path += template.literals[index]
            path += value.pathText
            index += 1
        }
        // A suffix is the last value, and nothing comes after it.
        if index < template.literals.count { path += template.literals[index] }
        return path
    }

    /// - Parameter texts: The texts in the holes of a path.
    /// - Throws: `NoValue` when a text is no value of its parameter.
    func values(_ texts: [Substring]) throws(NoValue) -> (repeat each Parameter) {
        var rest = texts[...]
        func next<Value: PathParameter>(_: Value.Type) throws(NoValue) -> Value {
            guard let text = rest.popFirst(), let value = Value.read(text) else { throw NoValue() }
            return value
        }
        return (repeat try next((each Parameter).self))
    }

    func match(_ texts: [Substring], method: HTTPRequest.Method) -> RouteMatch? {
        do throws(NoValue) {
            let values = try values(texts)
            let suffix = template.takesSuffix ? texts.last : nil
            guard let handler = handler(of: method) else { return RouteMatch(route: self, suffix: suffix, answer: nil) }
            return RouteMatch(route: self, suffix: suffix) { handlers, request in
                try await handler(handlers)(request, repeat each values)
            }
        } catch { return nil }
    }

    private func handler(of method: HTTPRequest.Method) -> Handler<Handlers>? {
        switch method {
        case .get, .head: get
        case .put: put
        case .post: post
        case .patch: patch
        case .delete: delete
        default: nil
        }
    }

    struct NoValue: Error {}
}

/// A route without the types of its parameters.
protocol ServedRoute: AnyObject, Sendable {
    var template: PathTemplate { get }
    var audience: Audience { get }
    var limits: RouteLimits { get }
    /// The methods that it answers; OPTIONS is always one of them.
    var methods: [HTTPRequest.Method] { get }
    /// The methods as the `Allow` header lists them.
    var allow: String { get }

    /// - Parameter texts: The texts in the holes of a path.
    /// - Returns: Nil when a text is no value of its parameter, so that the path is no address of this route.
    func match(_ texts: [Substring], method: HTTPRequest.Method) -> RouteMatch?
}

extension ServedRoute {
    /// The method and the template without its suffix, such as `PUT /customers/{id}`.
    func name(_ method: HTTPRequest.Method) -> String { "\(method.rawValue) \(template.text)" }
}

/// A route that was found for a path, with the values in the path.
struct RouteMatch: Sendable {
    typealias Answer = @Sendable (Handlers, Request) async throws -> Response

    let route: any ServedRoute
    /// The suffix with its dot; empty when the path leaves it out, nil when the route takes none.
    let suffix: Substring?
    /// Nil when the route does not answer the method.
    let answer: Answer?
}

/// The clients that a route is for. This decides which listeners serve it, the format of refusals, and whether pages of
/// other sites may read the responses (CORS). No route that pages of other sites may read takes a cookie: the only one,
/// of the console's session, counts on the console's routes alone.
enum Audience: Int, CaseIterable {
    /// Whoever operates the server. Their routes are on the admin listener, and on no other.
    case operators
    /// Load balancers and supervisors, on every listener.
    case healthChecks
    /// Browsers that open the root address.
    case visitors
    /// Browsers that open a page, and programs and pages of other sites that read it as a feed.
    case visitorsAndSites
    /// The clients of 2009, which read XML.
    case classic
    /// The clients of 2009, and pages of other sites.
    case classicAndSites
    /// Clients of v1, which may be pages of other sites.
    case v1
    /// Programs of operators, with an operator's key. They are served on the admin listener, and beside the clients'
    /// where that is asked for.
    case admin
    /// Operators with a browser, who sign in with an operator's key. They are served where ``admin`` is.
    case console

    /// Whether the default format is XML.
    var isClassic: Bool {
        switch self {
        case .classic, .classicAndSites: true
        case .operators, .healthChecks, .visitors, .visitorsAndSites, .v1, .admin, .console: false
        }
    }

    var isOpenToOtherSites: Bool {
        switch self {
        case .visitorsAndSites, .classicAndSites, .v1: true
        case .operators, .healthChecks, .visitors, .classic, .admin, .console: false
        }
    }

    /// Whether a refusal is a page for whoever accepts one.
    var readsPages: Bool { self == .visitors || self == .visitorsAndSites || self == .console }

    /// - Parameter isAdminPublic: Whether the listeners of clients serve the admin API too.
    func isServed(on listener: ListenerRole, isAdminPublic: Bool) -> Bool {
        switch self {
        case .operators: listener == .admin
        case .admin, .console: listener == .admin || isAdminPublic
        case .healthChecks: true
        case .visitors, .visitorsAndSites, .classic, .classicAndSites, .v1: listener == .open
        }
    }
}
