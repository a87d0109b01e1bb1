import Avatars
import Crypto
import Domain
import NIOPosix

extension Responder {
    /// Decodes a picture on the thread pool, so that it does not block an event loop.
    /// - Throws: 422 for text that is no base64, or a picture that is refused.
    func avatar(fromBase64 text: String) async throws -> Avatar {
        guard let bytes = base64Decoded(Array(text.utf8)) else {
            throw FieldError("image", "image is no base64. Send a PNG or JPEG in base64.")
        }
        let limits = AvatarLimits(bytesMax: Limits.avatarBytesMax, sideMax: Limits.avatarPixelsMax)
        let result = try await NIOThreadPool.singleton.runIfActive { () -> Result<[UInt8], AvatarError> in
            do throws(AvatarError) { return .success(try avatarPNG(from: bytes, limits: limits)) } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let png):
            guard let hash = AvatarHash(bytes: Array(SHA256.hash(data: png))) else { throw Problem.bug }
            return Avatar(hash: hash, png: png)
        case .failure(let error):
            throw FieldError("image", error.description)
        }
    }
}
