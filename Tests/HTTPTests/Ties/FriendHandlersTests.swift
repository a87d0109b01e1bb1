import Credentials
import Domain
import Foundation
import HTTPTypes
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Friends over HTTP: codes, asking, blocks, and what of it others can see.
@Suite struct FriendHandlersTests {
    @Test("two who ask each other are friends, and each sees the other's name and a day") func asking() async throws {
        try await FriendServer.with { server in
            let (ada, bob) = (try await server.person("Ada"), try await server.person("Bob"))
            let asked = await server.send(.put, "friends/\(bob.id)", by: ada)
            #expect(asked.status == .ok && asked.text == #"{"state":"asking"}"#)
            #expect(asked.headers[.idempotentReplayed] == nil)
            #expect(await server.send(.put, "friends/\(bob.id)", by: ada).headers[.idempotentReplayed] == "true")
            let row = #"{"player":\#(ada.id),"name":"Ada","since":"2026-11-20"}"#
            #expect(
                await server.send(.get, "friends", by: bob).text
                    == #"{"friends":[],"asked":[\#(row)],"asking":[],"blocked":[]}"#)
            #expect(await server.send(.put, "friends/\(ada.id)", by: bob).text == #"{"state":"friends"}"#)
            let lists = await server.send(.get, "friends", by: bob)
            #expect(lists.text == #"{"friends":[\#(row)],"asked":[],"asking":[],"blocked":[]}"#)
            #expect(lists.headers[.cacheControl] == "private, no-store")
            #expect(await server.send(.delete, "friends/\(ada.id)", by: bob).status == .noContent)
            #expect(await server.send(.delete, "friends/\(ada.id)", by: bob).status == .noContent)
            #expect(
                await server.send(.get, "friends", by: bob).text
                    == #"{"friends":[],"asked":[],"asking":[],"blocked":[]}"#)
        }
    }

