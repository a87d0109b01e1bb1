public import Contract
import Foundation

/// A sign-in provider's ID token, with the nonce that it contains. It is kept in memory only.
public struct IdentityToken: Sendable, CustomStringConvertible {
    /// The provider's slug in the game's settings, such as `apple`.
    public let provider: String
    /// The nonce that ``Causeboard/signInNonce()`` returned.
    public let nonce: String
    /// The provider's ID token: three parts separated by dots.
    public let token: String

    public init(provider: String, nonce: String, token: String) {
        (self.provider, self.nonce, self.token) = (provider, nonce, token)
    }

    /// Names only the provider, so that logs never contain the token.
    public var description: String { "ID token of \(provider)" }
}

extension Causeboard {
    /// Requests a nonce for the provider's ID token. It is valid for 10 minutes, and for this device only. The device
    /// makes its token now if it has none.
    /// - Throws: `.giveUp` with `notFound` when the game has no providers.
    public func signInNonce() async throws(CauseboardError) -> SignInNonce {
        try await session.makeIdentity()
        let outcome = await session.send(Call("POST", Addresses.signIns.path(game)), isSigned: false)
        return try Session.reply(to: outcome, as: SignInNonce.self)
    }

    /// Signs in with an ID token. If a player has linked this identity, the device joins that player, as with a code.
    /// Otherwise the device registers, and the identity is linked to its player. The device keeps its token, and the
    /// queue is sent as the player whom the device then has.
    ///
    /// The ID token is not stored, so the queue never repeats a sign-in: after a failure, call this again. While the
    /// server cannot fetch the provider's keys, the library retries for at most a minute.
    /// - Parameters:
    ///   - identity: The provider's ID token, with the nonce that it names.
    ///   - name: For a new player. A player who has linked the identity keeps its name.
    ///   - deviceName: What the player calls this device.
    ///   - merges: Whether to merge this device's own player, if it has scores, donations or saves, into the
    ///     identity's player.
    /// - Throws: `.giveUp` with `identityRefused` when the server does not accept the ID token: request a new nonce and
    ///   let the player sign in at the provider again. `.giveUp` with `hasHistory` when the device's own player has
    ///   scores, donations or saves and `merges` is false: ask the player. `.askAgain` with `issuerAway`: the same
    ///   token works until the nonce expires.
    @discardableResult public func signIn(
        with identity: IdentityToken, as name: String? = nil, deviceName: String? = nil, merges: Bool = false
    ) async throws(CauseboardError) -> Player {
        try Slug.check(identity.provider, "provider")
        var registration = DeviceRegistration()
        if let name, await session.isNew(name) { registration.name = name }
        registration.deviceName = deviceName
        registration.identity = IdentityProof(provider: identity.provider, nonce: identity.nonce, token: identity.token)
        registration.merge = merges ? true : nil
        return try await askingAgain { () async throws(CauseboardError) in try await self.enter(registration) }
    }

    /// Links an identity to the player: devices that sign in with it join the player.
    /// - Throws: `.giveUp` with `identityTaken` when another player has linked it, or this player has linked another
    ///   one of the provider; with `identityRefused` as ``signIn(with:as:deviceName:merges:)``; with `deviceTooNew` if
    ///   this device joined less than 24 hours ago and another one is older.
    @discardableResult public func link(_ identity: IdentityToken) async throws(CauseboardError) -> LinkedIdentity {
        try Slug.check(identity.provider, "provider")
        let proof = IdentityProof(nonce: identity.nonce, token: identity.token)
        let call = try Call("PUT", Addresses.myIdentity.path(identity.provider), json: proof)
        return try await askingAgain { () async throws(CauseboardError) in
            try await self.session.send(call, as: LinkedIdentity.self)
        }
    }

    /// Unlinks the player's identities of a provider. It needs no ID token. The devices stay.
    /// - Throws: `.giveUp` with `deviceTooNew` if this device joined less than 24 hours ago and another one is older.
    public func unlink(_ provider: String) async throws(CauseboardError) {
        try Slug.check(provider, "provider")
        try await session.sendForNothing(Call("DELETE", Addresses.myIdentity.path(provider)))
    }

    /// The player's linked identities.
    public func identities() async throws(CauseboardError) -> [LinkedIdentity] {
        try await session.send(Call("GET", Addresses.myIdentities.path()), as: IdentityList.self).identities
    }

    /// Retries a call while the server cannot fetch the provider's keys, at the times that the server names.
    private func askingAgain<Reply>(_ call: () async throws(CauseboardError) -> Reply) async throws(CauseboardError)
        -> Reply
    {
        for _ in 1..<Limits.identityAttemptsMax {
            do throws(CauseboardError) { return try await call() } catch {
                guard case .askAgain(let after, .issuerAway) = error else { throw error }
                let wait = after.map { Duration.seconds(max($0.timeIntervalSinceNow, 1)) } ?? Limits.issuerPause
                guard wait <= Limits.issuerWaitMax, (try? await clock.sleep(clock.now() + wait)) != nil else {
                    throw error
                }
            }
        }
        return try await call()
    }
}
