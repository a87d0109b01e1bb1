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
        let max: Int

        init(max: Int) {
            self.max = max
        }
    }

    private let store: Store
    private let shards: [Shard]
    private let max: Int
    private let changesCount = Atomic<UInt64>(0)
    /// How often the database had to be asked since the stream is followed.
    private let readsCount = Atomic<Int>(0)
    private let bell = Doorbell()

    /// - Parameter max: How many are kept; as many again while others take their place.
    init(store: Store, max: Int) {
        self.store = store
        self.max = max
        shards = (0..<64).map { _ in Shard(max: max / 64 + 1) }
    }

    /// Grows with every change of a player.
    var version: UInt64 { changesCount.load(ordering: .acquiring) }

    /// How many are in memory; one may count twice.
    var keptCount: Int {
        shards.reduce(0) { count, shard in shard.state.withLock { count + $0.young.count + $0.old.count } }
    }

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
        if readsCount.wrappingAdd(1, ordering: .relaxed).newValue == Limits.faceReadsMax { bell.ring() }
        for row in near() {
            let player = Int64(clamping: row.magnitude)
            let (face, changes) = shard(of: player).find(player)
            if face == nil { missing[player] = (changes, nil) }
        }
        for face in try await store.faces(of: missing.keys.map { Player.ID(rawValue: $0) }) {
            let player = face.player.rawValue
            guard let changes = missing[player]?.changes else { continue }
            missing[player] = (changes, face)
            shard(of: player).keep(face, readAt: changes, mayForget: true)
        }
        for (index, row) in rows.enumerated() where faces[index] == nil { faces[index] = missing[Int64(clamping: row.magnitude)]?.face }
        return faces
    }

    /// From now on the stream tells of changes, or no more.
    func setFollowing(_ isFollowing: Bool) {
        for shard in shards {
            shard.state.withLock { state in
                (state.young, state.old) = ([:], [:])
                state.changes &+= 1
                state.isFollowing = isFollowing
            }
        }
        readsCount.store(0, ordering: .relaxed)
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }

    /// Reads as many as there is room for, whenever so many different ones are asked for that the database is busy with that.
    func fill() async {
        while !Task.isCancelled {
            await bell.wait()
            try? await fillOnce()
        }
    }

    private func fillOnce() async throws(StoreError) {
        var last = Player.ID(rawValue: 0)
        var left = max
        while left > 0, !Task.isCancelled {
            let changes = shards.map { shard in shard.state.withLock { $0.changes } }
            let faces = try await store.faces(after: last, limitRows: Limits.facesAtOnce)
            for face in faces {
                let index = shardIndex(of: face.player.rawValue)
                shards[index].keep(face, readAt: changes[index], mayForget: false)
            }
            guard faces.count == Limits.facesAtOnce, let next = faces.last?.player else { return }
            last = next
            left -= faces.count
        }
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

    private func shard(of player: Int64) -> Shard { shards[shardIndex(of: player)] }

    private func shardIndex(of player: Int64) -> Int {
        Int(truncatingIfNeeded: UInt64(bitPattern: player) % UInt64(shards.count))
    }
}

extension Faces.Shard {
    fileprivate func find(_ player: Int64) -> (Face?, changes: UInt64) {
        state.withLock { state in
            if let face = state.young[player] { return (face, state.changes) }
            guard let face = state.old[player] else { return (nil, state.changes) }
            state.keep(face, max: max)
            return (face, state.changes)
        }
    }

    /// - Parameter mayForget: Whether others make room for it; else it is only kept where there is room.
    fileprivate func keep(_ face: Face, readAt changes: UInt64, mayForget: Bool) {
        state.withLock { state in
            guard state.isFollowing, state.changes == changes, mayForget || state.young.count < max else { return }
            state.keep(face, max: max)
        }
    }
}

extension Faces.Shard.State {
    fileprivate mutating func keep(_ face: Face, max: Int) {
        if young.count >= max {
            old = young
            young = [:]
        }
        young[face.player.rawValue] = face
    }
}
