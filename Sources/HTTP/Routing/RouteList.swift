/// What the routes of a list have in common.
struct RouteGroup {
    private let prefix: String
    private let audience: Audience
    private let limits: RouteLimits

    init(_ prefix: String, for audience: Audience, counts limits: RouteLimits) {
        (self.prefix, self.audience, self.limits) = (prefix, audience, limits)
    }

    /// A route of the group.
    /// - Parameters:
    ///   - template: What follows the prefix; see ``PathTemplate``.
    ///   - audience: Nil for the group's audience.
    ///   - limits: The rate limits that its requests count against; nil for the group's.
    ///   - get: Also answers HEAD.
    func callAsFunction<Area: RouteHandlers, each Parameter: PathParameter>(
        _ template: String, for audience: Audience? = nil, counts limits: RouteLimits? = nil,
        get: Route<repeat each Parameter>.Handler<Area>? = nil, put: Route<repeat each Parameter>.Handler<Area>? = nil,
        post: Route<repeat each Parameter>.Handler<Area>? = nil,
        patch: Route<repeat each Parameter>.Handler<Area>? = nil,
        delete: Route<repeat each Parameter>.Handler<Area>? = nil
    ) -> Route<repeat each Parameter> {
        Route(
            prefix + template, for: audience ?? self.audience, counts: limits ?? self.limits, get: get, put: put,
            post: post, patch: patch, delete: delete)
    }
}

/// A list of routes, one for each property. All of them are served.
protocol RouteList: Sendable {}

extension RouteList {
    /// In the order of their declarations.
    var all: [any ServedRoute] { Mirror(reflecting: self).children.compactMap { $0.value as? any ServedRoute } }
}
