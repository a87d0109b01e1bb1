import enum Contract.ProblemName
import Credentials
import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Counts requests by caller. Over a limit a request is refused before its handler has run, so nothing is recorded and
/// no id is used up.
///
/// A request counts in its address's limits until the database has said that its key is good. The key is remembered
/// then, and counts only in `key-requests`. So a game's server is not held up by its address, and an invented key does
/// not escape it.
///
/// Only the database can tell that a token or key is wrong. `failed-credentials` counts it then: beyond the limit the
/// answer is 429 instead of 401, and good ones still pass. Refusing earlier would lock out everybody who shares the
/// address with a guesser. Nobody can guess 256 bits, and the address's other limits bound the cost of trying. Codes
/// are short, so they are counted before they are checked: see `RequestRates+Guesses.swift`.
///
/// Where clients may call the admin API and the console, their requests count in their address's limits likewise, until
/// the database has said that the operator's key is good. From then on they count nowhere.
final class Admissions: Sendable {
    let rates: RequestRates
    let operators: OperatorKeys
    let sessions: ConsoleSessions
    let store: Store
    let clock: ServerClock
    private let keyUses = DayUses<TokenHash>(max: Limits.knownKeysMax)

    init(rates: RequestRates, operators: OperatorKeys, sessions: ConsoleSessions, store: Store, clock: ServerClock) {
        (self.rates, self.operators, self.sessions) = (rates, operators, sessions)
        (self.store, self.clock) = (store, clock)
    }

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
        guard rates.limiter.isOn, request.peer.listener == .open, let limit = limits.address(request.method) else {
            return admission
        }
        let credential = request.headers[.authorization].flatMap { Credential(authorization: $0) }
        admission.request.credential = credential
        let operatorsKey = operatorsKey(of: request, credential, limits.operators)
        if let operatorsKey, rates.limiter.isKnown(operatorsKey) { return admission }
        if case .game(let key)? = credential, rates.limiter.isKnown(key) {
            try rates.limiter.count(BucketKey(key), in: .keyRequests)
            return admission
        }
        let address = rates.clientAddress(of: request)
        let counted = address.flatMap(rates.counted)
        if let counted, let wait = rates.limiter.take(counted, of: limit) {
            let refusal = rates.limiter.refusal(limit, after: wait)
            guard let address else { throw refusal }
            if let operatorsKey {
                let isGood = await isGood(operatorsKey, from: address) { key in
                    try await operators.usedAdminKey(key) != nil
                }
                if isGood { return admission }
            } else if case .game(let key)? = credential {
                let isGood = await isGood(key, from: address) { key in
                    try await store.findGame(ofKey: key, now: clock.now) != nil
                }
                if isGood {
                    try rates.limiter.count(BucketKey(key), in: .keyRequests)
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
            if let limit = limits.player(request.method) { try rates.limiter.count(BucketKey(token), in: limit) }
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
        case .session: sessions.seal(request)?.key
        case nil: nil
        }
    }

    /// Remembers the key of a request that has succeeded, which the database must have accepted. The request counts in
    /// `key-requests` after all, or nowhere for an operator, and not in its address's limit.
    func confirm(_ admission: Admission, by response: Response) {
        guard let (key, isOperators, address, limit) = admission.unconfirmed, admission.request.method != .options,
            response.status.kind == .successful || isOperators && response.status.kind == .redirection
        else { return }
        rates.limiter.remember(key)
        if let address { rates.limiter.giveBack(address, to: limit) }
        if !isOperators { _ = rates.limiter.take(BucketKey(key), of: .keyRequests) }
    }

    /// Counts a wrong token or key.
    /// - Returns: The problem as it is, or 429 in its place when the address has sent too many.
    func counted(_ problem: Problem, of request: Request) -> Problem {
        guard rates.limiter.isOn else { return problem }
        guard problem.name == .unauthorized else { return problem }
        if let session = sessions.seal(request) { rates.limiter.forget(session.key) }
        let header = request.headers[.authorization]
        guard let credential = header.flatMap({ Credential(authorization: $0) }) else { return problem }
        switch credential {
        case .game(let key), .admin(let key): rates.limiter.forget(key)
        case .player: break
        }
        return rates.countedFailure(problem, of: request)
    }

    /// Asks the database for a key that is not known yet, because its address is over a limit. The question is taken
    /// from `failed-credentials` until the key has proved good, so an address cannot ask many times with invented ones.
    /// - Parameter find: Whether the database knows the key.
    private func isGood(_ key: TokenHash, from address: IPAddress, find: (TokenHash) async throws -> Bool) async -> Bool
    {
        guard rates.limiter.take(address, of: .failedCredentials) == nil else { return false }
        do {
            guard try await find(key) else { return false }
            rates.limiter.remember(key)
            rates.limiter.giveBack(address, to: .failedCredentials)
            return true
        } catch {
            rates.limiter.giveBack(address, to: .failedCredentials)
            return false
        }
    }

    /// Notes that a game's key was used today, with the first request of the day that succeeds with it here. This is
    /// one statement more for that request, and none for the others. A failure is no reason to answer anything else, as
    /// the request has succeeded.
    func noteUse(_ request: Request, at match: RouteMatch?, _ response: Response) async {
        guard let match, match.route.limits.takesKeys, response.status.kind == .successful, request.method != .options,
            case .game(let key)? = request.credential
                ?? request.headers[.authorization].flatMap({ Credential(authorization: $0) })
        else { return }
        let today = clock.now.dayInUTC
        guard keyUses.isFirst(of: key, on: today) else { return }
        do { try await store.admin.noteUse(of: key, on: today) } catch { keyUses.forget(key) }
    }
}
