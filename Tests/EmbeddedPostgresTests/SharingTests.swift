import Glibc
import Testing

@testable import EmbeddedPostgres

extension ClusterTests {
    @Suite struct SharingTests {
        @Test("a second server is refused and told who holds the directory and what to do") func secondServer()
            async throws
        {
            try await Scratch.with { scratch in
                let cluster = try await scratch.open()
                let said = await sentence { _ = try await scratch.open() }
                #expect(
                    said.contains("pid \(getpid())")
                        && said.contains("--database-url \"$(causeboard check --print-database-url)\""))
                #expect(try await scratch.ask("select 1", cluster) == "1")
                await cluster.close()
            }
        }

        @Test("visitors share the server's postmaster, and the last one out stops it") func visitors() async throws {
            try await Scratch.with { scratch in
                let visitor = try await scratch.open(.visitor)
                let pid = scratch.postmaster
                let server = try await scratch.open(.server)
                let other = try await scratch.open(.visitor)
                #expect(server.conninfo(login: "x") == visitor.conninfo(login: "x"))
                await other.close()
                await visitor.close()
                await visitor.close()
                #expect(scratch.postmaster == pid)
                #expect(try await scratch.ask("select 1", server) == "1")
                await server.close()
                #expect(scratch.postmaster == nil)
                #expect(FileStatus(server.socketDirectory, following: false) == nil)
            }
        }

        @Test("a server that leaves first leaves the cluster to the visitor") func serverFirst() async throws {
            try await Scratch.with { scratch in
                let server = try await scratch.open(.server)
                let visitor = try await scratch.open(.visitor)
                await server.close()
                #expect(try await scratch.ask("select 1", visitor) == "1")
                let next = try await scratch.open(.server)
                await visitor.close()
                #expect(try await scratch.ask("select 1", next) == "1")
                await next.close()
                #expect(scratch.postmaster == nil)
            }
        }

        @Test("of many that open a new directory at once, one makes the cluster and all share it") func atOnce()
            async throws
        {
            try await Scratch.with { scratch in
                let clusters = try await withThrowingTaskGroup { group in
                    for role in [Role.visitor, .server, .visitor, .visitor] {
                        group.addTask { try await scratch.open(role) }
                    }
                    return try await group.reduce(into: [EmbeddedCluster]()) { $0.append($1) }
                }
                #expect(Set(clusters.map { $0.conninfo(login: "x") }).count == 1)
                #expect(scratch.postmaster != nil)
                await withTaskGroup { group in for cluster in clusters { group.addTask { await cluster.close() } } }
                #expect(scratch.postmaster == nil)
            }
        }

        @Test("closing works in a task that is cancelled") func closesWhenCancelled() async throws {
            try await Scratch.with { scratch in
                let cluster = try await scratch.open()
                await withTaskGroup { group in
                    group.addTask { await cluster.close() }
                    group.cancelAll()
                }
                #expect(scratch.postmaster == nil)
            }
        }

        @Test("a cancelled open leaves nothing behind") func cancelledOpen() async throws {
            try await Scratch.with { scratch in
                let opening = Task { _ = try await scratch.open() }
                opening.cancel()
                #expect(await sentence { try await opening.value } == "\(ClusterError.cancelled)")
                #expect(scratch.postmaster == nil)
            }
        }

        @Test("a session that does not end does not hold up the last one out") func stubbornSession() async throws {
            try await Scratch.with { scratch in
                let cluster = try await scratch.open()
                let session = try Child.spawn(scratch.psql("select pg_sleep(600)", cluster).arguments, output: 2)
                await cluster.close()
                #expect(scratch.postmaster == nil)
                #expect(await eventually { session.ending() != nil })
            }
        }
    }
}
