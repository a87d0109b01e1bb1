import Glibc
import HTTP
import Logging
import ServiceLifecycle
import Storage
import Synchronization
import Testing

@testable import causeboard

/// When a service manager is told what.
@Suite struct ServiceNoticesTests {
    @Test("the server is ready once the last port is listened on, and says so once") func ready() throws {
        let name = "@causeboard-ready-\(getpid())"
        let receiver = try #require(Receiver(name))
        let manager = try #require(ServiceManager(socket: name))
        let ready = ReadyNotice(manager, portsCount: 2)
        ready.listening()
        manager.tell(.alive)
        ready.listening()
        ready.listening()
        manager.tell(.stopping)
        #expect(receiver.next() == "WATCHDOG=1")
        #expect(receiver.next() == "READY=1")
        #expect(receiver.next() == "STOPPING=1")
    }

    @Test("a reload says so once the server serves, and not before") func reload() async throws {
        let name = "@causeboard-reload-\(getpid())"
        let receiver = try #require(Receiver(name))
        let manager = try #require(ServiceManager(socket: name))
        let reloads = Mutex(0)
        let hangUp = HangUp([{ reloads.withLock { $0 += 1 } }], manager: manager, logger: Logger(label: "test"))
        await hangUp.reload()
        manager.tell(.alive)
        #expect(receiver.next() == "WATCHDOG=1")
        manager.tell(.ready)
        await hangUp.reload()
        #expect(receiver.next() == "READY=1")
        #expect(receiver.next()?.hasPrefix("RELOADING=1\n") == true)
        #expect(receiver.next() == "READY=1")
        #expect(reloads.withLock { $0 } == 2)
    }

    @Test("a process that is not well says nothing until it is") func watchdog() async throws {
        let name = "@causeboard-watchdog-\(getpid())"
        let receiver = try #require(Receiver(name))
        let manager = try #require(ServiceManager(socket: name, watchdogMicroseconds: "3000"))
        let looks = Mutex(0)
        let watchdog = try #require(
            WatchdogNotices(manager) {
                let look = looks.withLock { looks in
                    looks += 1
                    return looks
                }
                if look == 3 { manager.tell(.reloading(microseconds: 3)) }
                return look > 3
            })
        let running = Task { try await watchdog.run() }
        #expect(await receiver.arrival() == "RELOADING=1\nMONOTONIC_USEC=3")
        #expect(await receiver.arrival() == "WATCHDOG=1")
        #expect(await receiver.arrival() == "WATCHDOG=1")
        running.cancel()
        try await running.value
        #expect(WatchdogNotices(try #require(ServiceManager(socket: "@x")), isAlive: { true }) == nil)
    }

    @Test("a database that is away leaves the process well; a look that does not end does not") func liveness() async {
        let readiness = Readiness(logger: Logger(label: "test")) { throw StoreError.unavailable }
        let liveness = Liveness(readiness: readiness)
        #expect(await liveness.check())
        let now = ContinuousClock.now
        await readiness.check(now: { now })
        #expect(readiness.report().cause == .databaseAway)
        #expect(liveness.looks(at: now + .seconds(29)))
        #expect(!liveness.looks(at: now + .seconds(31)))
        readiness.stop()
        #expect(liveness.looks(at: now + .seconds(31)), "looks end before an embedded database does")
    }
}
