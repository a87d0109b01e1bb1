import CauseboardClient

/// What is known of a post or a donation a moment after it was queued.
enum Progress: Equatable {
    case settled(Settlement)
    /// It is on this device and will be sent; the sentence says why it was not yet.
    case waits(String)
}

extension Causeboard {
    /// How long a player waits for an answer before the game goes on.
    private static let patience = Duration.seconds(10)

    /// Waits for the server's answer, but not for a server that is not there.
    /// - Parameter events: What ``watchQueue()`` answered before the post or the donation was queued, or while it
    ///   waited.
    func progress(of write: PendingWrite, _ events: AsyncStream<OutboxEvent>) async -> Progress {
        await withTaskGroup(of: Progress?.self) { group in
            group.addTask { await self.follow(write, events) }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? .waits("The server has not answered yet.")
        }
    }

    private func follow(_ write: PendingWrite, _ events: AsyncStream<OutboxEvent>) async -> Progress? {
        for await event in events {
            switch event {
            case .settled(let other, let settlement) where other.id == write.id: return .settled(settlement)
            case .setAside(let other) where other.id == write.id: return .waits("The server has a fault.")
            case .waiting: return .waits("The server cannot be reached now.")
            case .stopped(let error): return .waits(error.sentence)
            default: continue
            }
        }
        return nil
    }
}

extension CauseboardError {
    /// What the player is told.
    var sentence: String {
        switch self {
        case .askAgain(_, .unreachable): "The server cannot be reached now."
        case .askAgain(_, .serverTrouble): "The server has too much to do now."
        case .askAgain(_, .issuerAway): "The sign-in provider is away. Try again later."
        case .askAgain(_, .rateLimited): "The server was asked too often; wait a moment."
        case .chooseAnotherName(let sentence): "Choose another name. \(sentence)"
        case .signInAgain(.banned): "The server takes nothing more from this player."
        case .signInAgain(.erased): "This player was erased."
        case .signInAgain(.neverSignedIn), .signInAgain(.tokenRefused): "The server does not know this device."
        case .giveUp(let refusal): refusal.sentence
        case .queueFull(let pendingMax): "\(pendingMax) posts and donations wait already; let them be sent first."
        case .storage(let text): "This device could not keep it: \(text)"
        }
    }
}
