import enum Contract.ProblemName
import Credentials
import Domain
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
// A wrong token, key or code is known as such only by the database's answer, and `failed-credentials` counts it there:
// beyond the limit the answer is 429 in place of 401 or 422. A good one has passed by then. Refusing earlier would shut
// out everybody who shares the address with somebody who guesses; what the guesses cost is bounded by the address's
// other limits.
extension Responder {
    /// What is known of a request that was let in.
    struct Admission {
        /// The request, with its credential read.
        var request: Request
        /// The key that no answer has confirmed yet, and where the request has been counted meanwhile.
        fileprivate var unconfirmed: (key: TokenHash, address: BucketKey?, limit: RateLimit)?

        init(_ request: Request) {
            self.request = request
        }
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
        if case .game(let key)? = credential, rates.isKnown(key) {
            try rates.count(BucketKey(key), in: .keyRequests)
            return admission
        }
        let address = clientAddress(of: request)
        let counted = address.flatMap(bucketKey)
        if let counted, let wait = rates.take(counted, of: limit) {
            guard case .game(let key)? = credential, let address, await isGood(key, from: address) else {
                throw rates.refusal(limit, after: wait)
            }
            try rates.count(BucketKey(key), in: .keyRequests)
            return admission
        }
        switch credential {
        case .player(let token)?:
            if let limit = limits.player(request.method) { try rates.count(BucketKey(token), in: limit) }
        case .game(let key)?:
            if limits.takesKeys { admission.unconfirmed = (key, counted, limit) }
        case .admin?, nil: break
        }
        return admission
    }

    /// Counts what is refused or redirected before its route's limits are looked at, in the limits of its address
    /// alone: a head beyond its bounds, a body that is too large or late, a request that has to come encrypted.
    /// - Parameters:
    ///   - address: The client's, or the other end's where no request was made of what it sent.
    ///   - method: Nil where no request was made.
    /// - Returns: Nil when it was counted, else the 429 that answers it.
    func excess(of address: IPAddress?, _ method: HTTPRequest.Method?, on listener: ListenerRole) -> Problem? {
        guard rates.isOn, listener == .open, let key = address.flatMap(bucketKey),
            let limit = RouteLimits.reads.address(method ?? .get), let wait = rates.take(key, of: limit)
        else { return nil }
        return rates.refusal(limit, after: wait)
    }

    /// Remembers the key of a request that has succeeded, which the database must have accepted. The request counts in
    /// `key-requests` after all, and not in its address's limit.
    func confirm(_ admission: Admission, by response: Response) {
        guard let (key, address, limit) = admission.unconfirmed, response.status.kind == .successful,
            admission.request.method != .options
        else { return }
        rates.remember(key)
        if let address { rates.giveBack(address, to: limit) }
        _ = rates.take(BucketKey(key), of: .keyRequests)
    }

    /// Counts a wrong token, key or code.
    /// - Returns: The problem as it is, or 429 in its place when the address has sent too many.
    func counted(_ problem: Problem, of request: Request) -> Problem {
        guard rates.isOn else { return problem }
        switch problem.name {
        case .codeRefused: break
        case .unauthorized:
            let header = request.headers[.authorization]
            guard let credential = header.flatMap({ Credential(authorization: $0) }) else { return problem }
            if case .game(let key) = credential { rates.forget(key) }
        default: return problem
        }
        return countedFailure(problem, of: request)
    }

    /// Counts a request that came with a wrong credential, wherever it came.
    func countedFailure(_ problem: Problem, of request: Request) -> Problem {
        guard rates.isOn, let address = clientAddress(of: request) else { return problem }
        do throws(Problem) {
            try rates.count(BucketKey(address.counted), in: .failedCredentials)
            return problem
        } catch {
            return error
        }
    }

    /// Asks the database for a key that is not known yet, because its address is over a limit. The question is taken
    /// from `failed-credentials` until the key has proved good, so an address cannot ask many times with invented ones.
    private func isGood(_ key: TokenHash, from address: IPAddress) async -> Bool {
        let address = BucketKey(address.counted)
        guard rates.take(address, of: .failedCredentials) == nil else { return false }
        do {
            guard try await store.findGame(ofKey: key, now: clock.now) != nil else { return false }
            rates.remember(key)
            rates.giveBack(address, to: .failedCredentials)
            return true
        } catch {
            rates.giveBack(address, to: .failedCredentials)
            return false
        }
    }

    /// The bucket of an address; nil in the networks of events, which `address-*` does not count.
    private func bucketKey(_ address: IPAddress) -> BucketKey? {
        rates.isEvent(address) ? nil : BucketKey(address.counted)
    }

    /// The address of whoever sent a request, behind the proxies that are trusted.
    func clientAddress(of request: Request) -> IPAddress? { proxies.client(of: request).address }
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
        guard rates.isOn, let key = clientAddress(of: request).flatMap(bucketKey) else { return }
        try rates.count(key, in: .addressRegistrations)
    }

    /// The bucket of a classic device, as the address of the request speaks for it.
    func key(of device: DeviceHash, _ request: Request) -> BucketKey {
        BucketKey(device, from: clientAddress(of: request)?.counted)
    }

    /// Counts what a player does, with any of its devices and tokens, unless it turns out to change nothing.
    /// - Parameter body: Returns its value, and whether it counts.
    func counting<Value>(
        _ player: Player.ID,
        in limit: RateLimit,
        _ body: () async throws -> (value: Value, counts: Bool)
    ) async throws -> Value {
        guard rates.isOn else { return try await body().value }
        let key = BucketKey(player)
        try rates.count(key, in: limit)
        var isUsed = false
        defer { if !isUsed { rates.giveBack(key, to: limit) } }
        let (value, counts) = try await body()
        isUsed = counts
        return value
    }

    /// Registers, and counts it in `player-renames` if a known player gets another name. Only the database knows that,
    /// so a rename is taken in advance and given back when there was none; a player who has none left registers under
    /// the same name as before.
    /// - Parameter caller: Whose renames are counted; nil counts none.
    /// - Throws: 429 when the name would change, and may not.
    func countingRenames(
        of caller: BucketKey?,
        _ registration: Registration,
        register: (Registration) async throws -> RegistrationOutcome
    ) async throws -> RegistrationOutcome {
        guard let caller, rates.isOn, registration.name != nil else { return try await register(registration) }
        var registration = registration
        let wait = rates.take(caller, of: .playerRenames)
        registration.renames = wait == nil ? .counted : .refused
        var isUsed = false
        defer { if wait == nil, !isUsed { rates.giveBack(caller, to: .playerRenames) } }
        let outcome = try await register(registration)
        if case .renamed = outcome { isUsed = true }
        if case .tooManyRenames = outcome, let wait { throw rates.refusal(.playerRenames, after: wait) }
        return outcome
    }
}
