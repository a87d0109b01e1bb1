import Domain

/// Decides, from the numbers of this process's markers alone, whether its standings contain every commit that was
/// acknowledged. A plain state machine: it neither waits nor reads a clock.
///
/// **What a marker proves.** Markers are numbered when they are made, before they are sent. A commit that had been
/// answered when marker *k* was made has its record in the WAL before that of *k*'s commit, and the stream brings
/// commits in the order of their records. So once *k* has come back, the standings contain *k*'s own commit and all
/// that were answered before *k* was made.
///
/// **What is contained without a marker.** The snapshot contains what was committed before the slot's position, and
/// ``begin(at:)`` comes after that. A commit that is answered before `begin` lies before `begin`'s own marker, the
/// first one of the stream. A commit that is answered after `begin` may lie anywhere: before the slot, so that its
/// marker never comes back, or behind `begin`'s marker. Nothing but the stream tells these apart.
///
/// **The rule.** Each answered commit is one of four:
/// - Its marker has come back. The standings contain it.
/// - Its marker was made since `begin`, and the stream keeps up. The answer waits, and nobody has been told yet.
/// - No stream is followed. The standings are not current, and `begin`'s marker will be made later.
/// - Any other, above all one that has no marker, that has one from before `begin`, or that has waited for too long. It
///   is told at once, and from that moment on a marker is `needed` that is made later than all so far.
///
/// The standings are current while the latest marker that came back is not below `needed`. So while they are current,
/// every commit that somebody has been told of is contained.
struct StreamProgress {
    /// What becomes of the answer to a commit.
    enum Answer: Equatable {
        /// The standings contain the commit.
        case contained
        /// The answer waits until ``saw(_:at:)`` is called with the commit's marker, or ``overdue()``.
        case waits
        /// Nothing is known of the commit. The answer does not wait, and the standings are not current.
        case unconfirmed
    }

    private struct Heartbeat {
        let number: UInt64
        let madeAt: ContinuousClock.Instant
        /// Whether the database has confirmed its commit.
        var isCommitted = false
    }

    private var isFollowing = false
    /// The number of the last marker that was made.
    private var last: UInt64 = 0
    /// The number of the marker with which the stream was begun.
    private var first: UInt64 = 0
    /// The greatest number of a marker that this stream has brought back, from `first` on.
    private var confirmed: UInt64 = 0
    /// The standings are current once `confirmed` has reached it.
    private var needed: UInt64 = 0
    /// Markers of commits that are under way, each with whether the stream has already brought it back.
    private var unanswered: [UInt64: Bool] = [:]
    /// Whether answers wait for the stream.
    private var keepsUp = false
    /// Heartbeats that have not come back, in the order of their numbers.
    private var heartbeats: [Heartbeat] = []
    /// When a marker last came back, or the stream began.
    private var heardAt: ContinuousClock.Instant?
    /// When the latest heartbeat that came back was made: the standings contain what was committed before.
    private(set) var confirmedAt: ContinuousClock.Instant?

    /// Whether the standings contain every commit that anybody was told of.
    var isCurrent: Bool { isFollowing && confirmed >= needed }

    /// The number of markers that are remembered.
    var rememberedCount: Int { unanswered.count + heartbeats.count }

    /// Makes the marker of a new batch; ``answered(_:)`` or ``forget(_:)`` must be told of its end.
    /// - Returns: Nil while no stream is followed.
    mutating func issue() -> UInt64? {
        guard isFollowing else { return nil }
        last += 1
        unanswered[last] = false
        return last
    }

    /// Makes a marker that is written in a commit of its own.
    /// - Returns: Nil while no stream is followed.
    mutating func heartbeat(at now: ContinuousClock.Instant) -> UInt64? {
        guard isFollowing else { return nil }
        last += 1
        if heartbeats.count >= Limits.heartbeatsMax { heartbeats.removeFirst() }
        heartbeats.append(Heartbeat(number: last, madeAt: now))
        return last
    }

    /// The database has confirmed the commit of a heartbeat.
    mutating func committed(_ heartbeat: UInt64) {
        guard let index = heartbeats.firstIndex(where: { $0.number == heartbeat }) else { return }
        heartbeats[index].isCommitted = true
    }

    /// A commit has been answered.
    /// - Parameter number: Its marker; nil when it had none.
    mutating func answered(_ number: UInt64?) -> Answer {
        let isSeen = number.flatMap { unanswered.removeValue(forKey: $0) } ?? false
        if isSeen || !isFollowing { return .contained }
        if let number, number > first, keepsUp { return .waits }
        needed = last + 1
        return .unconfirmed
    }

    /// A commit has failed, or may have failed; nobody waits for its marker.
    mutating func forget(_ number: UInt64) { unanswered[number] = nil }

    /// An answer has waited for too long, and is given now.
    mutating func overdue() {
        keepsUp = false
        needed = last + 1
    }

    /// The stream has brought back a marker, and everything before it is in the standings.
    mutating func saw(_ number: UInt64, at now: ContinuousClock.Instant) {
        guard isFollowing else { return }
        if unanswered[number] != nil { unanswered[number] = true }
        guard number >= first else { return }
        heardAt = now
        confirmed = max(confirmed, number)
        var isQuick = false
        if let index = heartbeats.firstIndex(where: { $0.number == number }) {
            let madeAt = heartbeats[index].madeAt
            confirmedAt = madeAt
            isQuick = now - madeAt <= .milliseconds(Limits.commitBarrierMillisecondsMax)
            heartbeats.removeFirst(index + 1)
        }
        // Once a heartbeat is quick again, answers wait again. Otherwise a busy server would never catch up, because
        // each answer that does not wait asks for a later marker.
        if isCurrent || isQuick { keepsUp = true }
    }

    /// Whether the standings are not current and no heartbeat is under way. While one is, another would only ask more
    /// of a stream that is behind.
    var wantsHeartbeat: Bool { isFollowing && !isCurrent && heartbeats.isEmpty }

    /// Whether the stream brings back nothing although heartbeats were committed long ago: it may be that of another
    /// database.
    func isSilent(at now: ContinuousClock.Instant) -> Bool {
        let limit = now - .seconds(Limits.streamSilentSecondsMax)
        guard let heardAt, heardAt < limit else { return false }
        return heartbeats.contains { $0.isCommitted && $0.madeAt < limit }
    }

    /// A stream is followed from now on, whose snapshot is loaded.
    /// - Returns: The first marker, which is written in a commit of its own. When it comes back, the standings have
    ///   caught up.
    mutating func begin(at now: ContinuousClock.Instant) -> UInt64 {
        end()
        last += 1
        (first, needed, confirmed) = (last, last, 0)
        isFollowing = true
        heartbeats = [Heartbeat(number: last, madeAt: now)]
        heardAt = now
        return last
    }

    /// The stream is lost.
    mutating func end() {
        isFollowing = false
        keepsUp = false
        heartbeats = []
        heardAt = nil
        confirmedAt = nil
    }
}
