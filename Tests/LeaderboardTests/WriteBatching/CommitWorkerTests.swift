import Domain
import Foundation
import Postgres
import Telemetry
import TestDatabases
import Testing

@testable import Leaderboard
@testable import Storage

@Suite struct CommitWorkerTests {
    /// Ends every session that commits a score, while the table `trouble` has a row. The server alone could say whether
    /// such a commit happened.
    private static let trouble = """
        create table trouble (is_on bool); insert into trouble values (true); create sequence attempts;
        create function trouble_end() returns trigger language plpgsql security definer as $$ begin
          if exists (select from trouble) then
            perform nextval('attempts');
            perform pg_terminate_backend(pg_backend_pid());
            perform pg_sleep(60);
          end if;
          return null;
        end $$;
        create constraint trigger trouble_trg after insert on score deferrable initially deferred
          for each row execute function trouble_end();
        """

    private static func worker(_ database: TestDatabase, _ memory: LeaderboardMemory) -> CommitWorker {
        CommitWorker(
            store: database.store, clock: ServerClock { .noon }, commitBarrier: memory.commitBarrier,
            callers: memory.callers, histories: memory.histories, memory: memory.batches, meters: WriteMeters(),
            bounds: .ofLongWrites, patient: nil)
    }

    @Test(
        "a score that may be committed, and is put off, is recorded and no retry of its client's",
        .timeLimit(.minutes(5)), arguments: [false, true]) func doubt(isLong: Bool) async throws
    {
        try await withTestDatabase { database in
            let memory = LeaderboardMemory(store: database.store)
            let metrics = MetricsRegistry()
            let batcher = WriteBatcher(
                store: database.store, clock: ServerClock { .noon }, memory: memory, workersCount: 1,
                meters: WriteMeters(metrics))
            let ada = try await database.addPlayer("Ada")
            let found = try await database.store.findBoard(.highScores, in: .defaultGame, now: .noon)
            let board = try #require(found)
            // A classic score without an id is looked for among the player's others, which a long history delays.
            let score = NewScore(
                5, by: .player(ada), on: .highScores, in: .defaultGame, id: isLong ? nil : UUID(), isClassic: isLong,
                reachedAt: .noon)
            try await database.owner.script(Self.trouble)
            let holder = try await Connection.open(database.owner, logger: .none)
            defer { holder.close() }
            try await withThrowingTaskGroup { group in
                group.addTask { await batcher.run() }
                let posted = Task { try await batcher.record(includesTotal: false) { _ in score }.receipt.outcome }
                let attempts = "select last_value from attempts where is_called"
                while try await database.owner.ask(attempts).isEmpty { await Task.yield() }
                // The worker tries again and again, and each try that fails lets go of the player's lock.
                try await holder.script("begin; select from wallet where player_id = \(ada.rawValue) for update")
                while !Self.hasDeferred(metrics) { await Task.yield() }
                // What the first try wrote, as if its commit had happened.
                try await holder.script("delete from trouble")
                let batch = LedgerBatch(scores: [score], donations: [], isRepeated: false, marker: nil, now: .noon)
                #expect(try await batch.write(on: holder).scores.map(\.outcome) == [.recorded])
                if isLong { memory.histories.note(.max, readOf: ada, on: board.id) }
                try await holder.script("commit")
                #expect(try await posted.value == .recorded)
                #expect(try await database.owner.ask("select count(*) from score") == ["1"])
                group.cancelAll()
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    private static func hasDeferred(_ metrics: MetricsRegistry) -> Bool {
        var text = MetricsText()
        metrics.write(to: &text)
        return text.text.split(separator: "\n").contains {
            $0.hasPrefix("causeboard_writes_deferred_total ") && !$0.hasSuffix(" 0")
        }
    }

    @Test("of the scores that are committed apart, a few of one caller wait and more are refused at once")
    func longBound() async throws {
        try await withTestDatabase { database in
            let worker = Self.worker(database, LeaderboardMemory(store: database.store))
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            @Sendable func post(by player: Player.ID) -> Task<Result<ScoreOutcome, StoreError>, Never> {
                Task {
                    let score = NewScore(
                        5, by: .player(player), on: .highScores, in: .defaultGame, id: UUID(), reachedAt: .noon)
                    do throws(StoreError) { return .success(try await worker.receipt(of: score).outcome) } catch {
                        return .failure(error)
                    }
                }
            }
            // Nothing is committed before the worker runs.
            var waiting: [Task<Result<ScoreOutcome, StoreError>, Never>] = []
            for count in 1...Limits.longWritesOfCallerMax {
                waiting.append(post(by: ada))
                while worker.pendingWritesCount < count { await Task.yield() }
            }
            let refused = post(by: ada)
            waiting.append(post(by: bob))
            while worker.pendingWritesCount <= Limits.longWritesOfCallerMax { await Task.yield() }
            let running = Task { await worker.run() }
            #expect(await refused.value == .failure(.overloaded))
            worker.close()
            await running.value
            for task in waiting { #expect(await task.value == .success(.recorded)) }
        }
    }
}
