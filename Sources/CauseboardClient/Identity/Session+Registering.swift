import Contract
import Foundation

// Registering, and the player's name. A name goes to the server when the player has asked for it here, and never
// because the device remembers it: the player may have another by now, given on another device or by an operator.
extension Session {
    /// Whether signing in under a name asks for another name than this device signed in under before.
    func isNew(_ name: String) -> Bool {
        guard let identity, identity.player != nil, identity.pendingName == nil else { return true }
        return name != identity.askedName ?? identity.name
    }

    /// Registers this device, or changes what the server knows of its player. The token is kept before it is sent.
    func register(_ registration: DeviceRegistration) async throws(CauseboardError) -> Player {
        // The joined player may not be this device's own, so the queue must not register under the name.
        let isComing = registration.code != nil || registration.identity != nil
        if isComing {
            try makeIdentity()
        } else if let name = registration.name {
            // The queue registers by this name when this call does not get through.
            var changed = identity ?? Identity(name: name)
            (changed.name, changed.pendingName) = (name, name)
            try keep(changed)
        } else if identity == nil {
            throw .signInAgain(.neverSignedIn)
        }
        switch try await sendRegistration(registration) {
        case (_, let player?): return player
        case (.answer(let answer), nil):
            if let name = registration.name, !isComing { try note(answer, on: name) }
            throw CauseboardError(answer, now: Date())
        case (.silence, nil):
            isRegistered = false
            throw .askAgain(after: nil, .unreachable)
        }
    }

    /// Registers once in the life of this object, as the queue does before it sends, and sends a name that waits. What
    /// is wrong with a name keeps a player who is known from nothing: ``takeNameRefusal()`` tells of it.
    /// - Returns: Nil when the server knows the device; else what it said, as it is.
    func ensureRegistered() async throws(CauseboardError) -> Outcome? {
        let waiting = nameToSend
        if isRegistered || isPutOff, waiting == nil { return nil }
        guard let identity, !identity.name.isEmpty || identity.player != nil else { throw .signInAgain(.neverSignedIn) }
        let name = identity.player == nil ? identity.name : waiting
        var sent = try await sendRegistration(DeviceRegistration(name: name))
        if identity.player != nil, let name, case .answer(let answer) = sent.outcome, isAbout(answer),
            sent.player == nil
        {
            try note(answer, on: name)
            switch CauseboardError(answer, now: Date()) {
            case .chooseAnotherName(let sentence): nameRefusal = sentence
            case .giveUp(let refusal): nameRefusal = refusal.sentence
            default: break
            }
            if isRegistered { return nil }
            sent = try await sendRegistration(DeviceRegistration())
        }
        if sent.player != nil { return nil }
        // A player who is known plays on where registrations are limited, or fail.
        guard identity.player != nil, case .answer(let answer) = sent.outcome, answer.problem != nil,
            answer.status == 429 || answer.status == 500
        else { return sent.outcome }
        registerNotBefore = connection.clock.time(after: answer.retryAfter)
        return nil
    }

    /// Registers without anything new, for the key by which the server checks signatures now.
    /// - Returns: Nil when it has come; else what the server said.
    func renewSignKey() async throws(CauseboardError) -> Outcome? {
        let sent = try await sendRegistration(DeviceRegistration())
        return sent.player == nil ? sent.outcome : nil
    }

    /// Why the server refused a name that the queue sent; each refusal is told once.
    func takeNameRefusal() -> String? {
        defer { nameRefusal = nil }
        return nameRefusal
    }

    /// Keeps what the server tells of the player.
    /// - Parameters:
    ///   - device: Who asked: what is about a player who signed out meanwhile is not kept.
    ///   - renamed: The name that was asked for with it, if one was.
    func know(_ profile: Profile, of device: String?, renamed: String? = nil) throws(CauseboardError) {
        guard var changed = identity, changed.device == device else { return }
        changed.player = Player(id: profile.id, name: profile.shownName ?? profile.name, avatar: profile.avatar)
        if let renamed { (changed.askedName, changed.pendingName) = (renamed, nil) }
        if changed.pendingName == nil { changed.name = profile.name }
        try keep(changed)
    }
}

