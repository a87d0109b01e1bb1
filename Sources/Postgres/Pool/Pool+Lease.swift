import Synchronization

extension Pool {
    /// Waits for a session that is connected as far as anyone can know.
    func lease() async throws(PostgresError) -> ParkedSession {
        let deadline = ContinuousClock.now + limits.waitMax
        while true {
            switch try await grant(until: deadline) {
            case .use(let parked):
                if parked.session.isAlive() { return parked }
                discard(parked)  // it died while idle, and nothing was sent on it
            case .connect: return try await connect()
            case .fail(let error): throw error
            }
        }
    }

    /// Called once for each lease.
    func takeBack(_ parked: ParkedSession) {
        guard parked.session.isReusable else { return discard(parked) }
        let fresh = ParkedSession(session: parked.session, idleSince: .now)
        let unwanted = state.withLock { $0.giveBack(fresh) }
        unwanted?.session.close()
        serve()
    }

    /// Lets those who wait have what there is for them. Whatever changes the state calls this.
    func serve() {
        let (served, isClosed) = state.withLock { ($0.serve(at: .now), $0.isClosed) }
        for ticket in served { ticket.waiter.signal() }
        if isClosed { shutdown.signal() }
    }

    private func discard(_ parked: ParkedSession) {
        parked.session.close()
        state.withLock { $0.discarded() }
        serve()
    }

    private func grant(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> PoolState.Grant {
        if Task.isCancelled { throw PostgresError(.queryCancelled, safeToRetry: true, message: "cancelled before it had a connection") }
        let ticket = Ticket()
        if let grant = state.withLock({ $0.lease(ticket, at: .now) }) { return grant }
        serve()  // a back-off may have ended since anyone looked
        let wakeup: Waiter.Wakeup
        do throws(PostgresError) {
            let poller = try Poller.shared()
            let registration = poller.add(ticket.waiter)
            wakeup = await ticket.waiter.wait(heedsCancellation: true, until: deadline) { poller.keep(deadline) }
            poller.remove(registration)
        } catch {
            decline(state.withLock { $0.leave(ticket) })
            throw error
        }
        let grant = state.withLock { $0.leave(ticket) }
        if wakeup == .cancelled {
            decline(grant)
            throw PostgresError(.queryCancelled, safeToRetry: true, message: "cancelled while waiting for a connection")
        }
        guard let grant else { throw PostgresError(.tooManyConnections, safeToRetry: true, message: "waited too long for a connection") }
        return grant
    }

    /// Gives back what was granted to a task that no longer wants it.
    private func decline(_ grant: PoolState.Grant?) {
        switch grant {
        case .use(let parked): takeBack(parked)
        case .connect: notConnected(PostgresError(.queryCancelled, safeToRetry: true))
        case .fail, nil: break
        }
    }

    private func connect() async throws(PostgresError) -> ParkedSession {
        do throws(PostgresError) {
            let session = try await Session.connect(settings, logger: logger)
            state.withLock { $0.connected() }
            serve()
            return ParkedSession(session: session, idleSince: .now)
        } catch {
            notConnected(error)
            throw error
        }
    }

    private func notConnected(_ error: PostgresError) {
        state.withLock { $0.notConnected(error, at: .now) }
        serve()
    }
}
