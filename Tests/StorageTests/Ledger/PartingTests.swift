import Credentials
import Domain
import TestDatabases
import Testing

@testable import Storage

@Suite struct PartingTests {
    @Test("a score that was held while players were one stays a secret from its owner after they part") func secret()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("maze") { $0.settleMinutes = 60 }
            try await database.addCharity("trees")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let score = try await database.post(50, by: ada, on: "maze").id
            let shown = try await database.store.ownProfile(of: ada, now: .noon).profile.balance
            let merge = try await database.moderate(.merge(ada, into: bob))
            try await database.moderate(.hold(bob, score: score))
            try await database.moderate(.undo(merge))
            #expect(try await database.store.ownProfile(of: ada, now: .noon).profile.balance == shown)
            #expect(try await database.donate(10, by: ada, to: "trees").outcome == .settling)
            let settled = Instant.noon.advanced(bySeconds: 3_600)
            #expect(try await database.store.ownProfile(of: ada, now: settled).profile.balance == 0)
            #expect(try await database.auditComplaints() == [])
        }
    }

    enum Maker: CaseIterable, Sendable { case survivor, parting, operators }

    @Test(
        "a code of the time before players part leads to nobody, unless the one who stays has made it",
        arguments: Maker.allCases) func codes(maker: Maker) async throws
    {
        try await withTestDatabase { database in
            let (token, others) = (Token.generated(.device).hash, Token.generated(.device).hash)
            let ada = try await database.owner("Ada", token)
            let bob = try await database.owner("Bob", others)
            let merge = try await database.moderate(.merge(ada, into: bob))
            let code: CodeHash
            switch maker {
            case .survivor: code = try await database.joinCode(of: others)
            case .parting: code = try await database.joinCode(of: token)
            case .operators:
                code = database.secret.hash(of: .generated(.join), in: .defaultGame)
                let end = Instant.noon.advanced(bySeconds: 600)
                #expect(try await database.store.makeCode(code, for: bob, by: "key", now: .noon, expiresAt: end))
            }
            try await database.moderate(.undo(merge))
            let pad = Token.generated(.device).hash
            #expect(try await database.join("pad", pad, by: code) == (maker == .survivor ? "joined" : "refused"))
        }
    }

    @Test("devices that go back to their player came from nobody else") func devices() async throws {
        try await withTestDatabase { database in
            let tokens = (0..<3).map { _ in Token.generated(.device).hash }
            var players: [Player.ID] = []
            for (name, token) in zip(["Ada", "Bob", "Cy"], tokens) {
                players.append(try await database.owner(name, token))
            }
            let first = try await database.moderate(.merge(players[0], into: players[1]))
            let second = try await database.moderate(.merge(players[1], into: players[2]))
            func cameFrom() async throws -> Set<String> {
                Set(try await database.owner.ask("select merged_from from device where merged_from is not null"))
            }
            #expect(try await cameFrom() == ["\(players[0].rawValue)", "\(players[1].rawValue)"])
            try await database.moderate(.undo(second))
            #expect(try await cameFrom() == ["\(players[0].rawValue)"])
            try await database.moderate(.undo(first))
            #expect(try await cameFrom() == [])
        }
    }
}
