import Dispatch

/// Waits, and does so in a cancelled task too: `close` runs in tasks that are cancelled already, and must not spin there.
func pause(_ duration: Duration) async {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(clamping: seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { continuation.resume() }
    }
}

/// Asks every few milliseconds until the answer is true or the time is up.
/// - Returns: The last answer.
func wait(upTo limit: Duration, until condition: () throws(ClusterError) -> Bool) async throws(ClusterError) -> Bool {
    let deadline = ContinuousClock.now + limit
    while try !condition() {
        if ContinuousClock.now >= deadline { return false }
        await pause(Limits.poll)
    }
    return true
}
