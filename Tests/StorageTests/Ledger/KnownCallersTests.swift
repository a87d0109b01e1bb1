import Credentials
import Domain
import Synchronization
import TestDatabases
import Testing

@testable import Storage

@Suite struct KnownCallersTests {
    private typealias Question = KnownCallers.Question

    private static func device(_ number: UInt8) -> DeviceHash {
        DeviceHash(bytes: [UInt8](repeating: number, count: 32))
    }

    private static func question(_ number: UInt8, isScore: Bool = true) -> Question {
        Question(
            .token(TokenHash(bytes: [UInt8](repeating: number, count: 32)), claims: nil), game: .defaultGame,
            isScore: isScore)
    }

    private static func answer(_ number: UInt8) -> IdentifiedCaller {
        IdentifiedCaller(
            player: Player.ID(rawValue: Int64(number)), refusal: nil, device: device(number), callersLeft: 0)
    }

    private static func followed(_ entriesMax: Int = 100) -> KnownCallers {
        let callers = KnownCallers(entriesMax: entriesMax) { true }
        callers.setFollowing(true)
        return callers
    }

    private static func remember(_ numbers: [UInt8], in callers: KnownCallers) {
        let questions = numbers.map { question($0) }
        callers.remember(questions, numbers.map(answer), since: callers.find(questions, now: .noon).version)
    }

    private static func players(_ numbers: [UInt8], in callers: KnownCallers) -> [Int64?] {
        callers.find(numbers.map { question($0) }, now: .noon).callers.map { $0?.player.rawValue }
    }

    @Test("it knows what the database has answered, but no refusal, and not what was asked otherwise") func remembers()
    {
        let callers = Self.followed()
        let questions = [Self.question(1), Self.question(2)]
        let refused = IdentifiedCaller(player: nil, refusal: .unauthorized, device: nil)
        callers.remember(questions, [Self.answer(1), refused], since: callers.find(questions, now: .noon).version)
        #expect(Self.players([1, 2], in: callers) == [1, nil])
        #expect(callers.find([Self.question(1, isScore: false)], now: .noon).callers.count { $0 != nil } == 0)
        let claiming = Question(
            .token(TokenHash(bytes: [UInt8](repeating: 1, count: 32)), claims: Player.ID(rawValue: 9)),
            game: .defaultGame, isScore: true)
        #expect(claiming == Self.question(1), "claims are compared with the answer and are no part of the question")
    }

    @Test("a device that changed takes with it what depends on it alone, keys and games take everything") func forgets()
    {
        let callers = Self.followed()
        Self.remember([1, 2], in: callers)
        callers.forget(Self.device(1))
        #expect(Self.players([1, 2], in: callers) == [nil, 2])
        callers.forgetAll()
        #expect(Self.players([1, 2], in: callers) == [nil, nil])
    }

    @Test("a player who was erased takes with it who named it, in either generation, and nobody else")
    func forgetsPlayers() {
        let callers = Self.followed(2)
        let key = TokenHash(bytes: [UInt8](repeating: 9, count: 32))
        let players = [Int64](1...4).map { Player.ID(rawValue: $0) }
        let questions = players.map { Question(.key(key, .player($0)), game: nil, isScore: false) }
        let answers = players.map { IdentifiedCaller(player: $0, refusal: nil, device: nil, callersLeft: 0) }
        callers.remember(questions, answers, since: callers.find(questions, now: .noon).version)
        let (_, version) = callers.find([], now: .noon)
        callers.forget(players[0])
        callers.forget(players[3])
        callers.remember([questions[0]], [answers[0]], since: version)
        let known = callers.find(questions, now: .noon).callers.map { $0?.player }
        #expect(known == [nil, players[1], players[2], nil])
    }

    @Test("what was read before something was forgotten is not remembered after it") func races() {
        let callers = Self.followed()
        let (_, version) = callers.find([Self.question(1)], now: .noon)
        callers.forget(Self.device(1))
        callers.remember([Self.question(1)], [Self.answer(1)], since: version)
        #expect(Self.players([1], in: callers) == [nil])
    }

    @Test("nothing is known without a stream, and nothing that was known before the one that is followed")
    func follows() {
        let isCurrent = Mutex(true)
        let callers = KnownCallers { isCurrent.withLock { $0 } }
        Self.remember([1], in: callers)
        #expect(callers.count == 0)
        callers.setFollowing(true)
        Self.remember([1], in: callers)
        #expect(Self.players([1], in: callers) == [1])
        isCurrent.withLock { $0 = false }
        #expect(Self.players([1], in: callers) == [nil], "the stream is behind")
        isCurrent.withLock { $0 = true }
        #expect(Self.players([1], in: callers) == [1])
        let (_, version) = callers.find([Self.question(2)], now: .noon)
        callers.setFollowing(false)
        callers.setFollowing(true)
        callers.remember([Self.question(2)], [Self.answer(2)], since: version)
        #expect(Self.players([1, 2], in: callers) == [nil, nil])
    }

