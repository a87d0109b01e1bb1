public import Contract
public import Foundation

extension Causeboard {
    /// Signs in under a name. The first time the device makes a token of its own, and the server a player; afterwards
    /// it is the same player, under this name from now on. What waits is sent then.
    ///
    /// The name by which this device signed in before is no new name, so that it may be called at each start: a player
    /// who was renamed meanwhile, on another device or by an operator, stays so. ``rename(to:)`` always is a new name.
    /// - Throws: `.chooseAnotherName`; `.askAgain` when the server cannot be reached: the name is kept, and the queue
    ///   registers by it before it sends the next post.
    @discardableResult public func signIn(as name: String) async throws(CauseboardError) -> Player {
        let isNew = await session.isNew(name)
        return try await enter(DeviceRegistration(name: isNew ? name : nil))
    }

    /// Gives the player another name.
    /// - Throws: As ``signIn(as:)``; a name that did not get through is sent by the queue.
    @discardableResult public func rename(to name: String) async throws(CauseboardError) -> Player {
        try await enter(DeviceRegistration(name: name))
    }

    /// Registers, and lets the queue and the stream go on as whoever the device is then.
    func enter(_ registration: DeviceRegistration) async throws(CauseboardError) -> Player {
        do {
            let player = try await session.register(registration)
            await outbox.resume()
            await live.restart()
            return player
        } catch {
            // The queue may have stopped because nobody had signed in. Somebody has now, and it registers by itself.
            if case .askAgain = error, registration.identity == nil {
                await outbox.resume()
                await live.restart()
            }
            throw error
        }
    }

    /// Whether what the device kept of its player was damaged when this object was made. It was put aside, and nobody
    /// is signed in: let the player join by a code, or sign in anew.
    public var wasIdentityDamaged: Bool { session.wasDamaged }

    /// The player whom the server knows this device for; nil before the first answer.
    public var player: Player? { get async { await session.player } }

    /// Makes this device forget who it is. Without a recovery code or another device the player is lost for good. What
    /// waits in the queue stays there for whoever signs in next, so let it be sent before. Saves are the player's and
    /// are taken off the device, so that they do not become the next player's: sync them before.
    public func signOut() async throws(CauseboardError) {
        try SealedFile.forgetAll(in: storage.saves, storage.secrets)
        try await session.signOut()
        await live.restart()
    }

    /// The player with what it earned, donated, and can donate.
    public func profile() async throws(CauseboardError) -> Profile {
        let device = await session.identity?.device
        let profile = try await session.send(Call("GET", Addresses.me.path()), as: Profile.self)
        try await session.know(profile, of: device)
        return profile
    }

    /// Changes the player; what is nil in `change` stays as it is.
    @discardableResult public func changeProfile(_ change: ProfileChange) async throws(CauseboardError) -> Profile {
        let call = try Call("PATCH", Addresses.me.path(), json: change)
        let device = await session.identity?.device
        let profile = try await session.send(call, as: Profile.self)
        try await session.know(profile, of: device, renamed: change.name)
        return profile
    }

    /// Gives the player a picture. Where the system can, it is made 40x40 on the device.
    /// - Parameter image: A PNG or JPEG, and on Apple's systems any image that they can read.
    /// - Throws: `.giveUp` with `field` when the picture cannot be used.
    @discardableResult public func setPicture(_ image: Data) async throws(CauseboardError) -> Profile {
        var change = ProfileChange()
        change.image = try Picture.prepared(image).base64EncodedString()
        return try await changeProfile(change)
    }

    /// Takes the player's picture away.
    @discardableResult public func removePicture() async throws(CauseboardError) -> Profile {
        var change = ProfileChange()
        change.image = ""
        return try await changeProfile(change)
    }

    /// Shows the flag of a country or region beside the player's name, to everybody.
    /// - Parameter flag: `DE` or, of a region, `DE-BE` (ISO 3166); nil shows none.
    /// - Throws: `.giveUp` with `flagFixed` when the player chose its flag less than 30 days ago: the refusal says in
    ///   `againAt` when it may choose another one. With `field` when there is no such flag, or the game has none.
    @discardableResult public func setFlag(_ flag: String?) async throws(CauseboardError) -> Profile {
        var change = ProfileChange()
        change.flag = flag ?? ""
        return try await changeProfile(change)
    }

    /// The picture at a row's or a player's `avatar`, as a PNG of 40x40.
    public func picture(at avatar: String) async throws(CauseboardError) -> Data {
        // With --public-url set the server sends whole URLs; only the path matters here.
        guard let path = URL(string: avatar)?.path, path.hasPrefix("/v1/avatars/") else {
            throw .giveUp(.malformed, "This is no address of a picture.")
        }
        switch await session.connection.send(Call("GET", path)) {
        case .silence: throw .askAgain(after: nil, .unreachable)
        case .answer(let answer):
            guard answer.isSuccess, Picture.isPNG(answer.body) else { throw CauseboardError(answer, now: Date()) }
            return answer.body
        }
    }

    /// The player's own scores, newest first.
    /// - Parameters:
    ///   - limit: 1 to 100 rows.
    ///   - cursor: The `next` of the page before; nil for the first.
    public func scores(limit: Int = 50, after cursor: String? = nil) async throws(CauseboardError) -> HistoryPage<
        PastScore
    > { try await history(Addresses.myScores, limit, cursor) }

    /// The player's own donations, newest first.
    /// - Parameters:
    ///   - limit: 1 to 100 rows.
    ///   - cursor: The `next` of the page before; nil for the first.
    public func donations(limit: Int = 50, after cursor: String? = nil) async throws(CauseboardError) -> HistoryPage<
        PastDonation
    > { try await history(Addresses.myDonations, limit, cursor) }

    private func history<Row: Codable & Sendable & Hashable>(_ address: Address, _ limit: Int, _ cursor: String?)
        async throws(CauseboardError) -> HistoryPage<Row>
    {
        let call = Call(address.path(), query: [("limit", String(limit)), ("after", cursor)])
        return try await session.send(call, as: HistoryPage<Row>.self)
    }
}
