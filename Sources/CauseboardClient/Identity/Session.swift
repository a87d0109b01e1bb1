import Contract
import Foundation
import Synchronization

/// The player of this device towards the server: registers, sends the token, signs, and follows a change of the token.
actor Session {
    private static let secretName = "identity"

    /// What may be asked without waiting.
    struct Presence: Sendable {
        /// A name that only this device has; nil before anybody signed in.
        var device: String?
        /// How often somebody signed out: what was kept before is another player's.
        var signOuts = 0
    }

    let connection: Connection
    private let present = Mutex(Presence())
    private let secrets: any SecretStore
    let game: String
    private(set) var identity: Identity?
    /// Whether the server has answered a registration since this object was made.
    var isRegistered = false
    /// Before this time of the server a name whose registration was put off is not sent again.
    var renameNotBefore: Timestamp?
    /// Before this time of the server a player who is known does without the registration that was put off.
    var registerNotBefore: Timestamp?
    /// Registrations that wait for the one under way: each is answered for itself, and the last name stands.
    var registrationTurns: [CheckedContinuation<Void, Never>] = []
    var isRegistering = false
    /// Whether what was kept of the player was damaged, and has been put aside.
    nonisolated let wasDamaged: Bool
    /// Why the server refused a name that the queue sent, until somebody takes it.
    var nameRefusal: String?

    init(_ connection: Connection, _ secrets: any SecretStore, game: String) throws(CauseboardError) {
        (self.connection, self.secrets, self.game) = (connection, secrets, game)
        let kept = try secrets.read(Self.secretName)
        let known = kept.flatMap { try? JSONDecoder().decode(Identity.self, from: $0) }
        identity = known
        wasDamaged = kept != nil && known == nil
        present.withLock { $0.device = known?.device }
        if let kept, known == nil { try Self.putAside(kept, in: secrets) }
    }

    /// Keeps what cannot be read under another name, as the next player's would be written over it.
    private static func putAside(_ kept: Data, in secrets: any SecretStore) throws(CauseboardError) {
        for number in 1...Limits.damagedFilesMax {
            let name = "\(secretName)-damaged-\(number)"
            guard try secrets.read(name) == nil else { continue }
            try secrets.write(kept, name)
            return try secrets.remove(secretName)
        }
        throw .storage("what is kept of the player is damaged, as \(Limits.damagedFilesMax) times before")
    }

    nonisolated var presence: Presence { present.withLock { $0 } }
    var player: Player? { identity?.player }

    func keep(_ changed: Identity) throws(CauseboardError) {
        if changed == identity { return }
        try secrets.write(try JSONText.encode(changed), Self.secretName)
        identity = changed
        present.withLock { $0.device = changed.device }
    }

    /// Makes a token for the device if it has none. The token is stored before it is used.
    func makeIdentity() throws(CauseboardError) { if identity == nil { try keep(Identity(name: "")) } }

    /// Forgets who this device is. Its token is gone for good.
    func signOut() throws(CauseboardError) {
        try secrets.remove(Self.secretName)
        (identity, isRegistered, nameRefusal) = (nil, false, nil)
        (renameNotBefore, registerNotBefore) = (nil, nil)
        present.withLock { ($0.device, $0.signOuts) = (nil, $0.signOuts + 1) }
    }
}

// MARK: - Sending

extension Session {
    /// Sends a request by the player's token. A token that was being changed is found out about, and a signature that
    /// the server's clock finds too old or too new is made again; each once.
    func send(_ call: Call, isSigned: Bool) async -> Outcome {
        let usedToken = identity?.token
        var outcome = await sendOnce(call, isSigned: isSigned)
        if isSigned, case .answer(let answer) = outcome, answer.problem?.name == .clockSkew {
            outcome = await sendOnce(call, isSigned: true)
        }
        guard case .answer(let answer) = outcome, answer.problem != nil, answer.status == 401 || answer.status == 410,
            answer.problem?.name != .clockSkew, answer.problem?.name != .badSignature,
            answer.problem?.name != .identityRefused
        else { return outcome }
        if identity?.token == usedToken {
            guard identity?.nextToken != nil, await finishRotation() == nil else { return outcome }
        }
        return await sendOnce(call, isSigned: isSigned)
    }

