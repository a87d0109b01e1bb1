import Credentials
import Domain
import Foundation
import Storage
import TestDatabases
import TestDice
import Testing

@testable import Leaderboard

/// Random histories of ties, posts and moderation, written by two processes, against ``FriendsModel``.
@Suite struct FriendsHistoryTests {
    private struct History {
        let database: TestDatabase
        let processes: [LiveRankings]
        let tokens: [TokenHash]
        let ids: [Player.ID]
        let board: Board
        var model: FriendsModel
        var codes: [Int: CodeHash] = [:]
        var actions: [(id: UUID, undo: (inout FriendsModel) -> Void)] = []
        var seconds: Int64 = 0
        var dice: Dice

        var now: Instant { .noon.advanced(bySeconds: seconds) }

        /// What the process that has written something does.
        func wrote(_ players: Int...) {
            processes[Int(seconds % 2)].rankings.forgetFriends(of: players.map { ids[$0] })
        }

        func device(_ player: Int) async throws -> CallingDevice {
            try #require(try await database.store.findDevice(ofToken: tokens[player]))
        }

        mutating func step() async throws {
            seconds += 1
            let store = database.store
            let alive = model.survivors.filter { !model.erased.contains($0) }
            let (one, other) = (dice.pick(alive), dice.pick(alive))
            // What is addressed to a former id reaches the survivor.
            let named = ids[dice.pick(model.members(other))]
            switch Int.random(in: 0..<100, using: &dice) {
            case 0..<30:
                guard one != other else { return }
                _ = try await store.befriend(named, device: device(one), with: tokens[one], now: now)
                model.ask(one, other, at: seconds)
                wrote(one, other)
            case 30..<42:
                guard one != other else { return }
                _ = try await store.end(with: named, by: device(one), with: tokens[one], now: now)
                model.end(one, other, at: seconds)
                wrote(one, other)
            case 42..<50:
                guard one != other else { return }
                _ = try await store.block(named, by: device(one), with: tokens[one], now: now)
                model.block(one, other, at: seconds)
                wrote(one, other)
            case 50..<56:
                guard one != other else { return }
                _ = try await store.unblock(named, by: device(one), with: tokens[one], now: now)
                model.unblock(one, other, at: seconds)
                wrote(one, other)
            case 56..<61:
                let code = database.secret.hash(of: .generated(.friend), in: .defaultGame)
                let end = now.advanced(bySeconds: 86_400)
                #expect(try await store.makeFriendCode(code, for: tokens[one], now: now, expiresAt: end))
                (codes[one], model.codeUses[one], model.codeMadeAt[one]) = (code, 20, seconds)
            case 61..<72:
                guard let code = codes[other] else { return }
                let maker = try await store.findMaker(of: code, now: now)
                #expect((maker != nil) == (model.codeUses[other] != nil))
                guard let maker, one != other else { return }
                _ = try await store.befriend(maker, by: code, device: device(one), with: tokens[one], now: now)
                model.use(codeOf: other, one, at: seconds)
                wrote(one, other)
            case 72..<88:
                let points = Int64.random(in: 1...6, using: &dice)
                try await database.post(points, by: ids[one], on: "lap", at: now)
                model.posts[one, default: []].append(FriendsModel.Post(points: points, at: seconds))
            case 88..<92:
                guard one != other, model.merges.count < 4 else { return }
                let id = try await database.moderate(.merge(ids[one], into: ids[other]), at: now)
                model.merge(one, into: other)
                actions.append((id, { model in model.merges.removeAll { $0.player == one } }))
            case 92..<95:
                guard let last = actions.popLast() else { return }
                let outcome = try await store.admin.perform(
                    ModerationAction(.undo(last.id), id: UUID(), reason: ModerationReason("a test")), by: "cli",
                    now: now)
                if case .done = outcome { last.undo(&model) }
            case 95..<98:
                guard !model.isHidden(one) else { return }
                let id = try await database.moderate(.hide(ids[one]), at: now)
                model.hidden.insert(one)
                actions.append((id, { model in model.hidden.remove(one) }))
            default:
                guard alive.count > 5 else { return }
                try await database.moderate(.erase(ids[one], confirming: "P\(one)"), at: now)
                model.erase(one)
                actions = []
            }
        }

        /// Compares the board among the friends of everybody, in memory of both processes and by SQL.
        func compare(_ label: String) async throws {
            for process in processes { try await process.catchUp() }
            let bySQL = Rankings(
                store: database.store, clock: ServerClock { .noon }, memory: LeaderboardMemory(store: database.store))
            let numbers = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
            for player in model.survivors where !model.erased.contains(player) {
                let expected = model.board(of: player, ids: ids.map(\.rawValue))
                for (name, rankings) in zip(["one", "two", "SQL"], processes.map(\.rankings) + [bySQL]) {
                    let found = try await rankings.ranking(
                        of: board, window: .all, amongFriendsOf: ids[player], from: 1, limitRows: 100,
                        includesTotal: true)
                    let rows = zip(zip(found.rows, found.ranks), found.among?.places ?? []).map { row, among in
                        FriendsModel.Row(
                            player: numbers[row.0.player ?? Player.ID(rawValue: 0)] ?? -1,
                            points: Int64(clamping: row.0.points), rank: row.1.number, isTied: row.1.isTied,
                            among: among)
                    }
                    #expect(rows == expected, "\(label), \(name), P\(player)")
                    #expect(found.size == Int64(expected.count), "\(label), \(name), P\(player)")
                }
            }
        }
    }

    @Test(
        "whatever players say and post, each board among friends is that of a model, in two processes and by SQL",
        arguments: Dice.slowSeeds(1, 2, 3), [Board.Ties.first, .shared]) func history(seed: UInt64, ties: Board.Ties)
        async throws
    {
        try await withTestDatabase { database in
            let set = try await database.store.admin.setGame(.defaultGame, friends: .requests, now: .noon)
            #expect(set == .set)
            let board = try await database.addBoard("lap") { $0.ties = ties }
            var (ids, tokens): ([Player.ID], [TokenHash]) = ([], [])
            for number in 0..<8 {
                let (token, name) = (Token.generated(.device).hash, "P\(number)")
                guard
                    case .registered(let player) = try await database.store.register(
                        Registration(name: PlayerName(name, field: "name"), source: "test"),
                        device: database.device(of: name), in: .defaultGame, access: .token(token), now: .noon)
                else { throw TestDatabaseError("not registered") }
                ids.append(player.id)
                tokens.append(token)
            }
            let now: @Sendable () -> Instant = { .noon }
            let (allIDs, allTokens) = (ids, tokens)
            try await withFollower(database, now: now) { one in
                try await withFollower(database, now: now) { two in
                    var history = History(
                        database: database, processes: [one, two], tokens: allTokens, ids: allIDs, board: board,
                        model: FriendsModel(count: 8, ties: ties), dice: Dice(seed: seed))
                    for step in 1...240 {
                        try await history.step()
                        if step % 6 == 0 { try await history.compare("seed \(seed), step \(step)") }
                    }
                }
            }
            #expect(try await database.auditComplaints() == [])
        }
    }
}
