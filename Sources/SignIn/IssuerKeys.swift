package import CoreMetrics
import Domain
package import Logging
package import Outgoing
import ServiceLifecycle
import Synchronization

/// A cache of issuers' keys. It fetches them when they are needed, and keeps them as long as the issuers say.
///
/// Stale keys are used while new ones are fetched, up to a day after the last successful fetch. An unknown key id
/// starts a fetch at most once a minute for all callers together (10 s after a failed fetch), so that invented key ids
/// cause no load on an issuer. ``run()`` does the fetching; callers wait until it has started.
package final class IssuerKeys: Service {
    package typealias Fetch = @Sendable (OutgoingURL) async throws(OutgoingError) -> OutgoingAnswer

    private let fetch: Fetch
    private let logger: Logger
    private let meters: SignInMeters
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())
    private let (wakeups, wakeup) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private struct State {
        var issuers: [KeySource: IssuerState] = [:]
        var waitersCount = 0
        var nextWaiter: UInt64 = 0
        var isClosed = false
    }

    /// - Parameters:
    ///   - fetch: Fetches a document, such as `OutgoingClient.get`.
    ///   - now: A monotonic clock.
    package init(
        logger: Logger, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, fetch: @escaping Fetch
    ) { (self.logger, meters, self.now, self.fetch) = (logger, SignInMeters(metrics), now, fetch) }

    package func run() async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await () in self.wakeups {
                    for source in self.takeDue() { group.addTask { await self.refresh(source) } }
                }
            }
        }
        close()
    }

    /// The key of an issuer by its id. Waits for a fetch if the cache does not have it.
    func key(_ id: String, of source: KeySource) async throws(IdentityError) -> SigningKey {
        let first = state.withLock { look(for: id, of: source, in: &$0) }
        switch first {
        case .found(let key): return key
        case .failed(let error): throw error
        case .waits: break
        }
        await fetched(source)
        // Try no second fetch.
        return try state.withLock { state -> Result<SigningKey, IdentityError> in
            guard let issuer = state.issuers[source] else { return .failure(.issuerAway(retryAfterSeconds: 1)) }
            return issuer.kept(id, at: now()).map(Result.success) ?? .failure(issuer.failure(at: now()))
        }.get()
    }

    /// The cached issuers, by address.
    package var uses: [IssuerUse] {
        let now = now()
        let uses = state.withLock { state in
            state.issuers.map { source, issuer in
                IssuerUse(address: source.address, age: issuer.fetchedAt.map { now - $0 }, isFailing: issuer.hasFailed)
            }
        }
        return uses.sorted { $0.address < $1.address }
    }

    // MARK: - What callers do

    private enum Look {
        case found(SigningKey)
        case failed(IdentityError)
        /// The next fetch may bring it.
        case waits
    }

    private func look(for id: String, of source: KeySource, in state: inout State) -> Look {
        let now = now()
        var issuer = state.issuers[source] ?? IssuerState(usedAt: now)
        issuer.usedAt = now
        let key = issuer.kept(id, at: now)
        if !state.isClosed, key == nil || !issuer.isFresh(at: now), issuer.mayFetch(at: now) {
            issuer.isWanted = true
            issuer.wantedAt = now
            wakeup.yield()
        }
        if state.issuers[source] == nil { makeRoom(in: &state) }
        state.issuers[source] = issuer
        if let key { return .found(key) }
        if issuer.isWanted || issuer.isFetching { return .waits }
        return .failed(state.isClosed ? .issuerAway(retryAfterSeconds: 1) : issuer.failure(at: now))
    }

    /// Evicts the least recently used issuer that nobody waits for.
    private func makeRoom(in state: inout State) {
        guard state.issuers.count >= Limits.issuersMax else { return }
        let idle = state.issuers.filter { !$0.value.isWanted && !$0.value.isFetching }
        if let oldest = idle.min(by: { $0.value.usedAt < $1.value.usedAt }) { state.issuers[oldest.key] = nil }
    }

    /// Waits for the end of the pending or running fetch. Returns at once if there is none, or too many callers wait.
    private func fetched(_ source: KeySource) async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                let waits = state.withLock { state in
                    guard !Task.isCancelled, state.waitersCount < Limits.keyWaitersMax,
                        let issuer = state.issuers[source], issuer.isWanted || issuer.isFetching
                    else { return false }
                    state.issuers[source]?.waiters[number] = waiter
                    state.waitersCount += 1
                    return true
                }
                if !waits { waiter.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.issuers[source]?.waiters.removeValue(forKey: number)
                if waiter != nil { state.waitersCount -= 1 }
                return waiter
            }
            waiter?.resume()
        }
    }

    // MARK: - What the service does

    private func takeDue() -> [KeySource] {
        state.withLock { state in
            let running = state.issuers.values.count { $0.isFetching }
            let wanted = state.issuers.filter(\.value.isWanted).sorted { $0.value.wantedAt < $1.value.wantedAt }
            let due = wanted.prefix(max(0, Limits.issuersFetchedMax - running)).map(\.key)
            for source in due {
                state.issuers[source]?.isWanted = false
                state.issuers[source]?.isFetching = true
            }
            return due
        }
    }

    private func refresh(_ source: KeySource) async {
        let result: Result<FetchedKeys, KeyFetchError>
        do throws(KeyFetchError) { result = .success(try await source.keys(by: fetch)) } catch {
            result = .failure(error)
        }
        let now = now()
        let (waiters, failedBefore) = state.withLock { state in
            let failedBefore = state.issuers[source]?.hasFailed ?? false
            let waiters = state.issuers[source]?.finish(result, at: now) ?? []
            state.waitersCount -= waiters.count
            return (waiters, failedBefore)
        }
        for waiter in waiters { waiter.resume() }
        // Other issuers may wait for a free slot.
        wakeup.yield()
        if case .failure(let error) = result { meters.fetched(error) } else { meters.fetched(nil) }
        switch result {
        case .success where failedBefore:
            logger.info("the keys of a sign-in issuer can be fetched again", metadata: ["host": "\(source.host)"])
        case .success: break
        case .failure(let error) where !failedBefore:
            logger.warning(
                "the keys of a sign-in issuer cannot be fetched; known keys are used for a day",
                metadata: ["host": "\(source.host)", "reason": "\(error.reason)"])
        case .failure: break
        }
    }

    private func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            state.waitersCount = 0
            var waiters: [CheckedContinuation<Void, Never>] = []
            for source in state.issuers.keys {
                waiters += state.issuers[source]?.waiters.values.map(\.self) ?? []
                state.issuers[source]?.waiters = [:]
                state.issuers[source]?.isWanted = false
            }
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// The state of a cached issuer's keys.
package struct IssuerUse: Sendable {
    /// The address of the keys, or of the configuration that names it.
    package let address: String
    /// The time since the last successful fetch; nil if there was none.
    package let age: Duration?
    /// Whether the latest fetch failed.
    package let isFailing: Bool
}