    @Test("a request tells nothing when the other waits, accepts none, or has blocked") func silence() async throws {
        try await FriendServer.with { server in
            let ada = try await server.person("Ada")
            var answers: Set<[String]> = []
            for name in ["Wait", "None", "Block", "Ended"] {
                let other = try await server.person(name)
                if name == "None" {
                    let changed = await server.send(.patch, "/v1/players/me", #"{"asks":false}"#, by: other.token)
                    #expect(changed.status == .ok && changed.object["asks"] as? Bool == false)
                }
                if name == "Block" {
                    #expect(await server.send(.put, "blocks/\(ada.id)", by: other).status == .noContent)
                }
                if name == "Ended" {
                    _ = await server.send(.put, "friends/\(other.id)", by: ada)
                    #expect(await server.send(.delete, "friends/\(ada.id)", by: other).status == .noContent)
                    #expect(await server.send(.delete, "friends/\(other.id)", by: ada).status == .noContent)
                }
                for _ in 0..<2 {
                    let answer = await server.send(.put, "friends/\(other.id)", by: ada)
                    let headers = answer.headers.filter { $0.name != .requestID }.map { "\($0)" }
                    answers.insert(["\(answer.status)", answer.text] + headers)
                }
                let list =
                    (try #require(await server.send(.get, "friends", by: ada).object["asking"] as? [[String: Any]]))
                #expect(
                    list.contains { $0["player"] as? Int == Int(other.id) && $0["since"] as? String == "2026-11-20" })
            }
            // The second time it says that it was so before.
            #expect(answers.count == 2)
        }
    }

    @Test("a code makes friends, and every code that does not is refused with one text") func codes() async throws {
        try await FriendServer.with(.codes) { server in
            let (ada, bob, cleo) = (
                try await server.person("Ada"), try await server.person("Bob"), try await server.person("Cleo")
            )
            let made = await server.send(.post, "friends/codes", by: ada)
            let code = try #require(made.object["code"] as? String)
            #expect(made.status == .created && made.object["expires_at"] as? String == "2026-11-21T12:00:00.000000Z")
            #expect(code.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{8}/) != nil)
            let typed = #"{"code":" \#(code.prefix(4).lowercased())-\#(code.suffix(4)) "}"#
            let friends = await server.send(.post, "friends", typed, by: bob)
            #expect(friends.status == .created && friends.text == #"{"player":\#(ada.id),"name":"Ada"}"#)
            let again = await server.send(.post, "friends", typed, by: bob)
            #expect(again.status == .ok && again.headers[.idempotentReplayed] == "true" && again.text == friends.text)
            #expect(await server.send(.put, "blocks/\(cleo.id)", by: ada).status == .noContent)
            let join = try #require(await server.send(.post, "codes", by: ada).object["code"] as? String)
            var texts: Set<String> = []
            for (body, person) in [
                (typed, ada), (typed, cleo), (#"{"code":"00000000"}"#, bob), (#"{"code":"no code"}"#, bob),
                (#"{"code":"\#(join)"}"#, cleo), (#"{"code":""}"#, cleo),
            ] {
                let refused = await server.send(.post, "friends", body, by: person)
                #expect(refused.status == .unprocessableContent && refused.problemName == "code-refused")
                texts.insert(refused.object["detail"] as? String ?? "")
            }
            #expect(texts.count == 1)
            #expect(await server.send(.post, "friends", "{}", by: cleo).problemName == "field")
            let device = await server.send(
                .put, "/v1/games/maze/devices/pad", #"{"code":"\#(code)"}"#, by: Token.generated(.device))
            #expect(device.problemName == "code-refused", "it brings no device")
            let codes = await server.send(.get, "devices", by: ada).text
            #expect(codes.contains(#""kind":"friend""#))
        }
    }

    @Test("each game says how its players become friends, and ending goes on") func rules() async throws {
        try await FriendServer.with(.codes) { server in
            let (ada, bob) = (try await server.person("Ada"), try await server.person("Bob"))
            let asked = await server.send(.put, "friends/\(bob.id)", by: ada)
            #expect(asked.status == .forbidden && asked.problemName == "forbidden")
            try await server.allow(.off)
            for (method, path) in [
                (HTTPRequest.Method.get, "friends"), (.post, "friends"), (.post, "friends/codes"),
                (.put, "friends/\(bob.id)"),
            ] { #expect(await server.send(method, path, by: ada).problemName == "forbidden", "\(path)") }
            for (method, path) in [
                (HTTPRequest.Method.delete, "friends/\(bob.id)"), (.put, "blocks/\(bob.id)"),
                (.delete, "blocks/\(bob.id)"),
            ] { #expect(await server.send(method, path, by: ada).status == .noContent, "\(path)") }
        }
    }

    @Test("nobody of another game, unknown, erased or oneself is there") func strangers() async throws {
        try await FriendServer.with { server in
            let (ada, gone) = (try await server.person("Ada"), try await server.person("Gone"))
            let stranger = try await server.database.addPlayer("Zoe", in: server.database.addGame("other"))
            try await server.database.moderate(.erase(Player.ID(rawValue: gone.id), confirming: "Gone"))
            for (id, status) in [(stranger.rawValue, 404), (1, 404), (ada.id, 404), (gone.id, 410)] {
                for (method, path) in [
                    (HTTPRequest.Method.put, "friends"), (.delete, "friends"), (.put, "blocks"), (.delete, "blocks"),
                ] {
                    #expect(await server.send(method, "\(path)/\(id)", by: ada).status.code == status, "\(path)/\(id)")
                }
            }
            #expect(await server.send(.get, "/v1/players/me/friends", by: Token.generated(.device)).status.code == 401)
            #expect(await server.send(.get, "/v1/players/me/friends", by: nil).status.code == 401)
            #expect(await server.send(.put, "friends/me", by: ada).status.code == 404)
            #expect(await server.send(.put, "friends/99999999999999999999", by: ada).status.code == 404)
        }
    }
}
