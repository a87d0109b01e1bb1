import Credentials
import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage
import Synchronization

// Who may call the admin API, and when keys were used.
extension Responder {
    /// The operator's key of a request.
    /// - Parameter scopes: The key has to have one of these; the first is what a refusal asks for.
    /// - Throws: 401 without an operator's key that may be used now, 403 for one without the scope.
    @discardableResult func admin(_ request: Request, _ scopes: KeyScope...) async throws -> AdminKey {
        guard let header = request.headers[.authorization], case .admin(let hash)? = Credential(authorization: header),
            let key = try await usedAdminKey(hash)
        else { throw Problem.notAnAdmin }
        try key.check(scopes)
        return key
    }

    /// An operator's key that may be used now, which is noted once a day; nil for any other.
    func usedAdminKey(_ hash: TokenHash) async throws -> AdminKey? {
        guard let key = try await store.findAdminKey(hash, now: clock.now) else { return nil }
        let today = clock.now.dayInUTC
        if key.usedOn.map({ $0 < today }) ?? true {
            // To read must work where the database only reads.
            try? await store.noteUse(of: hash, on: today)
        }
        return key
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
        do { try await store.noteUse(of: key, on: today) } catch { keyUses.forget(key) }
    }
}

extension AdminKey {
    /// - Parameter scopes: The key has to have one of these; the first is what a refusal asks for.
    /// - Throws: 403 for a key that has none of them.
    func check(_ scopes: [KeyScope]) throws(Problem) {
        if let scope = scopes.first, !scopes.contains(where: self.scopes.allows) { throw .missing(scope) }
    }
}

/// The keys of games, or the devices, that were used today. Only those that the database has accepted come in, so
/// strangers cannot fill it.
final class DayUses<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var day: Day?
        var keys: Set<Key> = []
    }

    private let state = Mutex(State())
    private let max: Int

    /// - Parameter max: Keys that are remembered; one more drops the others.
    init(max: Int) { self.max = max }

    /// Whether a key has not been used on this day before; from then on it has.
    func isFirst(of key: Key, on day: Day) -> Bool {
        state.withLock { state in
            if state.day != day || state.keys.count >= max { (state.day, state.keys) = (day, []) }
            return state.keys.insert(key).inserted
        }
    }

    func forget(_ key: Key) { state.withLock { _ = $0.keys.remove(key) } }
}
