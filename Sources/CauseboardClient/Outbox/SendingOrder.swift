/// Which item is sent next. A donation never passes an earlier post or another donation that waits; posts pass
/// donations that wait, and whatever was set aside.
struct SendingOrder {
    enum Choice {
        case send(PendingWrite)
        /// Nothing before this moment of the monotonic clock.
        case wait(Duration)
        case nothing
    }

    private let pending: [PendingWrite]
    private let setAside: Set<PendingWrite.ID>
    private let holds: [PendingWrite.ID: Duration]

    /// - Parameters:
    ///   - pending: In the order in which they were queued.
    ///   - setAside: Items that the server failed on.
    ///   - holds: Donations that wait, with when they may be sent by the monotonic clock.
    init(_ pending: [PendingWrite], setAside: Set<PendingWrite.ID>, holds: [PendingWrite.ID: Duration]) {
        (self.pending, self.setAside, self.holds) = (pending, setAside, holds)
    }

    func next(at now: Duration) -> Choice {
        var isDonationBlocked = false
        var earliest: Duration?
        for write in pending {
            if setAside.contains(write.id) {
                if write.isScore { isDonationBlocked = true }
                continue
            }
            if !write.isScore {
                if isDonationBlocked { continue }
                if let until = holds[write.id], until > now {
                    (isDonationBlocked, earliest) = (true, until)
                    continue
                }
            }
            return .send(write)
        }
        return earliest.map { .wait($0) } ?? .nothing
    }
}
