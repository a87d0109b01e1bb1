package import Domain
package import Storage

// Players who are one with another player are found by either id, and those who were erased by none.
extension Rankings {
    /// The player that a player is now: itself, or the one that it was merged into.
    package func survivor(of player: Player.ID) async throws(StoreError) -> Player.ID {
        if standings.areCurrent { return merged.survivor(of: player) }
        return try await store.survivors(of: [player])[player] ?? player
    }

    /// Whether a player was erased, so that nobody may find its rows by its id.
    package func isErased(_ player: Player.ID) async throws(StoreError) -> Bool {
        if standings.areCurrent { return erased.contains(player) }
        return try await store.isErased(player)
    }

    /// The same of many, each once, in their order, without those who were erased.
    package func survivors(of players: [Player.ID]) async throws(StoreError) -> [Player.ID] {
        var survivors: [Player.ID] = []
        let found = standings.areCurrent ? nil : try await store.survivors(of: players)
        for player in players {
            let survivor = found.map { $0[player] ?? player } ?? merged.survivor(of: player)
            if !survivors.contains(survivor), try await !isErased(survivor) { survivors.append(survivor) }
        }
        return survivors
    }
}

// What this process has just changed, and so must not remember as it was.
extension Rankings {
    /// Drops the name and picture of a player whom this process has just changed. The stream may tell of a commit
    /// before other transactions see it, and a read in between would be kept.
    package func forgetSummary(of player: Player.ID) { summaries.forget(player.rawValue) }

    /// Drops what this process knows of a device, which it has just moved, cut off or given another token. Others learn
    /// of it by the stream.
    package func forgetCaller(on device: DeviceHash) { callers.forget(device) }

    /// The player for whom a caller speaks, if this process knows it from an earlier write; nil otherwise.
    /// - Parameter game: That of a score's board; nil for a donation.
    package func findKnownPlayer(of caller: Caller, posting game: Slug?) -> Player.ID? {
        callers.findPlayer(of: caller, in: game, isScore: game != nil, now: clock.now)
    }

    /// The device of a token, as far as a read needs to know it; from memory if this process knows it.
    /// - Returns: Nil for a token of no device.
    package func findReadingDevice(ofToken token: TokenHash) async throws(StoreError) -> ReadingDevice? {
        try await callers.device(ofToken: token) { () async throws(StoreError) in
            try await store.findDevice(ofToken: token).map(ReadingDevice.init)
        }
    }

    /// Drops what this process knows of callers who name a player, which it has just erased. Others learn of it by the
    /// stream. The player's wallet counts that its devices have left, so a post of theirs is looked at anew.
    package func forgetCallers(of player: Player.ID) { callers.forget(player) }

    /// Drops what this process knows of all callers, after it has ended a key or changed a game. Others learn of it by
    /// the stream.
    package func forgetCallers() { callers.forgetAll() }
}
