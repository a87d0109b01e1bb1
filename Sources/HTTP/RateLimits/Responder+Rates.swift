import enum Contract.ProblemName
import Credentials
import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Counts requests by caller. Over a limit a request is refused before its handler has run, so nothing is recorded and
// no id is used up.
//
// A request counts in its address's limits until the database has said that its key is good. The key is remembered
// then, and counts only in `key-requests`. So a game's server is not held up by its address, and an invented key does
// not escape it.
//
// Only the database can tell that a token or key is wrong. `failed-credentials` counts it then: beyond the limit the
// answer is 429 instead of 401, and good ones still pass. Refusing earlier would lock out everybody who shares the
// address with a guesser. Nobody can guess 256 bits, and the address's other limits bound the cost of trying. Codes are
// short, so they are counted before they are checked: see Responder+Guesses.swift.
//
// Where clients may call the admin API and the console, their requests count in their address's limits likewise, until
// the database has said that the operator's key is good. From then on they count nowhere.
extension Responder {
    /// What is known of a request that was let in.
    struct Admission {
        /// The request, with its credential read.
        var request: Request
        /// The key that no answer has confirmed yet, and where the request has been counted meanwhile.
        fileprivate var unconfirmed: (key: TokenHash, isOperators: Bool, address: IPAddress?, limit: RateLimit)?

        init(_ request: Request) { self.request = request }
    }

    /// Counts a request in the limits of its route. What comes to the admin listener counts nowhere.
    /// - Throws: 429 when the request is over one of them.
    func admit(_ request: Request, to limits: RouteLimits) async throws(Problem) -> Admission {
        var admission = Admission(request)
        guard rates.isOn, request.peer.listener == .open, let limit = limits.address(request.method) else {
            return admission
        }
        let credential = request.headers[.authorization].flatMap { Credential(authorization: $0) }
        admission.request.credential = credential
        let operatorsKey = operatorsKey(of: request, credential, limits.operators)
        if let operatorsKey, rates.isKnown(operatorsKey) { return admission }
        if case .game(let key)? = credential, rates.isKnown(key) {
            try rates.count(BucketKey(key), in: .keyRequests)
            return admission
        }
        let address = clientAddress(of: request)
        let counted = address.flatMap(counted)
        if let counted, let wait = rates.take(counted, of: limit) {
            let refusal = rates.refusal(limit, after: wait)
            guard let address else { throw refusal }
            if let operatorsKey {
                let isGood = await isGood(operatorsKey, from: address) { key in try await usedAdminKey(key) != nil }
                if isGood { return admission }
            } else if case .game(let key)? = credential {
                let isGood = await isGood(key, from: address) { key in
                    try await store.findGame(ofKey: key, now: clock.now) != nil
                }
                if isGood {
                    try rates.count(BucketKey(key), in: .keyRequests)
                    return admission
                }
            }
            throw refusal
        }
        if let operatorsKey {
            admission.unconfirmed = (operatorsKey, isOperators: true, counted, limit)
            return admission
        }
        switch credential {
        case .player(let token)?:
            if let limit = limits.player(request.method) { try rates.count(BucketKey(token), in: limit) }
        case .game(let key)?: if limits.takesKeys { admission.unconfirmed = (key, isOperators: false, counted, limit) }
        case .admin?, nil: break
        }
        return admission
    }

    /// The operator's key that a request says it has: by its token, or by its session of the console.
    private func operatorsKey(of request: Request, _ credential: Credential?, _ carrier: RouteLimits.KeyCarrier?)
        -> TokenHash?
    {
        switch carrier {
        case .token: if case .admin(let key)? = credential { key } else { nil }
        case .session: consoleSeal(request)?.key
        case nil: nil
        }
    }

    /// Counts what is refused or redirected before its route's limits are looked at, in the limits of its address
    /// alone: a head beyond its bounds, a body that is too large or late, a request that has to come encrypted.
    /// - Parameters:
    ///   - address: The client's, or the other end's where no request was made of what it sent.
    ///   - method: Nil where no request was made.
    /// - Returns: Nil when it was counted, else the 429 that answers it.
    func excess(of address: IPAddress?, _ method: HTTPRequest.Method?, on listener: ListenerRole) -> Problem? {
        guard rates.isOn, listener == .open, let counted = address.flatMap(counted),
            let limit = RouteLimits.reads.address(method ?? .get), let wait = rates.take(counted, of: limit)
        else { return nil }
        return rates.refusal(limit, after: wait)
    }

    /// Remembers the key of a request that has succeeded, which the database must have accepted. The request counts in
    /// `key-requests` after all, or nowhere for an operator, and not in its address's limit.
    func confirm(_ admission: Admission, by response: Response) {
        guard let (key, isOperators, address, limit) = admission.unconfirmed, admission.request.method != .options,
            response.status.kind == .successful || isOperators && response.status.kind == .redirection
        else { return }
        rates.remember(key)
        if let address { rates.giveBack(address, to: limit) }
        if !isOperators { _ = rates.take(BucketKey(key), of: .keyRequests) }
    }

