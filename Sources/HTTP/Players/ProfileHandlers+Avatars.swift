import Domain
import HTTPServer
import HTTPTypes
import NIOCore
import Storage

extension ProfileHandlers {
    /// `GET /v1/avatars/{sha256}.png`. The name is the content's hash, so the bytes never change; they may be cached
    /// for one day only, because a picture may be taken down.
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
