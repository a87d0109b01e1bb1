import Domain
import Storage
import Synchronization

/// Names and pictures of players, as many as fit, kept while the stream tells of their changes.
final class Faces: Sendable {
    /// Two generations: when the young one is full it becomes the old one, and the old one is forgotten.
    fileprivate final class Shard: Sendable {
        struct State {
            var young: [Int64: Face] = [:]
            var old: [Int64: Face] = [:]
            /// Counts changes of players, so that what was read before one is not kept after it.
            var changes: UInt64 = 0
            var isFollowing = false
        }

        let state = Mutex(State())
    }

    private let store: Store
    private let shards = (0..<64).map { _ in Shard() }
    private let changesCount = Atomic<UInt64>(0)

    init(store: Store) {
        self.store = store
    }

    /// Grows with every change of a player.
    var version: UInt64 { changesCount.load(ordering: .acquiring) }

    /// - Parameters:
    ///   - rows: Ids of players, or their negatives.
    ///   - near: Others who will be asked for next: they are read along with any that has to be read.
    /// - Returns: One for each of the rows, in their order; nil where there is no such player.
    func faces(of rows: [Int64], near: () -> [Int64] = { [] }) async throws(StoreError) -> [Face?] {
        var faces: [Face?] = []
        faces.reserveCapacity(rows.count)
        var missing: [Int64: (changes: UInt64, face: Face?)] = [:]
        for row in rows {
            let player = Int64(clamping: row.magnitude)
            let (face, changes) = shard(of: player).find(player)
            faces.append(face)
            if face == nil { missing[player] = (changes, nil) }
        }
        if missing.isEmpty { return faces }
        for row in near() {
            let player = Int64(clamping: row.magnitude)
            let (face, changes) = shard(of: player).find(player)
            if face == nil { missing[player] = (changes, nil) }
        }
        for face in try await store.faces(of: missing.keys.map { Player.ID(rawValue: $0) }) {
            let player = face.player.rawValue
            guard let changes = missing[player]?.changes else { continue }
            missing[player] = (changes, face)
            shard(of: player).keep(face, readAt: changes)
        }
        for (index, row) in rows.enumerated() where faces[index] == nil { faces[index] = missing[Int64(clamping: row.magnitude)]?.face }
        return faces
    }

    /// From now on the stream tells of changes, or no more.
    func setFollowing(_ isFollowing: Bool) {
        for shard in shards {
            shard.state.withLock { state in
                state = Shard.State()
                state.isFollowing = isFollowing
            }
        }
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }

    /// The player is called or looks otherwise now.
    func forget(_ player: Int64) {
        shard(of: player).state.withLock { state in
            state.changes &+= 1
            state.young[player] = nil
            state.old[player] = nil
        }
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }

    private func shard(of player: Int64) -> Shard {
        shards[Int(truncatingIfNeeded: UInt64(bitPattern: player) % UInt64(shards.count))]
    }
}

extension Faces.Shard {
    fileprivate func find(_ player: Int64) -> (Face?, changes: UInt64) {
        state.withLock { state in
            if let face = state.young[player] { return (face, state.changes) }
            guard let face = state.old[player] else { return (nil, state.changes) }
            state.keep(face)
            return (face, state.changes)
        }
    }

    fileprivate func keep(_ face: Face, readAt changes: UInt64) {
        state.withLock { state in
            guard state.isFollowing, state.changes == changes else { return }
            state.keep(face)
        }
    }
}

extension Faces.Shard.State {
    fileprivate mutating func keep(_ face: Face) {
        if young.count >= Limits.facesMax / 64 {
            old = young
            young = [:]
        }
        young[face.player.rawValue] = face
    }
}
