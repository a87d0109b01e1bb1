import Concurrency
import enum Contract.ProblemName
import Credentials
import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Counts what requests take from the limits of their addresses, players and games.
final class RequestRates: Sendable {
    let limiter: RateLimiter
    let proxies: TrustedProxies
    let rankings: Rankings
    let store: Store
    let clock: ServerClock
    /// Nil if nothing checks the database's disk.
    let reserve: DiskReserve?

    init(
        limiter: RateLimiter, proxies: TrustedProxies, rankings: Rankings, store: Store, clock: ServerClock,
        reserve: DiskReserve?
    ) {
        (self.limiter, self.proxies, self.rankings, self.store) = (limiter, proxies, rankings, store)
        (self.clock, self.reserve) = (clock, reserve)
    }

    /// Counts what is refused or redirected before its route's limits are looked at, in the limits of its address
    /// alone: a head beyond its bounds, a body that is too large or late, a request that has to come encrypted.
    /// - Parameters:
    ///   - address: The client's, or the other end's where no request was made of what it sent.
    ///   - method: Nil where no request was made.
    /// - Returns: Nil when it was counted, else the 429 that answers it.
    func excess(of address: IPAddress?, _ method: HTTPRequest.Method?, on listener: ListenerRole) -> Problem? {
        guard limiter.isOn, listener == .open, let counted = address.flatMap(counted),
            let limit = RouteLimits.reads.address(method ?? .get), let wait = limiter.take(counted, of: limit)
        else { return nil }
        return limiter.refusal(limit, after: wait)
    }

    /// Counts a request that came with a wrong credential, wherever it came.
    func countedFailure(_ problem: Problem, of request: Request) -> Problem {
        guard limiter.isOn, let address = clientAddress(of: request) else { return problem }
        do throws(Problem) {
            try limiter.count(address, in: .failedCredentials)
            return problem
        } catch { return error }
    }

    /// The address that `address-*` counts; nil for event networks.
    func counted(_ address: IPAddress) -> IPAddress? { limiter.isEvent(address) ? nil : address }

    /// The client's address as limits of addresses count it; nil for event networks.
    func countedAddress(of request: Request) -> IPAddress? { clientAddress(of: request).flatMap(counted) }

    /// The address of whoever sent a request, behind the proxies that are trusted.
    func clientAddress(of request: Request) -> IPAddress? { client(of: request).address }

    /// Who sent a request. It is found once for each request, because the header of a proxy may be long.
    func client(of request: Request) -> Client { request.client ?? proxies.client(of: request) }

    /// The key by which gates count a request: its client on the public listeners, and the server itself on the admin
    /// listener. The guests of an event share an address.
    func clientKey(of request: Request) -> ClientKey {
        guard request.peer.listener == .open, let address = clientAddress(of: request) else { return .server }
        let taker = address.taker
        return ClientKey(high: taker.high, low: taker.low, isCrowd: limiter.isEvent(address))
    }
}

// MARK: - Players' limits that only a handler can count

extension RequestRates {
    /// Counts a write of a device of the classic protocol. That protocol has no credentials, so the device counts for
    /// each address by itself: nobody can use up the limit of somebody else's device.
    func count(_ device: DeviceHash, in limit: RateLimit, of request: Request) throws(Problem) {
        guard limiter.isOn else { return }
        try limiter.count(key(of: device, request), in: limit)
    }

    /// Counts the player whom a post of the classic protocol is about to make, like any other registration.
    func countRegistration(of request: Request) throws(Problem) {
        guard limiter.isOn, let address = countedAddress(of: request) else { return }
        try limiter.count(address, in: .addressRegistrations)
        do throws(Problem) { try limiter.count(address, Limits.playerRowBytes, in: .addressStoredBytes) } catch {
            limiter.giveBack(address, to: .addressRegistrations)
            throw error
        }
    }

    /// The bucket of a classic device, as the address of the request speaks for it.
    func key(of device: DeviceHash, _ request: Request) -> BucketKey {
        BucketKey(device, from: clientAddress(of: request)?.counted)
    }

    /// Whose limit a device uses up: its own, or one that all new devices of the player share. So a device that a
    /// stranger brought to the player takes nothing from the owner's.
    func spender(_ device: CallingDevice) -> BucketKey {
        device.newUntil(at: clock.now) == nil ? BucketKey(device.hash, from: nil) : BucketKey(device.player)
    }

    /// Counts what a device does, whatever becomes of it.
    func count(_ device: CallingDevice, in limit: RateLimit) throws(Problem) {
        guard limiter.isOn else { return }
        try limiter.count(spender(device), in: limit)
    }

    /// Counts what somebody does, unless it turns out to change nothing.
    /// - Parameter body: Returns its value, and whether it counts.
    func counting<Value>(_ key: BucketKey, in limit: RateLimit, _ body: () async throws -> (value: Value, counts: Bool))
        async throws -> Value
    {
        guard limiter.isOn else { return try await body().value }
        try limiter.count(key, in: limit)
        var isUsed = false
        defer { if !isUsed { limiter.giveBack(key, to: limit) } }
        let (value, counts) = try await body()
        isUsed = counts
        return value
    }

    /// Counts a post or a donation in the bucket that all devices and tokens of its player share, beside that of the
    /// token, which has been counted. That is done as soon as this process knows whose token it is, from an earlier
    /// post: nothing is asked of the database here.
    /// - Parameter game: That of a score's board; nil for a donation.
    func countPlayer(of credential: Credential, in limit: RateLimit, posting game: Slug?) throws(Problem) {
        guard limiter.isOn, case .player(let token) = credential,
            let player = rankings.findKnownPlayer(of: .token(token, claims: nil), posting: game)
        else { return }
        try count(player, beside: token, in: limit)
    }

    /// Counts what a player does beside its token, which has been counted, and need not be where the player is not.
    func count(_ player: Player.ID, beside token: TokenHash, in limit: RateLimit) throws(Problem) {
        guard limiter.isOn else { return }
        do throws(Problem) { try limiter.count(BucketKey(player), in: limit) } catch {
            limiter.giveBack(BucketKey(token), to: limit)
            throw error
        }
    }

    /// The bucket in which a rename by this token counts: see ``spender(_:)``. An unknown token has its own bucket.
    func renamer(by token: TokenHash) async throws -> BucketKey {
        try await store.findDevice(ofToken: token).map(spender) ?? BucketKey(token)
    }

    /// Registers, and counts it in `player-renames` if a known player gets another name. Only the database knows that,
    /// so it is asked first, and changes nothing then; whose renames are counted is asked for a rename alone.
    /// - Parameter caller: Whose renames are counted; nil counts none.
    /// - Throws: 429 when the name would change, and may not.
    func countingRenames(
        of caller: (() async throws -> BucketKey)?, _ registration: Registration,
        register: (Registration) async throws -> RegistrationOutcome
    ) async throws -> RegistrationOutcome {
        guard let caller, limiter.isOn, registration.name != nil else { return try await register(registration) }
        var registration = registration
        registration.renames = .refused
        let outcome = try await register(registration)
        guard case .tooManyRenames = outcome else { return outcome }
        let key = try await caller()
        try limiter.count(key, in: .playerRenames)
        registration.renames = .counted
        var isUsed = false
        defer { if !isUsed { limiter.giveBack(key, to: .playerRenames) } }
        let renamed = try await register(registration)
        if case .renamed = renamed { isUsed = true }
        return renamed
    }
}
