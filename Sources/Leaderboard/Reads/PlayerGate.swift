import Domain
import Storage

/// Bounds how many connections are held for what players ask for that may take long: one of each player, and so many of
/// all of them. So nobody waits for one player's jobs but that player, and other kinds of work find a connection.
struct PlayerGate: Sendable {
    private let players = KeyedGate<Player.ID>(waitingMax: Limits.callsOfPlayerWaitingMax)
    private let all: AdmissionGate

    /// - Parameters:
    ///   - runningMax: How many jobs have a connection at the same time.
    ///   - waitingMax: How many more wait, those behind another one of their player not counted.
    init(runningMax: Int, waitingMax: Int) {
        all = AdmissionGate(runningMax: runningMax, waitingMax: waitingMax)
    }

    /// Runs a job when it is its turn.
    /// - Parameter player: Nil when nobody is known by whom it is asked for.
    /// - Throws: `overloaded` when too many wait; what `job` throws.
    func run<Value>(
        of player: Player.ID?,
        _ job: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard let player else { return try await all.run(job) }
        return try await players.run(of: player) { () async throws(StoreError) in try await all.run(job) }
    }

    /// The jobs that have a turn.
    var runningCount: Int { all.counts.running }
}
