/// Answers the requests that connections receive.
package protocol RequestResponder: Sendable {
    /// Answers a request. It never fails: an error becomes a response.
    func respond(to request: Request) async -> Response
    /// The response to a refused request. The request's body may be missing.
    func refusal(of request: Request, _ refusal: Refusal) -> Response
    /// The response to bytes that are not a request.
    func refusalOfGarbage(_ refusal: Refusal, from peer: Peer) -> Response
}

/// Why a connection refuses a request, or the rest of it.
package enum Refusal: Sendable {
    /// The bytes are not HTTP.
    case noHTTP
    /// The head did not come in time.
    case headTooSlow
    /// `CONNECT`.
    case noTunnels
    /// `Host` is missing, repeated or not a host.
    case badHost
    /// `Transfer-Encoding` in a request of HTTP/1.0.
    case codingOfOldVersion
    /// A coding of the body other than `chunked`.
    case unknownCoding
    /// It is not clear where the body ends.
    case brokenBody
    /// The body is longer than ``Limits/bodyBytesMax``.
    case tooLarge
    /// The body did not come in time.
    case tooSlow
    /// The request came in too many small pieces.
    case smallPieces
    /// The client already has the most connections or slow requests that it may have.
    case tooManyConnections
    /// The server has no room for the bytes.
    case busy
}
