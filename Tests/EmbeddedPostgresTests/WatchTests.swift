import Glibc
import Logging
import ServiceLifecycle
import Testing

@testable import EmbeddedPostgres

extension ClusterTests {
    @Suite struct WatchTests {
        @Test("a postmaster that is killed is started again, and what was committed is there") func restarts()
            async throws
        {
            try await watched { scratch, cluster in
                _ = try await scratch.ask("create table kept (n int); insert into kept values (7)", cluster)
                for round in 1...2 {
                    let old = try #require(scratch.postmaster)
                    kill(old, SIGKILL)
                    #expect(await eventually { cluster.restarts == round })
                    #expect(scratch.postmaster != old)
                    #expect(try await scratch.ask("select n from kept", cluster) == "7")
                }
            }
        }

        @Test("a backend that does not notice the death of its postmaster is ended") func orphanedBackend() async throws
        {
            try await watched { scratch, cluster in
                // This query is a plain loop in the executor. It waits for nothing, so it never notices that its
                // postmaster is gone.
                let loop = "select count(*) from generate_series(1, 100000) a, generate_series(1, 100000000) b"
                let session = try Child.spawn(scratch.psql(loop, cluster).arguments, output: 2)
                let busy = """
                    select count(*) from pg_stat_activity
                     where state = 'active' and query like '%generate_series%' and pid <> pg_backend_pid()
                    """
                while try await scratch.ask(busy, cluster) != "1" { await pause(.milliseconds(50)) }
                kill(try #require(scratch.postmaster), SIGKILL)
                #expect(await eventually { cluster.restarts == 1 })
                #expect(try await scratch.ask(busy, cluster) == "0")
                #expect(await eventually { session.ending() != nil })
            }
        }

        @Test("a socket that was swept away comes back") func sweptSocket() async throws {
            try await watched { scratch, cluster in
                unlink(SocketDirectory.socket(in: cluster.socketDirectory))
                #expect(await eventually { cluster.restarts == 1 })
                let one = try await scratch.ask("select 1", cluster)
                #expect(one == "1")
            }
        }

        @Test("the postmaster that a killed server left running is adopted") func adoption() async throws {
            try await Scratch.with { scratch in
                // Dropping the cluster without closing it frees the locks and stops nothing, as kill -9 does.
                _ = try await scratch.open()
                let orphan = try #require(scratch.postmaster)
                let next = try await scratch.open()
                #expect(scratch.postmaster == orphan)
                await next.close()
                #expect(scratch.postmaster == nil)
            }
        }

        @Test("when server and postmaster were both killed, the next start recovers, whoever has the old pid by now")
        func bothKilled() async throws {
            try await Scratch.with { scratch in
                let socketDirectory = try await scratch.open().socketDirectory
                let old = try #require(scratch.postmaster)
                kill(old, SIGKILL)
                #expect(await eventually { scratch.postmaster == nil })
                // PostgreSQL itself would refuse to start because of another process of the same user with the old pid.
                let stranger = try Child.spawn(scratch.user.arguments(for: "/usr/bin/sleep", ["60"]), output: 2)
                for file in [scratch.paths.postmasterFile, "\(SocketDirectory.socket(in: socketDirectory)).lock"] {
                    let text = try #require(SmallFile.read(file))
                    try SmallFile.replace(
                        file, with: "\(stranger.pid)\(text.drop { $0.isNumber })", owner: scratch.user)
                }
                let next = try await scratch.open()
                #expect(try await scratch.ask("select 1", next) == "1")
                #expect(stranger.ending() == nil)
                await next.close()
                kill(stranger.pid, SIGKILL)
                #expect(await eventually { stranger.ending() != nil })
            }
        }

        /// Runs a test with an open cluster that is watched inside a service group, as in the server.
        private func watched(_ body: (Scratch, EmbeddedCluster) async throws -> Void) async throws {
            try await Scratch.with { scratch in
                let cluster = try await scratch.open()
                let group = ServiceGroup(services: [cluster], logger: scratch.settings.logger)
                let running = Task { try await group.run() }
                let result: Result<Void, any Error>
                do { result = .success(try await body(scratch, cluster)) } catch { result = .failure(error) }
                await group.triggerGracefulShutdown()
                try await running.value
                #expect(scratch.postmaster != nil)  // the watch ends, the cluster goes on until it is closed
                await cluster.close()
                try result.get()
            }
        }
    }
}

extension ClusterTests {
    @Suite struct StopTests {
        @Test("a PostgreSQL that does not react is ended all the same, with its backends, at once when that is urgent")
        func stopped() async throws {
            try await Scratch.with { scratch in
                let cluster = try await scratch.open()
                _ = try await scratch.ask("create table kept (n int); insert into kept values (7)", cluster)
                for pid in ProcessTable.postgresPIDs(of: scratch.paths.cluster, user: scratch.user) {
                    kill(pid, SIGSTOP)
                }
                cluster.hurry()
                await cluster.close()
                #expect(ProcessTable.postgresPIDs(of: scratch.paths.cluster, user: scratch.user).isEmpty)
                let next = try await scratch.open()
                #expect(try await scratch.ask("select n from kept", next) == "7")
                await next.close()
            }
        }

        @Test("the activity of a postmaster is that of its children, too") func activity() async throws {
            try await Scratch.with { scratch in
                let cluster = try await scratch.open()
                let postmaster = try #require(scratch.postmaster)
                let loop = "select count(*) from generate_series(1, 100000) a, generate_series(1, 100000000) b"
                let session = try Child.spawn(scratch.psql(loop, cluster).arguments, output: 2)
                let before = ProcessActivity(ofPostmaster: postmaster).ticks
                #expect(await eventually { ProcessActivity(ofPostmaster: postmaster).ticks > before + 10 })
                await cluster.close()
                #expect(await eventually { session.ending() != nil })
            }
        }
    }
}
