package import Domain

// Limits of outgoing requests.
extension Limits {
    /// Bytes of a URL.
    package static let outgoingURLBytesMax = 2_048
    /// Seconds for the name lookup, the connection and the whole answer together.
    package static let outgoingSeconds: Int64 = 3
    /// Seconds to connect to one address, so that there is time for another one.
    static let outgoingConnectSeconds: Int64 = 1
    /// Addresses of one name that are tried.
    static let outgoingAddressesTried = 4
    /// Bytes of an answer's body.
    package static let outgoingBodyBytesMax = 64 * 1024
    /// Bytes of a whole decrypted answer: head, body and framing.
    static let outgoingAnswerBytesMax = 96 * 1024
    /// Concurrent requests. Further ones are refused at once.
    static let outgoingRequestsMax = 8
    /// Private networks that an operator may allow.
    package static let outgoingNetworksMax = 8
    /// Threads for name lookups. The system's lookup cannot be cancelled.
    static let outgoingLookupThreads = 4
}
