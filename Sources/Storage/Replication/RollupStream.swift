import Domain
package import Logging
package import Postgres

/// Follows the database commit by commit. One connection exports a snapshot and then streams exactly the commits after
/// it.
package final class RollupStream {
    /// The state at the start of the stream, which other connections can read until the stream is followed or closed.
    package struct Snapshot: Sendable {
        let slot: ReplicationSlot
        /// The WAL position from which on commits are not in the snapshot.
        package var position: UInt64 { slot.consistentPoint.rawValue }
    }

    private let connection: ReplicationConnection
    private let commitRowsMax: Int

    private init(_ connection: ReplicationConnection, commitRowsMax: Int) {
        self.connection = connection
        self.commitRowsMax = commitRowsMax
    }

    /// Opens the stream's connection.
    /// - Parameters:
    ///   - settings: The settings of a login that may replicate.
    ///   - commitRowsMax: The most rows that one commit may change and still be followed.
    package static func open(_ settings: ConnectionSettings, commitRowsMax: Int = Limits.commitRowsMax, logger: Logger)
        async throws(FollowError) -> RollupStream
    {
        do throws(PostgresError) {
            return RollupStream(
                try await ReplicationConnection.open(settings, logger: logger), commitRowsMax: commitRowsMax)
        } catch { throw FollowError(error) }
    }

    package func close() { connection.close() }

    /// Takes the state at the start of the stream, which may not be read yet: see ``snapshot(settledBy:within:)``.
    func exported() async throws(FollowError) -> Snapshot {
        do throws(PostgresError) { return Snapshot(slot: try await connection.createTemporarySlot()) } catch {
            throw FollowError(error)
        }
    }

    /// Passes every commit after a snapshot that changed a published table or carries a message to `apply`, and goes on
    /// until it fails.
    /// - Parameter apply: Called for each commit. It must be quick, because the database waits while it runs.
    package func follow(_ snapshot: Snapshot, _ apply: (CommittedChanges) throws(FollowError) -> Void)
        async throws(FollowError)
    {
        var changes = CommittedChanges(position: 0, rowsMax: commitRowsMax)
        let (connection, commitRowsMax) = (connection, commitRowsMax)
        try await connection.stream(snapshot.slot, publication: "causeboard") { event throws(FollowError) in
            var isComplete = false
            do throws(DecodingFailure) {
                switch consume event {
                case .begin(let position):
                    changes = CommittedChanges(position: position.rawValue, rowsMax: commitRowsMax)
                case .commit(let time):
                    changes.committedAt = Instant(microsecondsSince1970: time.microsecondsSince1970)
                    changes.bytesBehind =
                        connection.endOfLog.rawValue &- min(connection.endOfLog.rawValue, changes.position)
                    isComplete = true
                case .insert(let relation, let row):
                    try changes.note(relation.name, old: nil, new: RollupRow(row, relation), isNew: true)
                case .update(let relation, let old, let new):
                    try changes.note(
                        relation.name, old: RollupRow(ifAny: old, relation), new: RollupRow(new, relation), isNew: false
                    )
                case .delete(let relation, let row):
                    try changes.note(relation.name, old: RollupRow(row, relation), new: nil, isNew: false)
                case .truncate: changes.isReset = true
                case .message("causeboard", let marker): changes.markers.append(marker)
                case .message: break
                }
            } catch { throw .lost(.undecodable) }
            if isComplete { try apply(changes) }
        }
    }
}

/// The columns of published tables that are used here.
private struct RollupRow {
    var board: Board.ID?
    var day: Day?
    var player: Int64?
    var points: Int64?
    var reachedAt: Instant?
    var id: Int64?
    var isHidden: Bool?
    var seasonEndedAt: Instant?
    var kind: Board.Kind?
    var policy: Board.Policy?
    var lowestFirst: Bool?
    var hash: Bytes?
    var survivor: Int64?
    var other: Int64?
    var firstDay: Day?
    var team: Int64?
    var name: String?
    var flag: CountryFlag?

    init?(ifAny tuple: consuming StreamTuple?, _ relation: StreamRelation) throws(DecodingFailure) {
        guard let tuple = consume tuple else { return nil }
        try self.init(tuple, relation)
    }

