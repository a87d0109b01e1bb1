import Credentials
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Storage

/// The classic protocol.
final class ClassicHandlers: RouteHandlers {
    let store: Store
    let writeBatcher: WriteBatcher
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    let links: FeedLinks
    let feeds: FeedServer
    let callers: Callers
    let rates: RequestRates
    let avatars: AvatarReader

    init(
        store: Store, writeBatcher: WriteBatcher, rankings: Rankings, secret: Secret, clock: ServerClock,
        links: FeedLinks, feeds: FeedServer, callers: Callers, rates: RequestRates, avatars: AvatarReader
    ) {
        (self.store, self.writeBatcher, self.rankings, self.secret) = (store, writeBatcher, rankings, secret)
        (self.clock, self.links, self.feeds, self.callers, self.rates) = (clock, links, feeds, callers, rates)
        self.avatars = avatars
    }

    static func of(_ handlers: Handlers) -> ClassicHandlers { handlers.classic }

    /// The `default` game, and the player of the device, if it is registered.
    /// - Throws: 403 unless the game is open to the classic protocol.
    func classicCall(from device: DeviceHash?) async throws -> ClassicCall {
        guard let call = try await store.findClassicCall(from: device, in: .defaultGame), call.game.classic == .open
        else { throw Problem.classicClosed }
        if let device, call.player != nil { await callers.noteUse(of: device) }
        return call
    }

    /// The client's own id of a score or donation, if it sent one.
    static func id(_ form: FormBody) throws(Problem) -> UUID? {
        guard let text = form["id"], !text.isEmpty else { return nil }
        guard let id = UUID(text: text) else { throw Problem.badID }
        return id
    }

    /// The response with a small document, in the format that the suffix or `Accept` asks for.
    func reply(to request: Request, _ status: HTTPResponse.Status, _ document: Document, suffix: DocumentFormat?)
        -> Response
    {
        let format = DocumentFormat.chosen(suffix: suffix, accept: request.headers[.accept])
        let bytes = format == .xml ? document.xml(links: links) : document.json(links: links)
        return Response(
            status: status, headers: [.contentType: format.contentType, .cacheControl: "private, no-store"],
            body: ByteBuffer(bytes: bytes))
    }

    /// 201, or 200 with `Idempotent-Replayed` for a post that was recorded before.
    func written(to request: Request, _ document: Document, isReplay: Bool, suffix: DocumentFormat?) -> Response {
        var response = reply(to: request, isReplay ? .ok : .created, document, suffix: suffix)
        if isReplay { response.headers[.idempotentReplayed] = "true" }
        return response
    }
}
