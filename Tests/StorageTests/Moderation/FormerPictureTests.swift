import Credentials
import Domain
import TestDatabases
import Testing

@testable import Storage

/// Pictures that a player has no more are remembered, so that they go with the player.
@Suite struct FormerPictureTests {
    @Test("a picture that was replaced, removed or taken down goes with its player, unless somebody else has it")
    func former() async throws {
        try await withTestDatabase { database in
            let (token, other) = (Token.generated(.device).hash, Token.generated(.device).hash)
            let ada = try await database.owner("Ada", token)
            _ = try await database.owner("Bob", other)
            func change(_ owner: TokenHash, to byte: UInt8?) async throws {
                let hash = try #require(AvatarHash(bytes: Array(repeating: byte ?? 0, count: 32)))
                _ = try await database.change(owner) {
                    $0.avatar = if let byte { .set(Avatar(hash: hash, png: [byte])) } else { .clear }
                }
            }
            func former() async throws -> [String] {
                try await database.owner.ask(
                    "select get_byte(sha256, 0) from former_avatar where player_id = \(ada.rawValue) order by sha256")
            }
            try await change(token, to: 1)
            #expect(try await former() == [], "a first picture replaces none")
            try await change(token, to: 2)
            #expect(try await former() == ["1"])
            try await change(token, to: 2)
            _ = try await database.change(token) { $0.wantsUpdates = true }
            #expect(try await former() == ["1"], "a change that keeps the picture replaces none")
            try await change(token, to: nil)
            #expect(try await former() == ["1", "2"])
            try await change(token, to: 3)
            try await database.moderate(.takeDownPicture(ada))
            #expect(try await former() == ["1", "2", "3"])
            try await change(other, to: 2)
            try await change(token, to: 4)
            try await database.moderate(.erase(ada, confirming: "Ada"))
            #expect(try await former() == [])
            #expect(try await database.owner.ask("select get_byte(sha256, 0) from avatar") == ["2"])
        }
    }
}
