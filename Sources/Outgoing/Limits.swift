package import Domain

// The bounds of what the server asks of others.
extension Limits {
    /// Bytes of an address that the server may ask.
    package static let outgoingURLBytesMax = 2_048
    /// Seconds for the lookup of the name, the connection and the whole answer together.
    package static let outgoingSeconds: Int64 = 3
    /// Seconds for one connection to be made, so that there is time for another address.
    static let outgoingConnectSeconds: Int64 = 1
    /// Addresses of one name that are tried.
    static let outgoingAddressesTried = 4
    /// Bytes of an answer's body.
    package static let outgoingBodyBytesMax = 64 * 1024
    /// Bytes of a whole answer, decrypted: its head, its body and what frames them.
    static let outgoingAnswerBytesMax = 96 * 1024
    /// Requests at the same time. Further ones are refused at once.
    static let outgoingRequestsMax = 8
    /// Private networks that an operator may allow.
    package static let outgoingNetworksMax = 8
    /// Threads that look names up. The system's lookup cannot be cancelled.
    static let outgoingLookupThreads = 4
}
