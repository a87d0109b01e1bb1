public import Contract
import Foundation

/// An ID token of a sign-in provider, with the nonce for which the provider made it. It is in memory only.
public struct IdentityToken: Sendable, CustomStringConvertible {
    /// The provider's slug in the game's settings, such as `apple`.
    public let provider: String
    /// What ``Causeboard/signInNonce()`` answered.
    public let nonce: String
    /// The provider's ID token, three parts with dots between them.
    public let token: String

    public init(provider: String, nonce: String, token: String) {
        (self.provider, self.nonce, self.token) = (provider, nonce, token)
    }

    /// The provider alone, so that no log has the token.
    public var description: String { "ID token of \(provider)" }
}

extension Causeboard {
    /// A nonce for a sign-in provider, which puts it into its ID token. It is good for 10 minutes, and for this device
    /// alone. The device makes its token now if it has none.
    /// - Throws: `.giveUp` with `notFound` when the game has no providers.
    public func signInNonce() async throws(CauseboardError) -> SignInNonce {
        try await session.makeIdentity()
        let outcome = await session.send(Call("POST", Addresses.signIns.path(game)), isSigned: false)
        return try Session.reply(to: outcome, as: SignInNonce.self)
    }

    /// Signs in at a provider. If a player has linked this identity, the device comes to that player, as by a code.
    /// Else the device registers, and the identity is linked to its player. The device keeps its own token, and what
    /// waits is sent as the player who it is then.
    ///
    /// Nothing of the ID token is kept, so the queue does not sign in by itself later: a call that failed may be made
    /// again. While the provider's keys cannot be had the library asks again for at most a minute.
    /// - Parameters:
    ///   - name: A new player needs one; a player who has linked the identity keeps its own.
    ///   - deviceName: What the player calls this device.
    ///   - merges: Whether this device's own player, if it has scores or donations, becomes one with the identity's.
    /// - Throws: `.giveUp` with `identityRefused` when the ID token is not good: ask for a new nonce and let the player
    ///   sign in at the provider again; with `hasHistory` when the device has a player with scores or donations and
    ///   `merges` is false: ask the player then. `.askAgain` with `issuerAway`: the same token is good until the nonce
    ///   ends.
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

    /// Links an identity to the player: devices that sign in with it come to the player.
    /// - Throws: `.giveUp` with `identityTaken` when another player has linked it, or the player another one of the
    ///   provider; with `identityRefused` as ``signIn(with:as:deviceName:merges:)``; with `deviceTooNew` if this device
    ///   joined less than 24 hours ago and another one is older.
    @discardableResult public func link(_ identity: IdentityToken) async throws(CauseboardError) -> LinkedIdentity {
        try Slug.check(identity.provider, "provider")
        let proof = IdentityProof(nonce: identity.nonce, token: identity.token)
        let call = try Call("PUT", Addresses.myIdentity.path(identity.provider), json: proof)
        return try await askingAgain { () async throws(CauseboardError) in
            try await self.session.send(call, as: LinkedIdentity.self)
        }
    }

    /// Unlinks the player's identities of a provider, for which no ID token is needed. The devices stay.
    /// - Throws: `.giveUp` with `deviceTooNew` if this device joined less than 24 hours ago and another one is older.
    public func unlink(_ provider: String) async throws(CauseboardError) {
        try Slug.check(provider, "provider")
        try await session.sendForNothing(Call("DELETE", Addresses.myIdentity.path(provider)))
    }

    /// The identities that the player has linked.
    public func identities() async throws(CauseboardError) -> [LinkedIdentity] {
        try await session.send(Call("GET", Addresses.myIdentities.path()), as: IdentityList.self).identities
    }

    /// Makes a call again while the provider's keys cannot be had, at the times that the server names.
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
