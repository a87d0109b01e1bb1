import Avatars
import Crypto
import Domain
import HTTPServer
import NIOPosix

/// Reads pictures that players send.
final class AvatarReader: Sendable {
    private let decoders = FairWorkers(.picturesDecoded)

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
        let result = try await decoders.run {
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
