import enum Contract.Reply
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import NIOCore

/// Makes JSON replies from the types of `Contract` and from trees.
final class Replies: Sendable {
    let links: FeedLinks
    let secret: Secret

    init(links: FeedLinks, secret: Secret) { (self.links, self.secret) = (links, secret) }

    /// A public response, the same for every client, with an ETag.
    func cacheable(_ request: Request, _ tree: JSONTree) -> Response {
        Entity(
            bytes: tree.bytes(links: links), contentType: "application/json", isGzip: Entity.takesGzip(request.headers)
        ).response(to: request.headers)
    }

    /// A private response, which no cache may store.
    func own(_ status: HTTPResponse.Status, _ tree: JSONTree) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "private, no-store"],
            body: ByteBuffer(bytes: tree.bytes(links: links)))
    }

    /// 201 with the `Location` of a new record, or 200 with `Idempotent-Replayed` for one that was recorded before.
    func written(_ tree: JSONTree, at path: String, isReplay: Bool) -> Response {
        var response = own(isReplay ? .ok : .created, tree)
        if isReplay {
            response.headers[.idempotentReplayed] = "true"
        } else {
            response.headers[.location] = (links.publicURL ?? "") + path
        }
        return response
    }

    func cacheable(_ request: Request, _ reply: some Encodable) -> Response { cacheable(request, JSONTree(reply)) }

    func own(_ status: HTTPResponse.Status, _ reply: some Encodable) -> Response { own(status, JSONTree(reply)) }

    /// A player as everybody sees it.
    func player(_ id: Player.ID, _ name: String, _ avatar: AvatarHash?) -> Reply.Player {
        Reply.Player(id: id.rawValue, name: name, avatar: avatar.map { links.resolved(Routes.v1.avatar.path($0)) })
    }
}
