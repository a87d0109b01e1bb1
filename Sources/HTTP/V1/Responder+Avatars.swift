import Domain
import HTTPTypes
import NIOCore
import Storage

extension Responder {
    /// `GET /v1/avatars/{sha256}.png`: the name is the content's, so it never changes; yet it may be taken down, so it
    /// may be cached for a day only.
    func avatarPicture(_ request: Request, _ hash: AvatarHash) async throws -> Response {
        guard let avatar = try await store.findAvatar(hash) else { throw Problem.noPicture }
        guard avatar.isUsed else { throw Problem.pictureGone }
        let etag = "\"\(hash.hex)\""
        var headers: HTTPFields = [.eTag: etag, .cacheControl: "public, max-age=86400"]
        if let known = request.headers[.ifNoneMatch], Entity.matches(known, etag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = "image/png"
        return Response(status: .ok, headers: headers, body: ByteBuffer(bytes: avatar.png))
    }
}
