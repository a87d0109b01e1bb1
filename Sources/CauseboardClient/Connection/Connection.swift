import Contract
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as the server will see it.
struct Call: Sendable {
    var method = "GET"
    /// Percent-escaped, with its query.
    var target: String
    var body: Data?
    var contentType = "application/json"
    var headers: [String: String] = [:]

    init(_ method: String = "GET", _ target: String, body: Data? = nil) {
        (self.method, self.target, self.body) = (method, target, body)
    }

    /// - Parameter query: Pairs whose value is nil are left out.
    init(_ path: String, query: [(String, String?)]) {
        let pairs = query.compactMap { name, value in value.map { "\(name)=\(Address.escaped($0))" } }
        self.init("GET", pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&"))
    }

    init(_ method: String, _ path: String, json: some Encodable) throws(CauseboardError) {
        self.init(method, path, body: try JSONText.encode(json))
    }
}

/// JSON with its members in order, so that the same value always has the same bytes.
enum JSONText {
    static func encode(_ value: some Encodable) throws(CauseboardError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(value) } catch { throw .giveUp(nil, "This cannot be written as JSON: \(error)") }
    }
}

/// Requests to one server.
final class Connection: Sendable {
    let server: URL
    /// Every answer sets it.
    let clock: ServerClock
    private let reads: TaskSession
    /// Requests with a body. On Linux they never share a connection with another request: where a server has closed one
    /// that is used again, `URLSession` has no body to send once more, and waits for its time-out.
    private let writes: TaskSession
    private let answerTime: Duration

    /// - Parameter answerTime: How long an answer that is read whole may take.
    init(
        _ server: URL, _ clock: ServerClock, _ configuration: URLSessionConfiguration,
        answerTime: Duration = Limits.answerTimeMax
    ) {
        (self.server, self.clock, self.answerTime) = (server, clock, answerTime)
        configuration.timeoutIntervalForRequest = TimeInterval(Limits.requestSecondsMax)
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        reads = TaskSession(configuration, host: server.host)
        #if canImport(FoundationNetworking)
            writes = TaskSession(configuration, host: server.host)
        #else
            writes = reads
        #endif
    }

    /// Sends a request and reads its answer whole. Cancelling the task cancels the request.
    func send(_ call: Call) async -> Outcome {
        do {
            let chunks = try begin(call)
            // The system's own time-out begins anew with each byte, so a server that trickles would never end.
            let timer = Task { [answerTime] in
                try await Task.sleep(for: answerTime)
                chunks.cancel()
            }
            defer { timer.cancel() }
            let response = try await chunks.response()
            var body = Data()
            while let chunk = try await chunks.next() {
                body.append(chunk)
                guard body.count <= Limits.answerBytesMax else {
                    chunks.cancel()
                    return .silence
                }
            }
            let answer = Answer(response, body: body)
            if let date = answer.date { clock.adjust(to: date) }
            return .answer(answer)
        } catch { return .silence }
    }

    /// Sends a request and gives its answer's bytes as they arrive.
    func open(_ call: Call) async throws -> (HTTPURLResponse, BodyChunks) {
        let chunks = try begin(call)
        return (try await chunks.response(), chunks)
    }

    private func begin(_ call: Call) throws -> BodyChunks {
        guard let url = URL(string: server.absoluteString.trimmingSuffix("/") + call.target) else {
            throw URLError(.badURL)
        }
        var request = URLRequest(url: url)
        request.httpMethod = call.method
        request.httpBody = call.body
        if call.body != nil { request.setValue(call.contentType, forHTTPHeaderField: "Content-Type") }
        for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
        #if canImport(FoundationNetworking)
            if call.body != nil { request.setValue("close", forHTTPHeaderField: "Connection") }
        #endif
        return (call.body == nil ? reads : writes).begin(request)
    }
}

extension String {
    func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}

/// A `URLSession` and what waits for its answers.
private final class TaskSession: Sendable {
    private let session: URLSession
    private let tasks: TaskDelegate

    init(_ configuration: URLSessionConfiguration, host: String?) {
        tasks = TaskDelegate(host: host)
        session = URLSession(configuration: configuration, delegate: tasks, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    func begin(_ request: URLRequest) -> BodyChunks {
        let task = session.dataTask(with: request)
        let chunks = BodyChunks(task)
        tasks.add(chunks, task.taskIdentifier)
        task.resume()
        return chunks
    }
}

/// Hands what `URLSession` reports to the answers that wait for it.
private final class TaskDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let host: String?
    private let open = Mutex<[Int: BodyChunks]>([:])

    init(host: String?) { self.host = host }

    func add(_ chunks: BodyChunks, _ id: Int) { open.withLock { $0[id] = chunks } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { find(dataTask)?.begin(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        find(dataTask)?.add(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        open.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
    }

    /// A redirection is followed to the same host and to https only, because requests carry the player's token.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isSafe = request.url?.scheme == "https" && request.url?.host == host
        completionHandler(isSafe ? request : nil)
    }

    private func find(_ task: URLSessionTask) -> BodyChunks? { open.withLock { $0[task.taskIdentifier] } }
}
