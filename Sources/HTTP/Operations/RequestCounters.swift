import HTTPTypes
import Synchronization

/// Counts requests by what answered them and by the class of their status: a fixed number of counters, whatever is
/// asked for.
final class RequestCounters: Sendable {
    /// What answered a request.
    enum Answerer: Hashable, CaseIterable {
        /// A feed that was asked for before in the same words and has not changed since.
        case cachedFeed
        case route(Audience)
        /// No route.
        case nobody

        static let allCases: [Answerer] = [.cachedFeed] + Audience.allCases.map(Answerer.route) + [.nobody]

        var label: String {
            switch self {
            case .cachedFeed: "cached-feed"
            case .route(.operators): "admin"
            case .route(.healthChecks): "health"
            case .route(.visitors): "home"
            case .route(.visitorsAndSites): "books"
            case .route(.classic): "classic"
            case .route(.classicAndSites): "top-scores"
            case .route(.v1): "v1"
            case .route(.admin): "admin-api"
            case .route(.console): "console"
            case .nobody: "none"
            }
        }

        fileprivate var index: Int {
            switch self {
            case .cachedFeed: 0
            case .route(let audience): 1 + audience.rawValue
            case .nobody: 1 + Audience.allCases.count
            }
        }
    }

    private final class Counter: Sendable { let value = Atomic<Int>(0) }

    private static let classesCount = 6

    private let counters = (0..<Answerer.allCases.count * classesCount).map { _ in Counter() }

    func count(_ answerer: Answerer, _ status: HTTPResponse.Status) {
        let statusClass = max(0, min(status.code / 100, Self.classesCount - 1))
        counters[answerer.index * Self.classesCount + statusClass].value.wrappingAdd(1, ordering: .relaxed)
    }

    /// The counters that are not zero.
    var counts: [(answerer: Answerer, statusClass: Int, count: Int)] {
        Answerer.allCases.flatMap { answerer in
            (0..<Self.classesCount).compactMap { statusClass in
                let counter = counters[answerer.index * Self.classesCount + statusClass]
                let count = counter.value.load(ordering: .relaxed)
                return count == 0 ? nil : (answerer, statusClass, count)
            }
        }
    }
}
