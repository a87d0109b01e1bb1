import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import NIOCore
import Pages
import Storage

// The link that ends updates by e-mail. It needs no sign-in: what it holds is sealed for this alone.
extension PageHandlers {
    /// `GET /unsubscribe?t=` shows a button and changes nothing, as programs that look at mail open its links.
    func unsubscribePage(_ request: Request) throws -> Response {
        let (_, link) = try unsubscribing(request)
        return try unsubscribeReply(request, UnsubscribePage(link: link, isDone: false))
    }

    /// `POST /unsubscribe?t=` ends the updates of the link's player. Mail programs send it with a body of their own,
    /// which means nothing here (RFC 8058, section 3.1). To repeat it is no error, and neither is a player who is gone.
    func unsubscribe(_ request: Request) async throws -> Response {
        let (player, link) = try unsubscribing(request)
        try await store.endUpdates(of: player)
        return try unsubscribeReply(request, UnsubscribePage(link: link, isDone: true))
    }

    /// - Throws: 400 for a link that this server did not make.
    private func unsubscribing(_ request: Request) throws(Problem) -> (Player.ID, link: String) {
        guard let link = try QueryParameters(request.target)["t"], let player = secret.player(unsubscribing: link)
        else { throw .badUnsubscribing }
        return (player, link)
    }

    private func unsubscribeReply(_ request: Request, _ page: UnsubscribePage) throws(Problem) -> Response {
        let chosen = try PageQuery(request).language
        let context = PageContext(
            language: chosen ?? PageServer.language(of: request.headers), isLanguageChosen: chosen != nil,
            publicURL: pages.feeds.links.publicURL)
        // Whoever has the address can end somebody's updates, so no cache keeps it and no other site is told it.
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "private, no-store",
                .referrerPolicy: "no-referrer", .vary: "Accept-Language",
                .contentSecurityPolicy: ContentPolicy.page.header,
            ], body: ByteBuffer(bytes: page.html(in: context)))
    }
}
