import Glibc
import Testing

@testable import EmbeddedPostgres

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