/// The cached keys of one issuer, and the state of their fetch.
private struct IssuerState {
    private var set: KeySet?
    private(set) var fetchedAt: ContinuousClock.Instant?
    private var freshUntil: ContinuousClock.Instant?
    /// When the last fetch ended, successful or not.
    private var triedAt: ContinuousClock.Instant?
    private(set) var hasFailed = false
    var usedAt: ContinuousClock.Instant
    /// Whether a fetch is pending.
    var isWanted = false
    /// Since when; the longest wait is the first to end.
    var wantedAt: ContinuousClock.Instant
    var isFetching = false
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]

    init(usedAt: ContinuousClock.Instant) { (self.usedAt, wantedAt) = (usedAt, usedAt) }

    /// A usable key, fresh or stale.
    func kept(_ id: String, at now: ContinuousClock.Instant) -> SigningKey? {
        guard let set, let fetchedAt, now - fetchedAt < .seconds(Limits.keysUsableSeconds) else { return nil }
        return set[id]
    }

    func isFresh(at now: ContinuousClock.Instant) -> Bool { freshUntil.map { now < $0 } ?? false }

    /// Whether a fetch may start. False while one is pending or running.
    func mayFetch(at now: ContinuousClock.Instant) -> Bool {
        !isWanted && !isFetching && (triedAt.map { now - $0 >= rest } ?? true)
    }

    private var rest: Duration { .seconds(hasFailed ? Limits.keysRetrySeconds : Limits.keysRestSeconds) }

    /// Why there is no key: the issuer has none with this id, or its keys cannot be fetched.
    func failure(at now: ContinuousClock.Instant) -> IdentityError {
        // Too many wait already.
        if isWanted || isFetching { return .issuerAway(retryAfterSeconds: 1) }
        guard hasFailed || set == nil else { return .refused(.unknownKey) }
        let left = triedAt.map { rest - (now - $0) } ?? .zero
        return .issuerAway(retryAfterSeconds: max(1, left.components.seconds + 1))
    }

    /// Records the end of a fetch.
    /// - Returns: The callers that wait for it.
    mutating func finish(_ result: Result<FetchedKeys, KeyFetchError>, at now: ContinuousClock.Instant)
        -> [CheckedContinuation<Void, Never>]
    {
        isFetching = false
        triedAt = now
        switch result {
        case .success(let fetched):
            (set, fetchedAt, freshUntil) = (fetched.set, now, now + .seconds(fetched.freshSeconds))
            hasFailed = false
        case .failure: hasFailed = true
        }
        defer { waiters = [:] }
        return Array(waiters.values)
    }
}
