package import Domain
package import Storage

// Players who are one with another player are found by either id, and those who were erased by none.
extension Rankings {
    /// Whom a player is by now: itself, or the player into whom it was merged.
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
