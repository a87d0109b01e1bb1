import Domain
import HTTPTypes
import Hummingbird

extension Request {
    /// The form in the body; the query string plays no part in a write.
    /// - Throws: 413 beyond ``Limits/bodyBytesMax``, 415 for a body that says it is something else, 400 for malformed UTF-8.
    func form(_ known: Set<String>) async throws -> FormBody {
        if let type = headers[.contentType]?.lowercased(), Self.otherTypes.contains(where: type.hasPrefix) {
            throw Problem(.mediaType, "The body is read as a form. Send it as application/x-www-form-urlencoded.")
        }
        if let length = headers[.contentLength].flatMap(Int.init), length > Limits.bodyBytesMax { throw Self.tooLarge }
        var bytes: [UInt8] = []
        for try await buffer in body {
            guard bytes.count + buffer.readableBytes <= Limits.bodyBytesMax else { throw Self.tooLarge }
            bytes += buffer.readableBytesView
        }
        return try FormBody(bytes, known: known)
    }

    private static let tooLarge = Problem(.tooLarge, "The body is larger than \(Limits.bodyBytesMax / 1024) KiB. Send less, such as a smaller picture.")

    /// What surely is no form; 2009 clients and hand-written ones say all sorts of things, or nothing, about bodies that are.
    private static let otherTypes = ["multipart/", "application/json", "application/xml", "text/xml"]
}
