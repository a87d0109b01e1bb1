import Contract
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An answer of the server, read whole.
struct Answer: Sendable {
    let status: Int
    let body: Data
    let etag: String?
    let location: String?
    let contentType: String?
    /// What the server's clock showed.
    let date: Timestamp?
    /// How long the server wants to be left alone.
    let retryAfter: Duration?
    /// Set when the answer is a problem of the contract, which no proxy or sign-in page of a network writes.
    let problem: ProblemReply?

    init(_ response: HTTPURLResponse, body: Data) {
        status = response.statusCode
        self.body = body
        etag = response.value(forHTTPHeaderField: "ETag")
        location = response.value(forHTTPHeaderField: "Location")
        contentType = response.value(forHTTPHeaderField: "Content-Type")
        let date = response.value(forHTTPHeaderField: "Date").flatMap { Timestamp(httpDate: $0) }
        self.date = date
        retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Self.duration($0, from: date) }
        let isProblem = contentType?.hasPrefix("application/problem+json")
        let reply = isProblem == true ? try? JSONDecoder().decode(ProblemReply.self, from: body) : nil
        problem = reply.flatMap { $0.type.hasPrefix("/problems/") ? $0 : nil }
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    func decoded<Reply: Decodable>(as type: Reply.Type) -> Reply? {
        isSuccess ? try? JSONDecoder().decode(type, from: body) : nil
    }

    /// `Retry-After` is seconds or a date; a date is compared with the server's own, as clocks of devices are off. A
    /// day is the most that is believed.
    private static func duration(_ text: String, from date: Timestamp?) -> Duration? {
        let seconds: Int64
        if let number = Int64(text) {
            seconds = number
        } else if let until = Timestamp(httpDate: text), let date {
            seconds = (until.microsecondsSince1970 - date.microsecondsSince1970) / 1_000_000
        } else {
            return nil
        }
        return min(.seconds(max(seconds, 0)), Limits.waitMax)
    }
}

/// What came of a request.
enum Outcome: Sendable {
    case answer(Answer)
    /// No answer came; whether the server got the request is unknown.
    case silence
}
