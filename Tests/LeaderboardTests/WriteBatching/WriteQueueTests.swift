import Domain
import Storage
import Testing

@testable import Leaderboard

@Suite struct WriteQueueTests {
    typealias Queue = WriteQueue<NumberedWrite>

    // MARK: - Batches

    @Test("a batch has what came, in the order of arrival") func order() throws {
        var queue = Queue()
        for number in 1...5 { try queue.add(number, of: Int64(10 - number)) }
        #expect(queue.count == 5)
        #expect(queue.numbers() == [1, 2, 3, 4, 5] && queue.count == 0)
        try queue.add(6, of: 1)
        #expect(queue.numbers() == [6])
        #expect(queue.numbers() == nil)
    }

    @Test("a batch has one write of a caller, and the caller's others follow one by one in their order")
    func oneOfCaller() throws {
        var queue = Queue()
        for number in 1...3 { try queue.add(number, of: 7) }
        try queue.add(4, of: 8)
        #expect(queue.numbers() == [1, 4])
        try queue.add(5, of: 7)
        #expect(queue.numbers() == [2])
        #expect(queue.numbers() == [3])
        #expect(queue.numbers() == [5])
        #expect(queue.numbers() == nil)
    }

    @Test("a batch has at most as many as fit, and the others come next") func fits() throws {
        var queue = Queue(bounds: .init(batchRowsMax: 3))
        for number in 1...7 { try queue.add(number, of: Int64(number)) }
        #expect(queue.numbers() == [1, 2, 3] && queue.count == 4)
        try queue.add(8, of: 8)
        #expect(queue.numbers() == [4, 5, 6])
        #expect(queue.numbers() == [7, 8])
    }

    @Test("a write that was passed over goes before all that came after it") func keepsPlace() throws {
        var queue = Queue(bounds: .init(batchRowsMax: 2))
        try queue.add(1, of: 7)
        try queue.add(2, of: 7)
        try queue.add(3, of: 7)
        try queue.add(4, of: 8)
        try queue.add(5, of: 9)
        #expect(queue.numbers() == [1, 4])
        #expect(queue.numbers() == [2, 5])
        #expect(queue.numbers() == [3])
    }

    @Test("the bytes of what waits are bounded, and a batch makes room") func bytes() throws {
        var queue = Queue(bounds: .init(bytesMax: 10, batchRowsMax: 1))
        try queue.add(1, of: 1, bytes: 6)
        try queue.add(2, of: 2, bytes: 4)
        #expect(throws: StoreError.overloaded) { try queue.add(3, of: 3, bytes: 1) }
        #expect(queue.numbers() == [1] && queue.bytesCount == 4)
        #expect(throws: StoreError.overloaded) { try queue.add(4, of: 4, bytes: 7) }
        try queue.add(5, of: 5, bytes: 6)
        #expect(queue.numbers() == [2] && queue.numbers() == [5] && queue.bytesCount == 0)
    }

    @Test("a write counts with its texts") func bytesOfTexts() throws {
        let arrival = Instant(microsecondsSince1970: 0)
        func donation(_ name: String) throws -> NewDonation {
            try NewDonation(
                1, by: .player(Player.ID(rawValue: 1)), to: CharityName(name, field: "charity"), id: nil,
                reachedAt: arrival)
        }
        #expect(try donation("abcd").bytesCount == donation("").bytesCount + 8, "as it was sent, and folded")
        func score(_ detail: String?) -> NewScore {
            NewScore(
                1, by: .player(Player.ID(rawValue: 1)), on: .highScores, in: .defaultGame, id: nil, detail: detail,
                reachedAt: arrival)
        }
        #expect(score("12345").bytesCount == score(nil).bytesCount + 5)
    }

    @Test("nothing to commit: the worker waits") func waits() throws {
        var queue = Queue()
        guard case .wait = queue.nextTurn(now: NumberedWrite.epoch) else {
            Issue.record("an empty queue")
            return
        }
        try queue.add(1, of: 7)
        #expect(queue.numbers() == [1])
        guard case .wait = queue.nextTurn(now: NumberedWrite.epoch) else {
            Issue.record("a queue that has become empty")
            return
        }
    }

    // MARK: - Put off

