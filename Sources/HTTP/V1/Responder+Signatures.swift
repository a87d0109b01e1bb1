import Credentials
import Domain
import HTTPTypes
import Leaderboard
import NIOCore

// Signatures of requests by a player's token.
extension Responder {
    /// Whether a request is signed by the player's token that it carries. A signature that is there has to be good,
    /// whether or not anything needs it, so that a client learns at once that it signs wrongly. A game's key signs
    /// nothing, and its header is not looked at.
    ///
    /// This answers before anybody has looked whether the token is known, and alike for those that are not. So a
    /// signature that is refused is no failed credential, and a client whose clock is wrong is never shut out.
    /// - Throws: 401 for a signature that is malformed, or wrong, or whose time is too far from the server's clock.
    func isSigned(_ request: Request, by credential: Credential) throws(Problem) -> Bool {
        guard case .player(let token) = credential, let header = request.headers[.causeboardSignature] else {
            return false
        }
        guard let signature = RequestSignature(header) else { throw .badSignature }
        let key = secret.signKey(of: token)
        let isMade = request.body.withUnsafeReadableBytes { body in
            key.made(signature, method: request.method.rawValue, target: request.pathAndQuery, body: body)
        }
        guard isMade else { throw .badSignature }
        guard signature.secondsOff(clock.now) <= Limits.signatureSkewSecondsMax else { throw .clockSkew }
        return true
    }
}

extension Request {
    /// The path by which the request was routed and its query, both as they were sent, without the scheme and host that
    /// a proxy may have put in front of them.
    fileprivate var pathAndQuery: String {
        guard target.utf8.first != UInt8(ascii: "/") else { return target }
        let query = target.utf8.drop { $0 != UInt8(ascii: "?") }
        return path + (String(query) ?? "")
    }
}