extension Session {
    /// Whether a player who is known does without registering now.
    private var isPutOff: Bool {
        guard identity?.player != nil, let registerNotBefore else { return false }
        return connection.clock.now < registerNotBefore
    }

    /// A name that the player asked for and that may be sent now.
    private var nameToSend: String? {
        if let renameNotBefore, connection.clock.now < renameNotBefore { return nil }
        return identity?.pendingName
    }

    /// Sends one registration after the other, in the order of the calls.
    /// - Returns: The player when the answer is a registration.
    private func sendRegistration(_ registration: DeviceRegistration) async throws(CauseboardError) -> (
        outcome: Outcome, player: Player?
    ) {
        if isRegistering {
            await withCheckedContinuation { registrationTurns.append($0) }
        } else {
            isRegistering = true
        }
        defer {
            if registrationTurns.isEmpty { isRegistering = false } else { registrationTurns.removeFirst().resume() }
        }
        guard var device = identity?.device else { throw .signInAgain(.neverSignedIn) }
        var registration = registration
        var outcome = await send(
            try Call("PUT", Addresses.device.path(game, device), json: registration), isSigned: false)
        if case .answer(let answer) = outcome, answer.problem?.name == .labelTaken, var changed = identity,
            changed.device == device, changed.player == nil
        {
            // Another device has the label, such as one whose files were copied here. A new one is nobody's.
            device = Identity.makeLabel()
            changed.device = device
            try keep(changed)
            outcome = await send(
                try Call("PUT", Addresses.device.path(game, device), json: registration), isSigned: false)
        }
        if registration.name == nil, registration.code == nil, case .answer(let answer) = outcome,
            answer.problem?.name == .field, answer.problem?.field == DeviceRegistration.CodingKeys.name.rawValue,
            let identity, identity.device == device, !identity.name.isEmpty
        {
            // The server does not know the device any more, and makes a player anew.
            registration.name = identity.name
            outcome = await send(
                try Call("PUT", Addresses.device.path(game, device), json: registration), isSigned: false)
        }
        guard case .answer(let answer) = outcome else { return (outcome, nil) }
        return (outcome, try accept(answer, registration, of: device))
    }

    /// - Returns: Nil when the answer is no registration, or is about somebody who has signed out.
    private func accept(_ answer: Answer, _ registration: DeviceRegistration, of device: String) throws(CauseboardError)
        -> Player?
    {
        guard let reply = answer.decoded(as: Registered.self), var changed = identity, changed.device == device else {
            return nil
        }
        if registration.identity != nil {
            // The device may have joined a player with another name than the requested one.
            (changed.name, changed.pendingName) = (reply.player.name, nil)
            changed.askedName = registration.name ?? changed.askedName
        } else if let name = registration.name {
            changed.askedName = name
            if changed.pendingName == name || changed.pendingName == nil {
                (changed.name, changed.pendingName) = (name, nil)
            }
        } else if changed.pendingName == nil, reply.player.name != changed.player?.name || changed.name.isEmpty {
            // While a name waits for approval the server says the former one, which is no news.
            changed.name = reply.player.name
        }
        changed.askedName = changed.askedName ?? changed.name
        changed.player = reply.player
        changed.signKey = reply.signKey ?? changed.signKey
        try keep(changed)
        isRegistered = true
        return reply.player
    }

    /// Whether an answer to a registration with a name may be about the name: without it the player may get through.
    private func isAbout(_ answer: Answer) -> Bool {
        guard answer.problem != nil else { return false }
        return switch CauseboardError(answer, now: Date()) {
        case .chooseAnotherName, .giveUp, .askAgain(_, .rateLimited): true
        default: answer.status == 500
        }
    }

    /// A player who asked for a name that was refused still has the one before. One that was put off is sent later.
    private func note(_ answer: Answer, on name: String) throws(CauseboardError) {
        guard var changed = identity, changed.pendingName == name, let player = changed.player, isAbout(answer) else {
            return
        }
        if case .askAgain = CauseboardError(answer, now: Date()) {
            renameNotBefore = connection.clock.time(after: answer.retryAfter)
        } else {
            (changed.name, changed.pendingName) = (player.name, nil)
            try keep(changed)
        }
    }
}
