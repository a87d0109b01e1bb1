import Testing

@testable import EmbeddedPostgres

extension ClusterTests {
    @Suite struct DepartureTests {
        @Test("while a database is moved to another place nobody opens it, and behind the mark nobody does any more")
        func moved() async throws {
            try await Scratch.with { scratch in
                let cluster = try await scratch.open()
                #expect(try await Departure.begin(scratch.settings) == nil)
                await cluster.close()

                var departure = try await Departure.begin(scratch.settings)
                #expect(try await Departure.begin(scratch.settings) == nil)
                for role in [Role.server, .visitor] {
                    await #expect(throws: ClusterError.beingUpgraded(directory: scratch.paths.data)) {
                        _ = try await scratch.open(role)
                    }
                }
                var moving = scratch.settings
                moving.isUpgrading = true
                await (try EmbeddedCluster.open(moving, as: .visitor)).close()
                #expect(Departure.marked(in: scratch.paths.data) == nil)
                try departure?.mark("to a server elsewhere")
                departure = nil
                #expect(Departure.marked(in: scratch.paths.data) == "to a server elsewhere\n")
                for role in [Role.server, .visitor] {
                    await #expect(throws: ClusterError.departed(directory: scratch.paths.data)) {
                        _ = try await scratch.open(role)
                    }
                }
            }
        }
    }
}
