import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// A broken picture tells who was identified first: a caller who may not send one hears of the caller, not of the
/// picture.
@Suite struct V1PictureTests {
    /// A PNG whose header is whole and whose pixels are not, in base64.
    private static let broken = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAAElFTkSuQmCC"

    /// A PNG of one pixel, in base64.
    private static let whole =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg" + "ZGIGAAAOAAfXb+R4AAAAAElFTkSuQmCC"

    private func answer(
        _ responder: Responder, _ method: HTTPRequest.Method, _ target: String, _ body: String, token: String? = nil
    ) async -> (status: Int, text: String) {
        var headers = HTTPHeaders()
        if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
        let response = await responder.respond(
            to: Request(
                method: method, target: target, headers: RequestHeaders(headers), body: ByteBuffer(string: body)))
        return (response.status.code, String(buffer: response.body))
    }

    @Test("a caller is identified before a picture is decoded") func authorizedFirst() async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            let responder = Exchange.responder(database.store, database.secret)
            let json = #"{"name": "Ada", "image": "\#(Self.broken)"}"#
            let (player, key) = ("cbd_" + String(repeating: "A", count: 43), "cbk_" + String(repeating: "A", count: 43))
            #expect(await answer(responder, .patch, "/v1/players/me", json, token: player).status == 401)
            #expect(await answer(responder, .put, "/v1/games/maze/players/ada", json, token: key).status == 401)
            let anonymous = await answer(responder, .put, "/v1/games/maze/devices/ada", json)
            #expect(anonymous.status == 422 && anonymous.text.contains("image"), "everybody may register")
            let form = "name=Ada&phone=0123456789&image=\(Self.broken)"
            #expect(await answer(responder, .put, "/customers", form).text.contains("image"))
            #expect(await answer(responder, .put, "/customers/5", form).text.contains("no such customer"))
            _ = try await database.store.admin.setGame(.defaultGame, name: nil, classic: .off, salt: .keep, now: .noon)
            #expect(await answer(responder, .put, "/customers", form).status == 403)
        }
    }

    @Test("a device's token is judged before a picture is decoded") func devices() async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            let responder = Exchange.responder(database.store, database.secret)
            let (own, other) = ("cbd_" + String(repeating: "A", count: 43), "cbd_" + String(repeating: "E", count: 43))
            let picture = #"{"name": "Ada", "image": "\#(Self.broken)"}"#
            func put(_ path: String, _ body: String, _ token: String?) async -> Int {
                await answer(responder, .put, "/v1/games/\(path)", body, token: token).status
            }
            #expect(await put("nowhere/devices/ada", picture, own) == 404)
            #expect(await put("maze/devices/ada", picture, own) == 422, "a new device may bring its own token")
            #expect(await put("maze/devices/ada", #"{"name": "Ada"}"#, own) == 201)
            #expect(await put("maze/devices/ada", picture, own) == 422)
            #expect(await put("maze/devices/ada", picture, other) == 409)
            #expect(await put("maze/devices/ada", picture, nil) == 409)
            #expect(await put("maze/devices/bob", picture, own) == 422, "its token names the device, under any label")
        }
    }

    @Test("a device of the open classic protocol takes up a token with a picture") func classicDevice() async throws {
        try await withTestDatabase { database in
            let responder = Exchange.responder(database.store, database.secret)
            #expect(await answer(responder, .put, "/customers", "name=Ada&phone=0123456789").status == 201)
            let token = "cbd_" + String(repeating: "A", count: 43)
            func put(_ image: String) async -> Int {
                let body = #"{"image": "\#(image)"}"#
                return await answer(responder, .put, "/v1/games/default/devices/0123456789", body, token: token).status
            }
            #expect(await put(Self.broken) == 422)
            #expect(await put(Self.whole) == 200)
            #expect(await answer(responder, .get, "/v1/players/me", "", token: token).status == 200)
        }
    }
}
