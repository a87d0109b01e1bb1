import Domain
import Testing

@testable import HTTPServer

/// Which streams of a connection are answered, and how much of their bodies is held.
@Suite struct StreamAdmissionTests {
    @Test("the first ones are answered first, as many as may be; the next when one has ended") func turns() {
        var admission = StreamAdmission<Int>()
        for stream in 1...(Limits.streamsAnsweredMax + 2) { admission.enqueue(stream) }
        for stream in 1...Limits.streamsAnsweredMax { #expect(admission.next() == stream) }
        #expect(admission.next() == nil)
        admission.ended()
        #expect(admission.next() == Limits.streamsAnsweredMax + 1)
        #expect(admission.next() == nil)
        #expect(admission.answeredCount == Limits.streamsAnsweredMax)
    }

    @Test("a stream that has gone loses its turn") func withdrawal() {
        var admission = StreamAdmission<Int>()
        for stream in 1...3 { admission.enqueue(stream) }
        admission.withdraw(2)
        #expect([admission.next(), admission.next(), admission.next()] == [1, 3, nil])
    }

    @Test("bodies have room up to the limit, and what was freed is room again") func room() {
        var admission = StreamAdmission<Int>()
        #expect(admission.takeRoom(bytes: Limits.streamBodiesBytesMax) == true)
        #expect(admission.takeRoom(bytes: 1) == false)
        admission.freeRoom(bytes: 10)
        #expect(admission.takeRoom(bytes: 10) == true)
        #expect(admission.bodiesBytes == Limits.streamBodiesBytesMax)
    }

    @Test("bodies have no room beyond what all connections may hold, and a refusal takes none") func roomOfAll() {
        let (budget, free) = (MemoryBudget(bytesMax: 100), Limits.bodyBytesFree)
        var (one, two) = (StreamAdmission<Int>(budget: budget), StreamAdmission<Int>(budget: budget))
        #expect(one.takeRoom(bytes: free + 70) == true)
        #expect(two.takeRoom(bytes: free + 31) == false)
        #expect(two.takeRoom(bytes: free + 30) == true)
        #expect(budget.bytes == 100)
        // What was freed twice is given back once.
        one.freeRoom(bytes: free + 70)
        one.freeRoom(bytes: free + 70)
        #expect(budget.bytes == 30)
        two.freeRoom(bytes: free + 30)
        #expect(budget.bytes == 0)
    }
}
