import enum Contract.Reply
import struct Contract.Timestamp
import Crypto
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Storage

/// What a game keeps for a player beside its scores: bytes in slots, which nobody but the player's devices reads.
final class SaveHandlers: RouteHandlers {
    let store: Store
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates
    let replies: Replies

    init(store: Store, clock: ServerClock, callers: Callers, rates: RequestRates, replies: Replies) {
        (self.store, self.clock, self.callers, self.rates, self.replies) = (store, clock, callers, rates, replies)
    }

    static func of(_ handlers: Handlers) -> SaveHandlers { handlers.saves }

    /// `GET /v1/players/me/saves`
    func mySaves(_ request: Request) async throws -> Response {
        let saves = try await store.saves(of: callers.callingPlayer(request, in: nil))
        return replies.own(.ok, Reply.SaveList(saves: saves.map(Self.reply(to:))))
    }

    /// `GET /v1/players/me/saves/{slot}?etag=`
    func mySave(_ request: Request, in slot: Slug) async throws -> Response {
        let query = try request.parameters()
        let version = try query["etag"].map { text throws(Problem) in
            guard let etag = SaveETag(text) else { throw Problem.noSave }
            return etag
        }
        let player = try await callers.callingPlayer(request, in: nil)
        guard let save = try await store.findSave(of: player, in: slot, etag: version) else { throw Problem.noSave }
        return Entity(bytes: save.body, contentType: "application/octet-stream", caching: .own, isGzip: false).response(
            to: request.headers)
    }

    /// `GET /v1/players/me/saves/{slot}/versions`
    func mySaveVersions(_ request: Request, in slot: Slug) async throws -> Response {
        let player = try await callers.callingPlayer(request, in: nil)
        let versions = try await store.saveVersions(of: player, in: slot)
        guard !versions.isEmpty else { throw Problem.noSave }
        return replies.own(.ok, .object([.init("versions", .list(versions.map { JSONTree(Self.reply(to: $0)) }))]))
    }

    /// `PUT /v1/players/me/saves/{slot}`
    func save(_ request: Request, in slot: Slug) async throws -> Response {
        let token = try callers.playerToken(request)
        guard request.body.readableBytes <= Limits.saveBytesMax else { throw Problem.saveTooLarge }
        try rates.requireRoom()
        let bytes = request.body.readableBytes + Limits.noteRowBytes
        return try await rates.storing(bytes, of: request, by: nil) {
            let spender = try await rates.spender(callers.writingDevice(token))
            let expected = try Precondition.expectation(request.headers)
            return try await rates.charging(spender, bytes, to: .playerStoredBytes) {
                try await rates.counting(spender, in: .playerSaves) {
                    let done = try await save(request, in: slot, of: token, expected: expected)
                    return (value: done, counts: done.stays)
                }
            }
        }
    }

    /// - Returns: The response, and whether the bytes differ from those in the slot.
    private func save(_ request: Request, in slot: Slug, of token: TokenHash, expected: SaveExpectation) async throws
        -> (value: Response, stays: Bool)
    {
        let body = Array(request.body.readableBytesView)
        let etag = SaveETag(of: body)
        switch try await store.save(body, etag, in: slot, of: token, expected: expected, now: clock.now) {
        case .stored(let savedAt, let isNew): return (saved(slot, etag, savedAt, isNew ? .created : .ok), stays: true)
        case .known(let savedAt):
            var response = saved(slot, etag, savedAt, .ok)
            response.headers[.idempotentReplayed] = "true"
            return (response, stays: false)
        case .stale(let current): throw Problem.staleSave(current?.text)
        case .slotsFull: throw Problem.slotsFull
        case .postFirst: throw Problem.postFirst
        case .banned: throw Problem.banned
        case nil: throw Problem.unauthorized
        }
    }

    /// `DELETE /v1/players/me/saves/{slot}`
    func deleteSave(_ request: Request, in slot: Slug) async throws -> Response {
        let token = try callers.playerToken(request)
        let spender = try await rates.spender(callers.writingDevice(token))
        let expected = try Precondition.version(request.headers)
        return try await rates.counting(spender, in: .playerSaves) {
            switch try await store.deleteSave(in: slot, of: token, expected: SaveETag(hex: expected)) {
            case .deleted:
                return (Response(status: .noContent, headers: [.cacheControl: "private, no-store"]), counts: true)
            case .noSave: throw Problem.noSave
            case .stale(let current): throw Problem.staleSave(current?.text)
            case .banned: throw Problem.banned
            case nil: throw Problem.unauthorized
            }
        }
    }

    private func saved(_ slot: Slug, _ etag: SaveETag, _ savedAt: Instant, _ status: HTTPResponse.Status) -> Response {
        let reply = Reply.SaveSummary(slot: slot.description, etag: etag.text, bytes: nil, savedAt: Timestamp(savedAt))
        var response = replies.own(status, reply)
        response.headers[.eTag] = etag.text
        return response
    }

    private static func reply(to version: SaveVersion) -> Reply.SaveSummary {
        Reply.SaveSummary(
            slot: version.slot.description, etag: version.etag.text, bytes: Int(version.bytesCount),
            savedAt: Timestamp(version.savedAt))
    }
}

extension SaveETag {
    init(of body: [UInt8]) {
        guard let etag = SaveETag(bytes: Array(SHA256.hash(data: body).prefix(Self.bytesCount))) else {
            preconditionFailure("a SHA-256 has 32 bytes")
        }
        self = etag
    }

    /// What a query says, with the quotes of the header or without them.
    init?(_ text: String) {
        let quote = UInt8(ascii: "\"")
        let isQuoted = text.utf8.count >= 2 && text.utf8.first == quote && text.utf8.last == quote
        self.init(hex: isQuoted ? text.dropFirst().dropLast() : text[...])
    }

    /// As headers and JSON have it.
    var text: String { Precondition.etag(hex) }
}
