import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct ExportSlotsTests {
    private static let addresses = (1...9).compactMap { IPAddress("203.0.113.\($0)") }
    private let one = ExportSlotsTests.addresses[0]
    private let other = ExportSlotsTests.addresses[1]

    /// The exports that were cut.
    private final class Cuts: Sendable {
        let names = Mutex<[String]>([])

        func begin(_ slot: ExportSlots.Slot, _ name: String) { slot.begin { self.names.withLock { $0.append(name) } } }
    }

    @Test("slots are limited, and become free when they are deallocated") func slots() {
        let slots = ExportSlots(2)
        var held = [one, other].map { try? slots.take(for: $0) }
        #expect(held.allSatisfy { $0 != nil })
        #expect(throws: Problem.busy) { try slots.take(for: Self.addresses[2]) }
        held.removeLast()
        held.append(try? slots.take(for: Self.addresses[2]))
        #expect(held.last.flatMap { $0 } != nil)
        #expect(throws: Problem.busy) { try slots.take(for: other) }
    }

    @Test("an address may use a few slots, and an event's address all of them") func slotsOfAddress() throws {
        let slots = ExportSlots(5, ofAddress: 2)
        var held = [try slots.take(for: one), try slots.take(for: one)]
        #expect(throws: Problem(.exportsOfAddress)) { try slots.take(for: one) }
        held.append(try slots.take(for: other))
        held.removeFirst()
        held.append(try slots.take(for: one))
        #expect(throws: Problem(.exportsOfAddress)) { try slots.take(for: one) }
        held.append(try slots.take(for: nil))
        held.append(try slots.take(for: nil))
        #expect(throws: Problem.busy, "a refusal took nothing") { try slots.take(for: other) }
        held.removeAll()
        #expect(throws: Never.self) { for _ in 0..<2 { held.append(try slots.take(for: one)) } }
    }

    @Test("an address with many exports loses one to a new address") func most() throws {
        let slots = ExportSlots(4, ofAddress: 4)
        let cuts = Cuts()
        var held: [ExportSlots.Slot] = []
        for number in 0..<4 {
            held.append(try slots.take(for: one))
            if number > 0 { cuts.begin(held[number], "\(number)") }
        }
        for address in Self.addresses[1...3] { held.append(try slots.take(for: address)) }
        // The oldest export had not begun; it ends when it does.
        #expect(cuts.names.withLock { $0 } == ["1", "2"])
        cuts.begin(held[0], "0")
        #expect(cuts.names.withLock { $0 } == ["1", "2", "0"])
        #expect(throws: Problem.busy, "each address has one") { try slots.take(for: Self.addresses[4]) }
    }

    @Test("a client that does not read loses its slot when no other is free") func stalled() throws {
        let slots = ExportSlots(2, ofAddress: 1)
        let cuts = Cuts()
        let now = ContinuousClock.now
        let held = [try slots.take(for: one, at: now), try slots.take(for: other, at: now)]
        for (slot, name) in zip(held, ["one", "other"]) { cuts.begin(slot, name) }
        held[0].isWaiting(since: now)
        held[1].isWaiting(since: now)
        held[1].isWaiting(since: nil)
        let soon = now + .seconds(5)
        #expect(throws: Problem.busy) { try slots.take(for: Self.addresses[2], at: soon) }
        let late = now + .seconds(100)
        let third = try slots.take(for: Self.addresses[2], at: late)
        #expect(cuts.names.withLock { $0 } == ["one"])
        #expect(throws: Problem.busy, "nobody else waits") { try slots.take(for: one, at: late) }
        withExtendedLifetime(third) {}
    }

    @Test("a document frees its slot when it ends or is cut") func documents() async throws {
        let slots = ExportSlots(1, ofAddress: 1)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let stream = DocumentStream(secondsMax: 60, slot: try slots.take(for: one)) { send in try await send([1]) }
        let taker = Taker()
        try await loop.submit { stream.begin(on: loop, taker) }.get()
        var pieces = taker.pieces.makeAsyncIterator()
        _ = await pieces.next()
        let late = ContinuousClock.now + .seconds(100)
        let slot = try slots.take(for: other, at: late)
        var endings = taker.endings.makeAsyncIterator()
        #expect(await endings.next() == "failed")
        stream.end(on: loop)
        slot.free()
        let next = DocumentStream(secondsMax: 60, slot: try slots.take(for: one)) { _ in }
        next.end(on: loop)
        #expect(throws: Never.self) { _ = try slots.take(for: one) }
    }
}
