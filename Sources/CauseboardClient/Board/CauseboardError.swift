public import Contract
public import Foundation

/// What went wrong, by what the game should do about it.
public enum CauseboardError: Error, Sendable, Equatable {
    /// Nothing is wrong with what was asked; it could not be answered now. Ask again, not before `after` when the
    /// server named a time.
    case askAgain(after: Date?, AskAgainReason)
    /// Ask the player for another name. The sentence is the server's and says what is wrong with this one.
    case chooseAnotherName(String)
    /// The server does not take this device for a player any more, or never did: let the player sign in.
    case signInAgain(SignInReason)
    /// The same will be refused again.
    case giveUp(RequestRefusal)
    /// As many posts and donations wait as the device keeps. None was forgotten; let it reach the server first.
    case queueFull(pendingMax: Int)
    /// The device could not keep something. The text names the file and the cause.
    case storage(String)

    public enum AskAgainReason: Sendable, Equatable {
        /// No answer came, or one that is not the server's, such as a hotel's sign-in page.
        case unreachable
        /// The server has too much to do, or a fault.
        case serverTrouble
        /// This address or player asks too often.
        case rateLimited
        /// The server cannot fetch the sign-in provider's keys. The ID token is still valid.
        case issuerAway
    }

    public enum SignInReason: Sendable, Equatable {
        /// Nobody has signed in on this device.
        case neverSignedIn
        /// The token is not this device's any more: it was cut off, or another one was made.
        case tokenRefused
        /// The player is banned.
        case banned
        /// The player was erased.
        case erased
    }
}

/// Why the server, or this library in its place, refused what was asked.
public struct RequestRefusal: Error, Sendable, Hashable, Codable {
    /// The status of HTTP; 0 when this library refused it before it was sent.
    public let status: Int
    /// Nil for a problem that this version of the library does not know.
    public let problem: ProblemName?
    /// A sentence for whoever writes the game, in English.
    public let sentence: String
    /// The id by which an operator finds the request.
    public let request: String?
    /// When the server would accept the same: with `flagFixed`, when the player may choose another flag.
    public let againAt: Timestamp?

    init(
        _ problem: ProblemName?, _ sentence: String, status: Int = 0, request: String? = nil, againAt: Timestamp? = nil
    ) {
        (self.status, self.problem, self.sentence) = (status, problem, sentence)
        (self.request, self.againAt) = (request, againAt)
    }

    init(_ reply: ProblemReply) {
        self.init(
            reply.name, reply.detail.prefix(bytesMax: Limits.sentenceBytesMax), status: reply.status,
            request: reply.request?.prefix(bytesMax: Limits.requestIDBytesMax), againAt: reply.againAt)
    }
}

extension String {
    /// As much of its beginning as so many bytes of UTF-8 hold.
    func prefix(bytesMax: Int) -> String {
        if utf8.count <= bytesMax { return self }
        var (text, bytes) = (String.UnicodeScalarView(), 0)
        // A single character may be longer than any bound.
        for scalar in unicodeScalars {
            bytes += UTF8.width(scalar)
            if bytes > bytesMax { break }
            text.append(scalar)
        }
        return String(text)
    }
}

extension CauseboardError {
    static func giveUp(_ problem: ProblemName?, _ sentence: String) -> CauseboardError {
        .giveUp(RequestRefusal(problem, sentence))
    }

    /// What an answer means to somebody who waits for it. The sending queue has rules of its own.
    init(_ answer: Answer, now: Date) {
        let after = answer.retryAfter.map { now.addingTimeInterval($0.inSeconds) }
        guard let problem = answer.problem else {
            self = .askAgain(after: after, answer.status >= 500 ? .serverTrouble : .unreachable)
            return
        }
        switch (answer.status, problem.name) {
        case (_, .nameRefused): self = .chooseAnotherName(problem.detail)
        case (_, .field) where ["name", "make"].contains(problem.field): self = .chooseAnotherName(problem.detail)
        case (429, _): self = .askAgain(after: after, .rateLimited)
        case (503, .issuerAway): self = .askAgain(after: after, .issuerAway)
        case (408, _), (500..., _): self = .askAgain(after: after, .serverTrouble)
        // A label is taken when the token that had it is another one's now.
        case (401, .unauthorized), (409, .labelTaken): self = .signInAgain(.tokenRefused)
        case (401, .clockSkew): self = .askAgain(after: after, .serverTrouble)
        case (403, .banned): self = .signInAgain(.banned)
        case (410, _): self = .signInAgain(.erased)
        default: self = .giveUp(RequestRefusal(problem))
        }
    }
}
