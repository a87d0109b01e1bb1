import Avatars
import Crypto
import Domain
import HTTPServer
import HTTPTypes
import NIOCore
import NIOPosix
import Storage

extension Responder {
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

extension Responder {
    /// Decodes a picture on the thread pool, so that it does not block an event loop. The cheap checks come first, and
    /// what passes them waits for one of the few decoders.
    /// - Throws: 422 for text that is no base64, or a picture that is refused; 503 when too many pictures wait.
    func avatar(fromBase64 text: String) async throws -> Avatar {
        guard let bytes = base64Decoded(text.utf8) else {
            throw FieldError("image", "image is no base64. Send a PNG or JPEG in base64.")
        }
        let limits = AvatarLimits(bytesMax: Limits.avatarBytesMax, sideMax: Limits.avatarPixelsMax)
        let picture: UndecodedPicture
        do throws(AvatarError) { picture = try UndecodedPicture(bytes, limits: limits) } catch {
            throw FieldError("image", error.description)
        }
        let result = try await pictureDecoders.run {
            try await NIOThreadPool.singleton.runIfActive { () -> Result<[UInt8], AvatarError> in
                do throws(AvatarError) { return .success(try picture.avatarPNG()) } catch { return .failure(error) }
            }
        }
        switch result {
        case .success(let png):
            guard let hash = AvatarHash(bytes: Array(SHA256.hash(data: png))) else { throw Problem.bug }
            return Avatar(hash: hash, png: png)
        case .failure(let error): throw FieldError("image", error.description)
        }
    }
}