    init(_ tuple: consuming StreamTuple, _ relation: StreamRelation) throws(DecodingFailure) {
        for column in relation.columns.prefix(tuple.columnsCount) {
            switch column.name {
            case "board_id": board = try tuple.next()
            case "day": day = try tuple.next()
            case "player_id": player = try tuple.next()
            case "points": points = try tuple.next()
            case "reached_at": reachedAt = try tuple.next()
            // The id of a score or a donation is a UUID.
            case "id" where !Self.uuidTables.contains(relation.name): id = try tuple.next()
            case "hidden": isHidden = try tuple.next()
            case "season_ended_at": seasonEndedAt = try tuple.next()
            case "kind": kind = try tuple.next()
            case "policy": policy = try tuple.next()
            case "lowest_first": lowestFirst = try tuple.next()
            case "hash": hash = try tuple.next()
            case "other_id": other = try tuple.next()
            case "survivor_id": survivor = try tuple.next()
            case "first_day": firstDay = try tuple.next()
            case "team_id": team = try tuple.next()
            case "name" where relation.name == "player": name = try tuple.next()
            case "flag": flag = try tuple.next()
            default: try tuple.skip()
            }
        }
    }

    private static let uuidTables: Set<String> = ["held_score", "score_state", "donation_state"]

    var value: PointsReached? {
        guard let points, let reachedAt else { return nil }
        return PointsReached(points: points, reachedAt: reachedAt)
    }

    func hasSameKey(as other: RollupRow) -> Bool { board == other.board && day == other.day && player == other.player }
}

extension CommittedChanges {
    fileprivate mutating func note(_ table: String, old: RollupRow?, new: RollupRow?, isNew: Bool) {
        guard !isReset else { return }
        let count =
            rollups.count + players.count + merges.count + devices.count + ties.count + heldPlayers.count + donors.count
            + members.count + teams.count
        guard count < rowsMax else {
            (rollups, players, merges, devices, ties, members, teams) = ([], [], [], [], [], [], [])
            (heldPlayers, donors) = ([], [])
            (boards, endedBoards, isReset) = ([], [], true)
            return
        }
        switch table {
        case "standing", "tally":
            if let old, let new, old.hasSameKey(as: new) {
                add(new, old: old.value, new: new.value)
            } else {
                // A row whose key was changed by hand counts as deleted and inserted.
                if let old { add(old, old: old.value, new: nil) }
                if let new { add(new, old: nil, new: new.value) }
            }
        case "player":
            if let id = (new ?? old)?.id {
                players.append(
                    PlayerChange(
                        player: id, isHidden: new?.isHidden ?? false, isErased: new?.name?.isEmpty ?? false,
                        flag: new?.flag))
            }
            if new == nil { invalidatesCallers = true }
        case "merge":
            // A game's key may speak for a player who was merged.
            invalidatesCallers = true
            if let player = (new ?? old)?.player { merges.append(Merge(player: player, survivor: new?.survivor)) }
        case "tie":
            let row = new ?? old
            if let player = row?.player, let other = row?.other { ties.append(Tie(player: player, other: other)) }
        case "member":
            if let row = new ?? old, let player = row.player, let firstDay = row.firstDay {
                members.append(MemberChange(player: player, firstDay: firstDay, team: new?.team))
            }
        case "team": if let id = (new ?? old)?.id { teams.append(id) }
        // Moderation may void any number of scores at once, which are of few players.
        case "held_score", "score_state": if let player = (new ?? old)?.player { heldPlayers.insert(player) }
        case "donation_state": if let player = (new ?? old)?.player { donors.insert(player) }
        case "device":
            // A device that gets another label leaves its former hash behind.
            if !isNew { devices += [old, new].compactMap { $0?.hash }.map { DeviceHash(bytes: $0.bytes) } }
        case "game":
            // Pages show a game's name beside its boards.
            invalidatesBoards = true
            if !isNew { (invalidatesCallers, changesGames) = (true, true) }
        case "award": changesAwards = true
        case "campaign", "milestone": changesCampaigns = true
        case "game_key": if !isNew { invalidatesCallers = true }
        case "board", "charity":
            invalidatesBoards = true
            if let new, new.seasonEndedAt != nil, let id = new.id {
                endedBoards.append(Board.ID(rawValue: Int32(clamping: id)))
            } else if isNew, let new, new.kind != .charity, let id = new.id, let policy = new.policy,
                let lowestFirst = new.lowestFirst
            {
                boards.append(
                    FollowedBoard(
                        id: Board.ID(rawValue: Int32(clamping: id)), policy: policy, lowestFirst: lowestFirst,
                        isDonationBoard: new.kind == .donation))
            }
        default: break
        }
    }

    private mutating func add(_ row: RollupRow, old: PointsReached?, new: PointsReached?) {
        guard let board = row.board, let player = row.player else { return }
        rollups.append(RollupChange(board: board, day: row.day, row: player, old: old, new: new))
    }
}