    @Test("writes that were put off go first and count in a batch, of which they are a quarter at most") func deferred()
        throws
    {
        var queue = Queue(bounds: .init(batchRowsMax: 8))
        for number in 1...18 { try queue.add(number, of: Int64(number)) }
        let batch = queue.batch() ?? []
        #expect(queue.postpone(Array(batch[1..<5]), at: 0) == [])
        let second = queue.batch()
        #expect(second?.map(\.number) == [2, 3, 9, 10, 11, 12, 13, 14])
        #expect(queue.postpone(second?.filter { $0.number == 3 }, at: 0) == [])
        #expect(queue.numbers(at: 4) == [4, 5, 15, 16, 17, 18])
        #expect(queue.numbers(at: 4) == nil)
        #expect(queue.numbers(at: 5) == [3])
        #expect(queue.numbers(at: 5) == nil)
    }

    @Test("a write that is put off again and again comes after 5 ms, 10, up to 320, and the worker waits until then")
    func backsOff() throws {
        var queue = Queue()
        try queue.add(1, of: 7)
        var milliseconds: Int64 = 0
        for pause in [0, 5, 10, 20, 40, 80, 160, 320, 320] as [Int64] {
            let batch = queue.batch(at: milliseconds)
            #expect(batch?.map(\.number) == [1])
            #expect(queue.postpone(batch, at: milliseconds) == [])
            milliseconds += pause
            guard pause > 0 else { continue }
            let turn = queue.nextTurn(now: NumberedWrite.epoch + .milliseconds(milliseconds - 1))
            guard case .wait(until: NumberedWrite.epoch + .milliseconds(milliseconds)) = turn else {
                Issue.record("\(pause) ms: \(turn)")
                return
            }
        }
        #expect(queue.numbers(at: milliseconds) == [1])
        guard case .wait(until: nil) = queue.nextTurn(now: NumberedWrite.epoch) else {
            Issue.record("nothing is left")
            return
        }
    }

    @Test("however many players are locked, the others are judged with the next batch") func lockedPlayersAndOthers()
        throws
    {
        var queue = Queue()
        var milliseconds: Int64 = 0
        for number in 0..<128 { try queue.add(number, of: Int64(number)) }
        #expect(queue.postpone(queue.batch(), at: 0) == [])
        for round in 1...50 {
            milliseconds += 10
            for caller in 0..<96 { try queue.add(1_000 * round + caller, of: Int64(1_000 + caller), at: milliseconds) }
            let batch = queue.batch(at: milliseconds) ?? []
            #expect(batch.filter { $0.number >= 1_000 * round }.count == 96, "round \(round)")
            #expect(queue.postpone(batch.filter { $0.number < 1_000 }, at: milliseconds) == [])
        }
    }

    @Test("writes that are put off beyond a bound are given up at once") func deferredRowsMax() throws {
        var queue = Queue(bounds: .init(deferredRowsMax: 2))
        for number in 1...3 { try queue.add(number, of: Int64(number)) }
        #expect(queue.postpone(queue.batch(), at: 0) == [3])
        #expect(queue.numbers() == [1, 2])
    }

    @Test("writes that were put off are a batch when there are no others") func deferredAlone() throws {
        var queue = Queue()
        try queue.add(1, of: 7)
        #expect(queue.postpone(queue.batch(), at: 0) == [])
        #expect(queue.count == 0)
        #expect(queue.numbers() == [1])
        #expect(queue.numbers() == nil)
    }

    @Test("a caller's later writes wait while one is put off") func deferredHoldsBack() throws {
        var queue = Queue()
        try queue.add(1, of: 7)
        let batch = queue.batch()
        try queue.add(2, of: 7)
        try queue.add(3, of: 8)
        #expect(queue.postpone(batch, at: 0) == [])
        #expect(queue.numbers() == [1, 3])
        #expect(queue.numbers() == [2])
    }

    @Test("a write is put off until so long after its arrival, and given back then") func deferredMax() throws {
        var queue = Queue(bounds: .init(deferredMax: .milliseconds(100)))
        try queue.add(1, of: 7, at: 0)
        try queue.add(2, of: 8, at: 1)
        let batch = queue.batch(at: 1)
        #expect(queue.postpone(batch, at: 99) == [])
        #expect(queue.postpone(queue.batch(at: 99), at: 100) == [1])
        #expect(queue.numbers(at: 105) == [2])
    }

    @Test("nothing is put off by a worker that stops") func stopping() throws {
        var queue = Queue()
        try queue.add(1, of: 7, at: 0)
        try queue.add(2, of: 8, at: 5)
        #expect(queue.postpone(queue.batch(at: 5), at: 5, isStopping: true) == [1, 2])
        #expect(queue.numbers(at: 5) == nil)
    }

