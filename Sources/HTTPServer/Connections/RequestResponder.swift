/// What answers the requests of connections.
package protocol RequestResponder: Sendable {
    /// Answers a request. It never fails: what goes wrong is an answer too.
    func respond(to request: Request) async -> Response
    /// The answer to a request that is not taken. Its body may be missing.
    func refusal(of request: Request, _ refusal: Refusal) -> Response
    /// The answer to bytes that are no request.
    func refusalOfGarbage(_ refusal: Refusal, from peer: Peer) -> Response
}

/// Why a connection takes no request, or not all of it.
package enum Refusal: Sendable, CaseIterable {
    /// The bytes are no HTTP.
    case noHTTP
    /// The head did not come in time.
    case headTooSlow
    /// `CONNECT`.
    case noTunnels
    /// `Host` is missing, there twice, or no host.
    case badHost
    /// `Transfer-Encoding` in a request of HTTP/1.0.
    case codingOfOldVersion
    /// A coding of the body other than `chunked`.
    case unknownCoding
    /// Where the body ends cannot be told.
    case brokenBody
    /// The body is longer than ``Limits/bodyBytesMax``.
    case tooLarge
    /// The body did not come in time.
    case tooSlow
    /// The request came in too many small pieces.
    case smallPieces
    /// The client has as many connections or slow requests as it may have.
    case tooManyConnections
    /// The server has no room for the bytes.
    case busy
}