    @Test("a key that has ended is not known any more, while its question is asked with a later time") func ends() {
        let callers = Self.followed()
        let ending = IdentifiedCaller(
            player: Player.ID(rawValue: 7), refusal: nil, device: nil, expiresAt: Instant.noon.advanced(bySeconds: 9),
            callersLeft: 0)
        let question = Self.question(1)
        callers.remember([question], [ending], since: callers.find([question], now: .noon).version)
        func known(after seconds: Int64) -> Bool {
            callers.find([question], now: Instant.noon.advanced(bySeconds: seconds)).callers[0] != nil
        }
        #expect(known(after: 0) && known(after: 8))
        #expect(!known(after: 9) && !known(after: 100))
        #expect(known(after: 8), "a clock that was set back finds it again, as the database would")
    }

    @Test("who ceased to speak for a player is forgotten, and nobody else") func one() {
        let callers = Self.followed(2)
        Self.remember([1], in: callers)
        Self.remember([2], in: callers)
        Self.remember([3], in: callers)
        callers.forget([Self.question(2)])
        #expect(Self.players([1, 2, 3], in: callers) == [1, nil, 3])
        Self.remember([2], in: callers)
        callers.forget(Self.device(2))
        #expect(Self.players([1, 2, 3], in: callers) == [1, nil, 3])
        let (_, version) = callers.find([Self.question(2)], now: .noon)
        callers.forget([Self.question(1)])
        callers.remember([Self.question(2)], [Self.answer(2)], since: version)
        #expect(Self.players([2], in: callers) == [nil], "it was read before something was forgotten")
    }

    /// Who reads by a token, with how often the database was asked.
    private static func reading(_ number: UInt8, in callers: KnownCallers, during change: () -> Void = {}) async throws
        -> (player: Int64?, asked: Int)
    {
        var asked = 0
        let token = TokenHash(bytes: [UInt8](repeating: number, count: 32))
        let device = try await callers.device(ofToken: token) { () async throws(StoreError) in
            asked += 1
            change()
            return number == 0
                ? nil
                : ReadingDevice(
                    CallingDevice(
                        hash: Self.device(number), player: Player.ID(rawValue: Int64(number)), game: .defaultGame,
                        friends: .codes, isBanned: false, ownedSince: nil))
        }
        return (device?.player.rawValue, asked)
    }

    @Test("who reads is asked for once, and again when its device or its player has changed, and once more after that")
    func readers() async throws {
        let callers = Self.followed()
        Self.remember([1], in: callers)
        let forgets: [@Sendable () -> Void] = [
            { callers.forget(Self.device(1)) }, { callers.forget(Player.ID(rawValue: 1)) }, { callers.forgetAll() },
        ]
        for forget in forgets {
            for asked in [1, 0, 0] { #expect(try await Self.reading(1, in: callers) == (1, asked)) }
            forget()
            for asked in [1, 0] { #expect(try await Self.reading(1, in: callers) == (1, asked)) }
            callers.forgetAgain()
            #expect(try await Self.reading(1, in: callers) == (1, 0))
            callers.forgetAgain()
            #expect(try await Self.reading(1, in: callers) == (1, 1))
            callers.forget(Self.device(1))
            for _ in 0..<3 { callers.forgetAgain() }
        }
        for asked in [1, 0] { #expect(try await Self.reading(2, in: callers) == (2, asked)) }
        callers.forget(Self.device(1))
        #expect(try await Self.reading(2, in: callers) == (2, 0), "another device")
        for _ in 0..<2 { #expect(try await Self.reading(0, in: callers) == (nil, 1), "a token of none") }
    }

    @Test("who was read before a change, or while the stream is behind, is not remembered") func readersRace()
        async throws
    {
        let isCurrent = Mutex(false)
        let callers = KnownCallers { isCurrent.withLock { $0 } }
        callers.setFollowing(true)
        for _ in 0..<2 { #expect(try await Self.reading(1, in: callers) == (1, 1)) }
        isCurrent.withLock { $0 = true }
        _ = try await Self.reading(1, in: callers) { callers.forget(Self.device(7)) }
        #expect(try await Self.reading(1, in: callers) == (1, 1))
        #expect(try await Self.reading(1, in: callers) == (1, 0))
        isCurrent.withLock { $0 = false }
        #expect(try await Self.reading(1, in: callers) == (1, 1))
    }

    @Test("a device that changed is forgotten again by posts too, as they may have read it before") func again() {
        let callers = Self.followed()
        callers.forget(Self.device(1))
        Self.remember([1, 2], in: callers)
        callers.forgetAgain()
        #expect(Self.players([1, 2], in: callers) == [1, 2])
        callers.forgetAgain()
        #expect(Self.players([1, 2], in: callers) == [nil, 2])
    }

    @Test("it is bounded, and keeps what is asked for") func bounded() {
        let callers = Self.followed(10)
        for number in UInt8(1)...200 {
            Self.remember([number], in: callers)
            #expect(Self.players([1], in: callers) == [1])
            #expect(callers.count <= 20)
        }
        #expect(Self.players([2], in: callers) == [nil])
        callers.forget(Self.device(1))
        #expect(Self.players([1], in: callers) == [nil], "in both generations")
    }
}
