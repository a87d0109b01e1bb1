import Feeds
import HTTPTypes
import NIOCore

extension Responder {
    /// What everybody may see, with an ETag.
    func publicReply(_ request: Request, _ tree: JSONTree) -> Response {
        Entity(
            bytes: tree.bytes(links: links),
            contentType: "application/json",
            variesByAccept: false,
            isGzip: Entity.takesGzip(request.headers)
        ).response(to: request.headers)
    }

    /// What is somebody's own: no cache keeps it.
    func ownReply(_ status: HTTPResponse.Status, _ tree: JSONTree) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "private, no-store"],
            body: ByteBuffer(bytes: tree.bytes(links: links))
        )
    }

    /// 201 with the address of what was made, or 200 with `Idempotent-Replayed` for what was recorded before.
    func written(_ tree: JSONTree, at path: String, isReplay: Bool) -> Response {
        var response = ownReply(isReplay ? .ok : .created, tree)
        if isReplay {
            response.headers[.idempotentReplayed] = "true"
        } else {
            response.headers[.location] = (links.publicURL ?? "") + path
        }
        return response
    }
}
