package import Domain
import Storage

// What this process has just changed, and so must not remember as it was.
extension Rankings {
    /// Drops the name and picture of a player whom this process has just changed. The stream may tell of a commit
    /// before other transactions see it, and a read in between would be kept.
    package func forgetSummary(of player: Player.ID) {
        summaries.forget(player.rawValue)
    }

    /// Drops what this process knows of a device, which it has just moved, cut off or given another token. Others learn
    /// of it by the stream.
    package func forgetCaller(on device: DeviceHash) {
        callers.forget(device)
    }

    /// Drops what this process knows of all callers, after it has ended a key. Others learn of it by the stream.
    package func forgetCallers() {
        callers.forgetAll()
    }
}
