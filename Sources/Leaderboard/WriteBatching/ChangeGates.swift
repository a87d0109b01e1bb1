import Concurrency
import Domain
import Storage

/// Bounds how many connections of the ledger pool are held by those who change what is in the ledgers. Posts come
/// behind them there, and a change of one player may take long. So nobody's post waits for anybody else's changes, and
/// no operator for those of players.
struct ChangeGates: Sendable {
    /// Changes that players ask for.
    private let ofPlayers: OwnGate<Player.ID>
    /// Moderation actions, and verdicts of games.
    private let actions: FairGate<ClientKey>

    /// - Parameter runningMax: Connections for each of the two kinds. One client may use half of them.
    init(runningMax: Int) {
        let bounds = GateBounds(
            runningMax: runningMax, runningOfKeyMax: max(1, runningMax / 2), waitingMax: Limits.changesWaitingMax,
            waitingOfKeyMax: Limits.changesOfClientWaitingMax)
        ofPlayers = OwnGate(bounds)
        actions = FairGate(bounds)
    }

    /// Runs a change that a player asks for, one of the player's at a time.
    /// - Parameter player: Nil when nobody is known by whom it is asked for.
    /// - Throws: `crowded` if the queue is full, and errors of `change`.
    func change<Value>(of player: Player.ID?, _ change: () async throws(StoreError) -> Value) async throws(StoreError)
        -> Value
    { try await ofPlayers.run(of: player, change) }

    /// Does the same for an action or a verdict, whomever it is about.
    func moderate<Value>(_ action: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        try await actions.run(action)
    }

    /// The changes of players that have a turn.
    var changesRunningCount: Int { ofPlayers.counts.running }
}
