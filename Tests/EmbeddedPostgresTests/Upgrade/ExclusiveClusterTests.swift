import Glibc
import Testing

@testable import EmbeddedPostgres

extension ClusterTests {
    @Suite struct ExclusiveClusterTests {
        @Test("nobody else opens an exclusive cluster, and nobody opens one that has moved") func moved() async throws {
            try await Scratch.with { scratch in
                let data = scratch.paths.data
                let cluster = try await scratch.open()
                await #expect(throws: ClusterError.inUse(directory: data)) {
                    _ = try await ExclusiveCluster(scratch.settings)
                }
                await cluster.close()

                var exclusive: ExclusiveCluster? = try await ExclusiveCluster(scratch.settings)
                await #expect(throws: ClusterError.inUse(directory: data)) {
                    _ = try await ExclusiveCluster(scratch.settings)
                }
                for role in [Role.server, .visitor] {
                    await #expect(throws: ClusterError.beingUpgraded(directory: data)) {
                        _ = try await scratch.open(role)
                    }
                }
                let settings = try #require(exclusive?.settings(.present, binaries: nil))
                await (try EmbeddedCluster.open(settings, as: .visitor)).close()
                try ExclusiveCluster.requireHere(data)
                try exclusive?.markMoved("to a server elsewhere")
                exclusive = nil
                for role in [Role.server, .visitor] {
                    await #expect(throws: ClusterError.moved(directory: data, text: "to a server elsewhere")) {
                        _ = try await scratch.open(role)
                    }
                }
            }
        }

        @Test("the copy of a killed run is removed, and its PostgreSQL is ended") func leftovers() async throws {
            try await Scratch.with { scratch in
                await (try scratch.open()).close()
                var next = scratch.settings
                next.dataDirectory = scratch.paths.next
                _ = try await EmbeddedCluster.open(next, as: .visitor)
                let paths = Paths(data: scratch.paths.next)
                let left = try #require(Postmaster.find(paths, user: scratch.user))

                let cluster = try await ExclusiveCluster(scratch.settings)
                #expect(!cluster.hasFinishedSwap)
                #expect(!ProcessTable.isPostgres(left.pid, of: paths.cluster, user: scratch.user))
                #expect(FileStatus(scratch.paths.next, following: false) == nil)
            }
        }

        @Test("nothing is removed while a mark cannot be read, which may say that the copy is needed") func mark()
            async throws
        {
            try await Scratch.with { scratch in
                await (try scratch.open()).close()
                try SmallFile.replace(scratch.paths.swapMark, with: "forw", owner: .ourselves)
                #expect(mkdir(scratch.paths.next, 0o700) == 0)
                await #expect(throws: ClusterError.swapUnfinished(directory: scratch.paths.data)) {
                    _ = try await ExclusiveCluster(scratch.settings)
                }
                #expect(FileStatus(scratch.paths.next, following: false) != nil)
            }
        }

        @Test("the copy has the operator's settings and the version of the plan") func makeNext() async throws {
            try await Scratch.with { scratch in
                let opened = try await scratch.open()
                _ = try await scratch.ask("alter system set work_mem = '7MB'", opened)
                let major = opened.engine.binaries.major
                await opened.close()
                let cluster = try await ExclusiveCluster(scratch.settings)
                let plan = try await cluster.plan(to: major, programs: [])
                #expect(plan.from == major && plan.to == major && plan.freeMebibytes > 0)
                #expect(plan.neededMebibytes == 2 * plan.clusterMebibytes + Limits.upgradeMebibytes)
                try await cluster.makeNext(plan)
                let next = try await EmbeddedCluster.open(
                    cluster.settings(.next, binaries: plan.newBinaries), as: .visitor)
                #expect(try await scratch.ask("show work_mem", next) == "7MB")
                await next.close()
                await cluster.giveUp()
                #expect(FileStatus(scratch.paths.next, following: false) == nil)
            }
        }
    }
}