    /// Reads or writes what is answered with `Reply`.
    func send<Reply: Decodable & Sendable>(_ call: Call, as type: Reply.Type, isSigned: Bool = false)
        async throws(CauseboardError) -> Reply
    {
        try await registerIfUnknown()
        let outcome = await send(call, isSigned: isSigned)
        return try Self.reply(to: outcome, as: type)
    }

    /// Sends a write whose answer is 204 without a body.
    func sendForNothing(_ call: Call) async throws(CauseboardError) {
        let answer = try await answer(to: call)
        guard answer.status == 204 else { throw CauseboardError(answer, now: Date()) }
    }

    /// Sends a request of the player, and returns whatever came as its answer.
    func answer(to call: Call) async throws(CauseboardError) -> Answer {
        try await registerIfUnknown()
        switch await send(call, isSigned: false) {
        case .silence: throw .askAgain(after: nil, .unreachable)
        case .answer(let answer): return answer
        }
    }

    /// Registers a player who signed in while the server could not be reached, and whom it does not know yet.
    func registerIfUnknown() async throws(CauseboardError) {
        guard let identity else { throw .signInAgain(.neverSignedIn) }
        guard identity.player == nil, let outcome = try await ensureRegistered() else { return }
        _ = try Self.reply(to: outcome, as: Registered.self)
    }

    static func reply<Reply: Decodable>(to outcome: Outcome, as type: Reply.Type) throws(CauseboardError) -> Reply {
        switch outcome {
        case .silence: throw .askAgain(after: nil, .unreachable)
        case .answer(let answer):
            guard let reply = answer.decoded(as: type) else { throw CauseboardError(answer, now: Date()) }
            return reply
        }
    }

    private func sendOnce(_ call: Call, isSigned: Bool, token: String? = nil) async -> Outcome {
        var call = call
        if let token = token ?? identity?.token { call.headers["Authorization"] = "Bearer \(token)" }
        if isSigned, let signer = identity?.signKey.flatMap({ RequestSigner($0) }) {
            let seconds = connection.clock.now.microsecondsSince1970 / 1_000_000
            call.headers["Causeboard-Signature"] = signer.signature(of: call, seconds: seconds)
        }
        return await connection.send(call)
    }
}

// MARK: - Changing the token

extension Session {
    /// Gives the device another token; the old one ends at once. The new one is kept before it is sent, so that a lost
    /// answer loses nothing.
    func rotateToken() async throws(CauseboardError) {
        guard var changed = identity else { throw .signInAgain(.neverSignedIn) }
        if changed.nextToken == nil {
            changed.nextToken = Identity.makeToken()
            try keep(changed)
        }
        if let failure = await finishRotation() { throw failure }
    }

    /// Brings a change of the token to its end, by the old token or, when that ended already, by the new one.
    /// - Returns: Nil when the device has its new token; else why not.
    private func finishRotation() async -> CauseboardError? {
        guard let identity, let next = identity.nextToken else { return .signInAgain(.neverSignedIn) }
        var failure: CauseboardError?
        for token in [identity.token, next] {
            do {
                let call = try Call("PUT", Addresses.myToken.path(), json: TokenRotation(token: next))
                let outcome = await sendOnce(call, isSigned: false, token: token)
                let reply = try Self.reply(to: outcome, as: RotatedToken.self)
                guard var changed = self.identity, changed.nextToken == next else { return nil }
                (changed.token, changed.nextToken, changed.signKey) = (next, nil, reply.signKey)
                try keep(changed)
                return nil
            } catch {
                failure = error
                guard case .signInAgain = error else { return error }
            }
        }
        return failure
    }
}