    @Test("what is put off when a worker stops is given up, and the writes behind it go with the next batch")
    func givesUpDeferred() throws {
        var queue = Queue()
        for number in 1...2 { try queue.add(number, of: 7) }
        for _ in 1...2 { #expect(queue.postpone(queue.batch(), at: 0) == []) }
        queue.close()
        guard case .wait(until: .some) = queue.nextTurn(now: NumberedWrite.epoch) else {
            Issue.record("a write that is put off for the second time is not due")
            return
        }
        #expect(queue.giveUpDeferred().map(\.number) == [1])
        #expect(queue.numbers() == [2])
        guard case .end = queue.nextTurn(now: NumberedWrite.epoch) else {
            Issue.record("something is left")
            return
        }
    }

    // MARK: - Refusals

    @Test("a full queue refuses, until a batch has made room") func full() throws {
        var queue = Queue(bounds: .init(rowsMax: 3, batchRowsMax: 1))
        for number in 1...3 { try queue.add(number, of: Int64(number)) }
        #expect(throws: StoreError.overloaded) { try queue.add(4, of: 4) }
        #expect(queue.numbers() == [1])
        try queue.add(5, of: 5)
        #expect(!queue.admits(of: 6))
        #expect(queue.numbers() == [2] && queue.numbers() == [3] && queue.numbers() == [5])
    }

    @Test("writes that were put off take no room in the queue") func deferredTakesNoRoom() throws {
        var queue = Queue(bounds: .init(rowsMax: 1))
        try queue.add(1, of: 7)
        #expect(queue.postpone(queue.batch(), at: 0) == [])
        try queue.add(2, of: 8)
        #expect(!queue.admits(of: 9))
    }

    @Test("a caller who has too many in the queue is refused, and others are not") func tooManyOfCaller() throws {
        var queue = Queue(bounds: .init(rowsOfCallerMax: 2))
        try queue.add(1, of: 7)
        try queue.add(2, of: 7)
        #expect(throws: StoreError.overloaded) { try queue.add(3, of: 7) }
        try queue.add(4, of: 8)
        #expect(queue.numbers() == [1, 4])
        try queue.add(5, of: 7)
        #expect(!queue.admits(of: 7))
        #expect(queue.numbers() == [2] && queue.numbers() == [5])
        try queue.add(6, of: 7)
        try queue.add(7, of: 7)
        #expect(!queue.admits(of: 7))
    }

    @Test("a caller whose oldest write has waited for too long is refused, and others are not") func callerWaits()
        throws
    {
        var queue = Queue(bounds: .init(waitMax: .milliseconds(500)))
        try queue.add(1, of: 7, at: 0)
        try queue.add(2, of: 7, at: 100)
        try queue.add(3, of: 7, at: 300)
        #expect(queue.admits(of: 7, at: 500) && !queue.admits(of: 7, at: 501) && queue.admits(of: 8, at: 501))
        #expect(queue.numbers(at: 501) == [1])
        #expect(queue.admits(of: 7, at: 600) && !queue.admits(of: 7, at: 601) && queue.admits(of: 8, at: 601))
        #expect(queue.numbers(at: 601) == [2])
        #expect(queue.admits(of: 7, at: 800) && !queue.admits(of: 7, at: 801))
        #expect(queue.numbers(at: 801) == [3])
        #expect(queue.admits(of: 7, at: 801))
    }

    @Test("all are refused while a write has waited for too long for which the last batch had no room") func noRoom()
        throws
    {
        var queue = Queue(bounds: .init(batchRowsMax: 1, waitMax: .milliseconds(500)))
        try queue.add(1, of: 7, at: 0)
        try queue.add(2, of: 8, at: 10)
        try queue.add(3, of: 9, at: 40)
        #expect(queue.admits(of: 4, at: 900), "nothing was left out yet")
        #expect(queue.numbers(at: 40) == [1])
        #expect(queue.admits(of: 4, at: 510))
        #expect(throws: StoreError.overloaded) { try queue.add(4, of: 4, at: 511) }
        #expect(queue.numbers(at: 511) == [2])
        #expect(queue.admits(of: 4, at: 540) && !queue.admits(of: 4, at: 541))
        #expect(queue.numbers(at: 541) == [3])
        #expect(queue.admits(of: 4, at: 900))
    }

    @Test("a batch that is filled by writes put off has no room for others, whoever they are") func noRoomBesidePutOff()
        throws
    {
        var queue = Queue(bounds: .init(batchRowsMax: 1, waitMax: .milliseconds(500)))
        try queue.add(1, of: 7, at: 0)
        let batch = queue.batch(at: 0)
        try queue.add(2, of: 7, at: 10)
        #expect(queue.postpone(batch, at: 10) == [])
        #expect(queue.numbers(at: 10) == [1])
        #expect(queue.admits(of: 8, at: 510) && !queue.admits(of: 8, at: 511))
    }

    @Test("a caller's own write that goes first keeps nobody else from being admitted") func passedOverIsNotLeftOut()
        throws
    {
        var queue = Queue(bounds: .init(waitMax: .milliseconds(500)))
        try queue.add(1, of: 7, at: 0)
        try queue.add(2, of: 7, at: 0)
        #expect(queue.numbers(at: 0) == [1])
        #expect(queue.admits(of: 8, at: 1_000) && !queue.admits(of: 7, at: 1_000))
    }

    @Test("all are refused while a commit takes too long") func slowCommit() throws {
        var queue = Queue(bounds: .init(commitMax: .milliseconds(2_000)))
        #expect(queue.admits(of: 8, at: 9_000), "no commit has begun")
        try queue.add(1, of: 7, at: 9_000)
        #expect(queue.numbers(at: 9_000) == [1])
        #expect(queue.admits(of: 8, at: 11_000))
        #expect(throws: StoreError.overloaded) { try queue.add(2, of: 8, at: 11_001) }
        #expect(queue.numbers(at: 11_001) == nil)
        #expect(queue.admits(of: 8, at: 20_000), "the commit has ended")
    }

    @Test("the server's own queue holds 4,096 writes, 64 of a caller, for 0.5 s, and commits 128 of them at once")
    func ownBounds() throws {
        var queue = Queue()
        for number in 0..<4_095 { try queue.add(number, of: Int64(number % 64)) }
        #expect(!queue.admits(of: 0))
        try queue.add(4_095, of: 100)
        #expect(!queue.admits(of: 101))
        #expect(queue.numbers()?.count == 65)

        queue = Queue()
        for number in 0..<200 { try queue.add(number, of: Int64(number)) }
        let batch = queue.batch() ?? []
        #expect(batch.count == 128)
        #expect(queue.admits(of: 0, at: 500) && !queue.admits(of: 0, at: 501))
        #expect(queue.postpone(batch, at: 9_999) == [] && queue.batch(at: 9_999)?.count == 32 + 72)
        #expect(queue.postpone(batch, at: 10_000).count == 128 && queue.batch(at: 10_000)?.count == 32)
        #expect(queue.admits(of: 0, at: 12_000) && !queue.admits(of: 0, at: 12_001))

        queue = Queue()
        for number in 0..<1_025 { try queue.add(number, of: Int64(number)) }
        var given = [Int]()
        while let batch = queue.batch(at: -1) { given += queue.postpone(batch, at: 0) }
        #expect(given.count == 1)
    }

    // MARK: - The end

    @Test("a closed queue refuses, commits what it has, and ends") func closing() throws {
        var queue = Queue(bounds: .init(batchRowsMax: 2))
        try queue.add(1, of: 7)
        try queue.add(2, of: 7)
        try queue.add(3, of: 8)
        queue.close()
        #expect(throws: StoreError.unavailable) { try queue.add(4, of: 9) }
        let batch = queue.batch()
        #expect(batch?.map(\.number) == [1, 3])
        #expect(queue.postpone(batch?.filter { $0.number == 3 }, at: 0) == [])
        let last = queue.batch()
        #expect(last?.map(\.number) == [3, 2])
        #expect(queue.postpone(last?.filter { $0.number == 3 }, at: 0) == [])
        guard case .wait = queue.nextTurn(now: NumberedWrite.epoch) else {
            Issue.record("a write is put off")
            return
        }
        #expect(queue.numbers(at: 5) == [3])
        guard case .end = queue.nextTurn(now: NumberedWrite.epoch) else {
            Issue.record("everything was committed")
            return
        }
    }

    @Test("a full queue that is closed says that it is closed") func closedFirst() throws {
        var queue = Queue(bounds: .init(rowsMax: 0))
        #expect(throws: StoreError.overloaded) { try queue.add(1, of: 7) }
        queue.close()
        #expect(throws: StoreError.unavailable) { try queue.add(1, of: 7) }
    }
}