    /// Counts a wrong token or key.
    /// - Returns: The problem as it is, or 429 in its place when the address has sent too many.
    func counted(_ problem: Problem, of request: Request) -> Problem {
        guard rates.isOn else { return problem }
        guard problem.name == .unauthorized else { return problem }
        if let session = consoleSeal(request) { rates.forget(session.key) }
        let header = request.headers[.authorization]
        guard let credential = header.flatMap({ Credential(authorization: $0) }) else { return problem }
        switch credential {
        case .game(let key), .admin(let key): rates.forget(key)
        case .player: break
        }
        return countedFailure(problem, of: request)
    }

    /// Counts a request that came with a wrong credential, wherever it came.
    func countedFailure(_ problem: Problem, of request: Request) -> Problem {
        guard rates.isOn, let address = clientAddress(of: request) else { return problem }
        do throws(Problem) {
            try rates.count(address, in: .failedCredentials)
            return problem
        } catch { return error }
    }

    /// Asks the database for a key that is not known yet, because its address is over a limit. The question is taken
    /// from `failed-credentials` until the key has proved good, so an address cannot ask many times with invented ones.
    /// - Parameter find: Whether the database knows the key.
    private func isGood(_ key: TokenHash, from address: IPAddress, find: (TokenHash) async throws -> Bool) async -> Bool
    {
        guard rates.take(address, of: .failedCredentials) == nil else { return false }
        do {
            guard try await find(key) else { return false }
            rates.remember(key)
            rates.giveBack(address, to: .failedCredentials)
            return true
        } catch {
            rates.giveBack(address, to: .failedCredentials)
            return false
        }
    }

    /// The address that `address-*` counts; nil for event networks.
    func counted(_ address: IPAddress) -> IPAddress? { rates.isEvent(address) ? nil : address }

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
        return ClientKey(high: taker.high, low: taker.low, isCrowd: rates.isEvent(address))
    }
}

// MARK: - Players' limits that only a handler can count

extension Responder {
    /// Counts a write of a device of the classic protocol. That protocol has no credentials, so the device counts for
    /// each address by itself: nobody can use up the limit of somebody else's device.
    func count(_ device: DeviceHash, in limit: RateLimit, of request: Request) throws(Problem) {
        guard rates.isOn else { return }
        try rates.count(key(of: device, request), in: limit)
    }

    /// Counts the player whom a post of the classic protocol is about to make, like any other registration.
    func countRegistration(of request: Request) throws(Problem) {
        guard rates.isOn, let address = countedAddress(of: request) else { return }
        try rates.count(address, in: .addressRegistrations)
        do throws(Problem) { try rates.count(address, Limits.playerRowBytes, in: .addressStoredBytes) } catch {
            rates.giveBack(address, to: .addressRegistrations)
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

    /// Counts what somebody does, unless it turns out to change nothing.
    /// - Parameter body: Returns its value, and whether it counts.
    func counting<Value>(_ key: BucketKey, in limit: RateLimit, _ body: () async throws -> (value: Value, counts: Bool))
        async throws -> Value
    {
        guard rates.isOn else { return try await body().value }
        try rates.count(key, in: limit)
        var isUsed = false
        defer { if !isUsed { rates.giveBack(key, to: limit) } }
        let (value, counts) = try await body()
        isUsed = counts
        return value
    }

    /// Counts a post or a donation in the bucket that all devices and tokens of its player share, beside that of the
    /// token, which has been counted. That is done as soon as this process knows whose token it is, from an earlier
    /// post: nothing is asked of the database here.
    /// - Parameter game: That of a score's board; nil for a donation.
    func countPlayer(of credential: Credential, in limit: RateLimit, posting game: Slug?) throws(Problem) {
        guard rates.isOn, case .player(let token) = credential,
            let player = rankings.findKnownPlayer(of: .token(token, claims: nil), posting: game)
        else { return }
        try count(player, beside: token, in: limit)
    }

    /// Counts what a player does beside its token, which has been counted, and need not be where the player is not.
    func count(_ player: Player.ID, beside token: TokenHash, in limit: RateLimit) throws(Problem) {
        guard rates.isOn else { return }
        do throws(Problem) { try rates.count(BucketKey(player), in: limit) } catch {
            rates.giveBack(BucketKey(token), to: limit)
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
        guard let caller, rates.isOn, registration.name != nil else { return try await register(registration) }
        var registration = registration
        registration.renames = .refused
        let outcome = try await register(registration)
        guard case .tooManyRenames = outcome else { return outcome }
        let key = try await caller()
        try rates.count(key, in: .playerRenames)
        registration.renames = .counted
        var isUsed = false
        defer { if !isUsed { rates.giveBack(key, to: .playerRenames) } }
        let renamed = try await register(registration)
        if case .renamed = renamed { isUsed = true }
        return renamed
    }
}
