import CoreMetrics
import HTTPTypes
import Leaderboard
import Synchronization

/// What is measured of requests, by the template of their route: how many there were of each status, and how long they
/// took. The series are as many as the routes and methods of the table, whatever strangers ask for.
final class RequestMeters: Sendable {
    /// The figures of a route.
    private final class Meter: Sendable {
        private struct Series {
            let method: String
            var statuses: [(code: Int, counter: Counter)] = []
        }

        private let template: String
        private let factory: any MetricsFactory
        /// One for each method, in the order of ``methods``. HEAD counts as GET.
        private let timers: [Timer?]
        private let series: Mutex<[Series]>

        static let methods: [HTTPRequest.Method] = [.get, .put, .post, .patch, .delete, .options]

        /// - Parameter methods: Those that the route answers; others count as `other` and are not timed.
        init(_ template: String, methods: [HTTPRequest.Method], _ factory: any MetricsFactory) {
            self.template = template
            self.factory = factory
            timers = Self.methods.map { method in
                guard methods.contains(method), method != .options else { return nil }
                return Timer(
                    label: "request_seconds", dimensions: [("route", template), ("method", method.rawValue)],
                    factory: factory)
            }
            let names = Self.methods.map { methods.contains($0) ? $0.rawValue : "other" } + ["other"]
            series = Mutex(names.map { Series(method: $0) })
        }

        func count(_ method: HTTPRequest.Method?, _ status: Int, _ duration: Duration?) {
            let index = Self.index(of: method)
            if index < timers.count, let duration { timers[index]?.recordNanoseconds(duration.nanoseconds) }
            counter(index, status).increment()
        }

        private static func index(of method: HTTPRequest.Method?) -> Int {
            switch method {
            case .get?, .head?: 0
            case .put?: 1
            case .post?: 2
            case .patch?: 3
            case .delete?: 4
            case .options?: 5
            default: 6
            }
        }

        /// The counter of a status, which the server chooses, so that there are few.
        private func counter(_ index: Int, _ status: Int) -> Counter {
            series.withLock { series in
                for (code, counter) in series[index].statuses where code == status { return counter }
                let counter = Counter(
                    label: "route_requests_total",
                    dimensions: [("route", template), ("method", series[index].method), ("status", "\(status)")],
                    factory: factory)
                series[index].statuses.append((status, counter))
                return counter
            }
        }
    }

    private let meters: [ObjectIdentifier: Meter]
    private let nobody: Meter

    init(_ factory: any MetricsFactory) {
        meters = Dictionary(
            uniqueKeysWithValues: Routes.all.map { route in
                (ObjectIdentifier(route), Meter(route.template.whole, methods: route.methods, factory))
            })
        nobody = Meter("none", methods: [], factory)
    }

    /// - Parameters:
    ///   - route: Nil for a path without one.
    ///   - method: Nil for a request that could not be read.
    ///   - duration: Nil for a request that was refused unread.
    func count(
        _ route: (any ServedRoute)?, _ method: HTTPRequest.Method?, _ status: HTTPResponse.Status, _ duration: Duration?
    ) {
        let meter = route.flatMap { meters[ObjectIdentifier($0)] } ?? nobody
        meter.count(method, status.code, duration)
    }
}
