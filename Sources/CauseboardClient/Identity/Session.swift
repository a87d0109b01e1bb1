import Contract
import Foundation

/// The player of this device towards the server: registers, sends the token, signs, and follows a change of the token.
actor Session {
    private static let secretName = "identity"

    let connection: Connection
    private let secrets: any SecretStore
    private let game: String
    private(set) var identity: Identity?
    /// Whether the server has answered a registration since this object was made.
    private var isRegistered = false

    init(
        _ connection: Connection,
        _ secrets: any SecretStore,
        game: String
    ) throws(CauseboardError) {
        (self.connection, self.secrets, self.game) = (connection, secrets, game)
        guard let kept = try secrets.read(Self.secretName) else { return }
        guard let identity = try? JSONDecoder().decode(Identity.self, from: kept) else {
            throw .storage("the identity of this device cannot be read")
        }
        self.identity = identity
    }

    var player: Player? { identity?.player }

    private func keep(_ changed: Identity) throws(CauseboardError) {
        try secrets.write(try JSONText.encode(changed), Self.secretName)
        identity = changed
    }

    /// Forgets who this device is. Its token is gone for good.
    func signOut() throws(CauseboardError) {
        try secrets.remove(Self.secretName)
        (identity, isRegistered) = (nil, false)
    }
}

// MARK: - Registering

extension Session {
    /// Registers this device, or changes what the server knows of its player. The token is kept before it is sent.
    func register(_ registration: DeviceRegistration) async throws(CauseboardError) -> Player {
        var registration = registration
        if let name = registration.name {
            // The queue registers by this name when this call does not get through.
            var changed = identity ?? Identity(name: name)
            changed.name = name
            if changed != identity { try keep(changed) }
        } else {
            registration.name = registration.code == nil ? identity?.name : nil
            if identity == nil {
                guard registration.code != nil else { throw .signInAgain(.neverSignedIn) }
                try keep(Identity(name: ""))
            }
        }
        switch try await sendRegistration(registration) {
        case .answer(let answer):
            if let player = try accept(answer, name: registration.name) { return player }
            let error = CauseboardError(answer, now: Date())
            if case .chooseAnotherName = error { try takeNameBack() }
            throw error
        case .silence:
            isRegistered = false
            throw .askAgain(after: nil, .unreachable)
        }
    }

    /// A player who asked for a name that was refused still has the one before.
    private func takeNameBack() throws(CauseboardError) {
        guard var changed = identity, let name = changed.player?.name, name != changed.name else { return }
        changed.name = name
        try keep(changed)
    }

    /// Registers once in the life of this object, as the queue does before it sends. 401, 403 and 422 come back as
    /// they are.
    /// - Returns: Nil when the server knows the device.
    func ensureRegistered() async throws(CauseboardError) -> Outcome? {
        if isRegistered { return nil }
        guard let identity, !identity.name.isEmpty || identity.player != nil else {
            throw .signInAgain(.neverSignedIn)
        }
        let outcome = try await sendRegistration(DeviceRegistration(name: identity.name.isEmpty ? nil : identity.name))
        if case .answer(let answer) = outcome, try accept(answer, name: nil) != nil { return nil }
        return outcome
    }

    private func sendRegistration(_ registration: DeviceRegistration) async throws(CauseboardError) -> Outcome {
        guard let device = identity?.device else { throw .signInAgain(.neverSignedIn) }
        return await send(try Call("PUT", Addresses.device.path(game, device), json: registration), isSigned: false)
    }

    /// - Returns: Nil when the answer is no registration.
    private func accept(_ answer: Answer, name: String?) throws(CauseboardError) -> Player? {
        guard let reply = answer.decoded(as: Registered.self), var changed = identity else { return nil }
        changed.player = reply.player
        changed.signKey = reply.signKey ?? changed.signKey
        changed.name = name ?? reply.player.name
        if changed != identity { try keep(changed) }
        isRegistered = true
        return reply.player
    }

    /// Keeps the name that the server tells of the player.
    func know(_ profile: Profile) throws(CauseboardError) {
        guard var changed = identity else { return }
        changed.player = Player(id: profile.id, name: profile.name, avatar: profile.avatar)
        changed.name = profile.name
        if changed != identity { try keep(changed) }
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
        guard case .answer(let answer) = outcome, answer.status == 401 || answer.status == 410,
            answer.problem?.name != .clockSkew
        else { return outcome }
        if answer.problem?.name == .badSignature {
            // The next registration brings the key that the server knows.
            isRegistered = false
            return outcome
        }
        if identity?.token == usedToken {
            guard identity?.nextToken != nil, await finishRotation() == nil else { return outcome }
        }
        return await sendOnce(call, isSigned: isSigned)
    }

    /// Reads or writes what is answered with `Reply`.
    func send<Reply: Decodable & Sendable>(
        _ call: Call,
        as type: Reply.Type,
        isSigned: Bool = false
    ) async throws(CauseboardError) -> Reply {
        guard identity != nil else { throw .signInAgain(.neverSignedIn) }
        let outcome = await send(call, isSigned: isSigned)
        return try Self.reply(to: outcome, as: type)
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
