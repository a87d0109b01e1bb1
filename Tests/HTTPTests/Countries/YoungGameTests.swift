import Credentials
import Domain
import Foundation
import HTTPServer
import HTTPTypes
import NIOCore
import Storage
import TestDatabases
import Testing

@testable import HTTP

/// What a stranger learns of a player of a game for young players.
@Suite struct YoungGameTests {
    /// Texts of the player that no stranger may read. Names and points stand in rankings.
    private static let secrets = ["ada@example.org", "NZ", "DE-BE"]

    /// Paths of every public route that is read, with the player's id, its board and its game in their holes.
    private func paths(of player: Int) -> [String] {
        Routes.all.filter { $0.methods.contains(.get) && $0.audience != .admin && $0.audience != .console }.flatMap {
            route -> [String] in
            var path = route.template.text
            for (hole, value) in [
                ("{game}", "maze"), ("{board}", "lap"), ("{player}", "\(player)"), ("{charity}", "trees"),
                ("{id}", "\(player)"), ("{your-id}", "u7"), ("{item}", UUID().uuidString.lowercased()),
                ("{device}", "phone"), ("{slot}", "a"), ("{provider}", "shop"), ("{file}", "style.css"),
                ("{sha256}", String(repeating: "0", count: 64)), ("{entry}", "1"),
            ] { path = path.replacingOccurrences(of: hole, with: value) }
            let suffixes =
                path.contains("{.") || path.contains("{") ? ["", ".json", ".csv", ".xml", ".atom", ".html"] : [""]
            let bare = path.replacing(/\{[^}]*\}/, with: "")
            return suffixes.flatMap { [bare + $0, bare + $0 + "?country=DE-BE", bare + $0 + "?players=\(player)"] }
        }
    }

    @Test("a stranger reads no address, country or flag on any public path, and finds no profile, page or card")
    func stranger() async throws {
        try await FlagServer.run { server in
            try await server.database.addCharity("trees")
            // The flag is from before the game was for young players.
            let ada = try await server.player("Ada", flag: "DE-BE")
            try await server.set { $0.audience = .young }
            let bea = Token.generated(.device)
            let body = #"{"name":"Bea","email":"ada@example.org","country":"NZ"}"#
            let made = await server.send(.put, "/v1/games/maze/devices/phone-of-bea", body, by: bea)
            #expect(made.status == .created)
            for player in [ada, bea] {
                await server.post(5, by: player, on: "lap")
                await server.post(7, by: player, on: "gems")
            }
            #expect(try await server.database.owner.ask("select email from player where email is not null") == [])
            let (first, second) = (
                await server.send(.get, "/v1/players/me", by: ada), await server.send(.get, "/v1/players/me", by: bea)
            )
            let ids = [first, second].compactMap { $0.object["id"] as? Int }
            try #require(ids.count == 2)
            var served = 0
            for path in ids.flatMap(paths) {
                let response = await server.send(.get, path)
                guard response.status == .ok else { continue }
                served += 1
                // Pictures have any bytes, and cards of listed players show names and points alone.
                if response.headers[.contentType]?.hasPrefix("image/png") ?? false { continue }
                for secret in Self.secrets {
                    // The codes of countries are also in texts that are nobody's, such as the contract.
                    if path.hasPrefix("/openapi") || path.hasPrefix("/causeboard.js") { continue }
                    #expect(!response.text.contains(secret), "\(path) has \(secret)")
                }
            }
            #expect(served > 40)
            // Who was there before stays listed; a new player is not.
            #expect(await server.send(.get, "/v1/players/\(ids[0])").status == .ok)
            for path in ["/v1/players/\(ids[1])", "/players/\(ids[1])", "/cards/players/\(ids[1]).png"] {
                #expect(await server.send(.get, path).status == .notFound, "\(path)")
            }
            // The player itself may be listed, and may not show a flag.
            let listed = await server.send(.patch, "/v1/players/me", #"{"unlisted":false}"#, by: bea)
            #expect(listed.object["unlisted"] as? Bool == false)
            let flag = await server.send(.patch, "/v1/players/me", #"{"flag":"FR"}"#, by: bea)
            #expect(flag.problemName == "field" && flag.object["field"] as? String == "flag")
            #expect(await server.send(.get, "/v1/games/maze/boards/lap/top.json?country=DE-BE").status == .notFound)
            #expect(await server.send(.get, "/v1/games/maze/boards/lap/countries/top.json").status == .notFound)
            // What was set is back once the game is for all.
            try await server.set { $0.audience = .all }
            #expect(await server.send(.get, "/v1/games/maze/boards/lap/top.json").text.contains("DE-BE"))
        }
    }
}
