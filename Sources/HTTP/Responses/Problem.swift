package import enum Contract.ProblemName
package import enum Contract.Reply
package import struct Contract.Timestamp
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
package import HTTPTypes
import NIOCore
import Storage

/// Why a request was refused: a stable name, and a sentence that says what to change. Most sentences are in
/// Problems.swift and the files beside it; those of one feature alone stand with it.
package struct Problem: Error, Equatable {
    package typealias Name = ProblemName

    let name: Name
    let sentence: String
    /// The request's field that the sentence is about; nil when it is about no single one.
    let field: String?
    /// The limit that the request was over.
    private(set) var exceeded: ExceededLimit?
    /// The scope that the key lacks.
    private(set) var scope: String?
    /// The ETag of what is there now.
    private(set) var current: String?
    /// The id of the action that stands in the way.
    private(set) var action: String?
    /// The receipt of a player who was erased.
    private(set) var receipt: String?
    /// How much a charity may still receive.
    private(set) var cap: CapReached?
    /// From when on the same is allowed.
    private(set) var againAt: Instant?
    /// Seconds after which the client may retry, 1 or more.
    private(set) var waitSeconds: Int64?

    init(_ name: Name, _ sentence: String, field: String? = nil) {
        self.name = name
        self.sentence = sentence
        self.field = field
    }

    /// Seconds after which the same is worth another try; nil when nothing is known of that.
    var retryAfterSeconds: Int? {
        exceeded.map { Int(clamping: $0.seconds) } ?? waitSeconds.map { Int(clamping: $0) }
            ?? (name == .full ? Limits.fullRetryAfterSeconds : nil)
            ?? (name.status == .serviceUnavailable ? Limits.retryAfterSeconds : nil)
    }

    init(_ exceeded: ExceededLimit) {
        self.init(.rateLimited, exceeded.sentence)
        self.exceeded = exceeded
    }

    /// A key without a scope.
    init(missing scope: KeyScope, _ sentence: String) {
        self.init(.scope, sentence)
        self.scope = scope.description
    }

    /// An action that another one stands in the way of, or the state of what it is about.
    init(conflictingAction action: UUID?, _ sentence: String) {
        self.init(.actConflict, sentence)
        self.action = action?.text
    }

    /// A donation of points that are too new to be donated.
    /// - Parameter seconds: After which so much may be donated, 1 or more.
    init(settlingFor seconds: Int64, _ field: String, _ sentence: String) {
        self.init(.pointsSettling, sentence, field: field)
        waitSeconds = seconds
    }

    /// A device that has to wait.
    /// - Parameter seconds: How long, 1 or more.
    init(newFor seconds: Int64, _ sentence: String) {
        self.init(.deviceTooNew, sentence)
        waitSeconds = seconds
    }

    /// A sign-in provider whose keys cannot be fetched.
    /// - Parameter seconds: Until the next fetch, 1 or more.
    init(issuerAwayFor seconds: Int64, _ sentence: String) {
        self.init(.issuerAway, sentence)
        waitSeconds = seconds
    }

    /// A donation that is more than its charity may still receive.
    init(_ cap: CapReached, _ field: String, _ sentence: String) {
        self.init(.capReached, sentence, field: field)
        self.cap = cap
    }

    /// A flag that the player has shown for too short a time.
    init(flagFixedUntil again: Instant, _ field: String, _ sentence: String) {
        self.init(.flagFixed, sentence, field: field)
        againAt = again
    }

    /// A change of what is not there any more.
    /// - Parameter current: The ETag of what is there now.
    init(stale current: String?, _ sentence: String) {
        self.init(.stale, sentence)
        self.current = current
    }

    /// A token whose player was erased.
    init(erased receipt: String, _ sentence: String) {
        self.init(.gone, sentence)
        self.receipt = receipt
    }

    init(_ error: FieldError) {
        let name: Name =
            switch error.kind {
            case .field: .field
            case .nameRefused: .nameRefused
            }
        self.init(name, error.description, field: error.field)
    }

    init(_ error: StoreError) {
        switch error {
        case .unavailable, .formerPrimary: self = .databaseAway
        case .overloaded, .crowded: self = .busy
        case .bug: self = .bug
        }
    }

    /// The response in problem+json (RFC 9457), or in the `<errors>` document that classic XML clients expect.
    /// - Parameter requestID: Its header, and in problem+json its member `request`.
    func response(as format: DocumentFormat, requestID: String) -> Response {
        var headers: HTTPFields = [.cacheControl: "no-store", .requestID: requestID]
        if let retryAfterSeconds { headers[.retryAfter] = "\(retryAfterSeconds)" }
        let body: [UInt8]
        switch format {
        case .xml:
            headers[.contentType] = format.contentType
            body = ErrorsDocument([sentence]).xml()
        case .json:
            headers[.contentType] = "application/problem+json"
            let reply = Reply.Problem(
                type: name.type, title: name.status.reasonPhrase, status: name.status.code, detail: sentence,
                field: field, limit: exceeded?.name, scope: scope, receipt: receipt, act: action, room: cap?.room,
                againAt: (againAt ?? cap?.againAt).map(Timestamp.init), current: current, request: requestID)
            body = JSONTree(reply).bytes(links: FeedLinks())
        }
        return Response(status: name.status, headers: headers, body: ByteBuffer(bytes: body))
    }
}

extension ProblemName {
    package var status: HTTPResponse.Status {
        switch self {
        case .malformed, .badWindow, .badCursor: .badRequest
        case .unauthorized, .badSignature, .clockSkew, .identityRefused: .unauthorized
        case .forbidden, .banned, .serverOnly, .httpsOnly, .scope, .deviceTooNew: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notAcceptable: .notAcceptable
        case .idReused, .actConflict, .hasHistory, .labelTaken, .lastDevice, .identityTaken, .inTeam, .challengeOver:
            .conflict
        case .stale: .preconditionFailed
        case .precondition: .preconditionRequired
        case .gone: .gone
        case .tooSlow: .requestTimeout
        case .tooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .headerTooLong: .requestHeaderFieldsTooLarge
        case .mediaType: .unsupportedMediaType
        case .field, .nameRefused, .outOfBounds, .boardClosed, .charityClosed, .overspent, .coolingOffOver, .capReached,
            .pointsSettling, .codeRefused, .friendsFull, .teamFull, .notFriends, .challengesFull, .mergeLimit,
            .flagFixed, .slotsFull, .postFirst, .confirm:
            .unprocessableContent
        case .rateLimited: .tooManyRequests
        case .full, .overloaded, .databaseAway, .issuerAway: .serviceUnavailable
        case .bug: .internalServerError
        case .notImplemented: .notImplemented
        }
    }
}
