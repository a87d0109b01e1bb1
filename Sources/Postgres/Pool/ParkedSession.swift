/// A session that nobody uses, on its way from one task to another.
///
// SAFETY: only the pool makes these, from a session whose connection it has just taken back (`Connection.giveBack`), so the parked reference is the
// only one; whoever takes it out of the pool's state uses it alone.
struct ParkedSession: @unchecked Sendable {
    let session: Session
    let idleSince: ContinuousClock.Instant
}
