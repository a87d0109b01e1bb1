import Domain
import Postgres
import Storage
import TestDatabases
import Testing

@testable import Live

/// What is in memory shows by what is still known after the database has been edited behind the stream's back.
@Suite struct FacesTests {
    static let nobody: Int64 = 7

    @Test("a name is read once and kept, until the stream tells of a change or is lost")
    func keeps() async throws {
        try await withTestDatabase { database in
            let player = try await database.addPlayer("Ada").rawValue
            let faces = Faces(store: database.store, max: 1_000)
            #expect(try await faces.name(of: player) == "Ada")
            try await database.rename(player, "Bo")
            #expect(try await faces.name(of: player) == "Bo", "nothing is kept without a stream")
            faces.setFollowing(true)
            let version = faces.version
            #expect(try await faces.name(of: player) == "Bo")
            try await database.rename(player, "Cy")
            #expect(try await faces.name(of: player) == "Bo" && faces.version == version)
            #expect(try await faces.name(of: -player) == "Bo")
            faces.forget(player)
            #expect(faces.version != version)
            #expect(try await faces.name(of: player) == "Cy")
            try await database.rename(player, "Di")
            faces.setFollowing(false)
            #expect(try await faces.name(of: player) == "Di")
            #expect(try await faces.faces(of: [Self.nobody, player]).map { $0?.name } == [nil, "Di"])
        }
    }

    @Test("those who are near come along")
    func near() async throws {
        try await withTestDatabase { database in
            let (ada, bo) = (try await database.addPlayer("Ada").rawValue, try await database.addPlayer("Bo").rawValue)
            let faces = Faces(store: database.store, max: 1_000)
            faces.setFollowing(true)
            #expect(try await faces.faces(of: [ada]) { [bo] }.map { $0?.name } == ["Ada"])
            try await database.rename(bo, "Cy")
            #expect(try await faces.name(of: bo) == "Bo")
        }
    }

    @Test("when the database is asked for very many, all are read of whom there is room, and nobody is forgotten for it")
    func fill() async throws {
        try await withTestDatabase { database in
            var players: [Int64] = []
            for index in 0..<40 { players.append(try await database.addPlayer("Player \(index)").rawValue) }
            let faces = Faces(store: database.store, max: 1_000)
            faces.setFollowing(true)
            #expect(try await faces.name(of: players[39]) == "Player 39")
            let filling = Task { await faces.fill() }
            for _ in 1..<Limits.faceReadsMax { #expect(try await faces.name(of: Self.nobody) == nil) }
            for _ in 0..<500 where faces.keptCount < 40 { try await Task.sleep(for: .milliseconds(10)) }
            try await database.owner.script("update player set name = name || '!'")
            #expect(try await faces.faces(of: players).map { $0?.name } == (0..<40).map { "Player \($0)" })
            filling.cancel()
            await filling.value
        }
    }

    @Test("no more than twice as many as there is room for are kept, and those asked for last are among them")
    func room() async throws {
        try await withTestDatabase { database in
            var players: [Int64] = []
            for index in 0..<300 { players.append(try await database.addPlayer("Player \(index)").rawValue) }
            let faces = Faces(store: database.store, max: 64)
            faces.setFollowing(true)
            for player in players { _ = try await faces.name(of: player) }
            #expect(faces.keptCount <= 2 * (64 + 64) && faces.keptCount >= 64)
            try await database.owner.script("update player set name = name || '!'")
            #expect(try await faces.name(of: players[299]) == "Player 299")
        }
    }
}

extension Faces {
    fileprivate func name(of player: Int64) async throws -> String? {
        try await faces(of: [player]).first.flatMap { $0?.name }
    }
}

extension TestDatabase {
    fileprivate func rename(_ player: Int64, _ name: String) async throws {
        try await owner.script("update player set name = '\(name)' where id = \(player)")
    }
}
