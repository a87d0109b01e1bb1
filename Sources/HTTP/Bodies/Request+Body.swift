import Domain
import HTTPTypes
import Hummingbird

extension Request {
    /// The form in the body; the query string plays no part in a write.
    /// - Throws: 413 beyond ``Limits/bodyBytesMax``, 415 for a body that says it is something else, 400 for malformed UTF-8.
    func form(_ known: Set<String>, _ context: ClientContext) async throws -> FormBody {
        // 2009 clients and hand-written ones say all sorts of things, or nothing, about bodies that are forms.
        if let type = headers[.contentType]?.prefix(64).lowercased(), Self.otherTypes.contains(where: type.hasPrefix) {
            throw Problem(.mediaType, "The body is read as a form. Send it as application/x-www-form-urlencoded.")
        }
        return try FormBody(try await bytes(context), known: known)
    }

    /// The fields of a v1 request, as JSON or as a form.
    /// - Throws: 413, 415, 400 for what is malformed.
    func fields(_ known: Set<String>, _ context: ClientContext) async throws -> Fields {
        try Fields(try await bytes(context), contentType: headers[.contentType], known: known)
    }

    private func bytes(_ context: ClientContext) async throws -> [UInt8] {
        if let length = headers[.contentLength].flatMap(Int.init), length > Limits.bodyBytesMax { throw Self.tooLarge }
        var bytes: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(Limits.bodySecondsMax)
        let alarm = context.deadline(after: .seconds(Limits.bodySecondsMax))
        defer { alarm.cancel() }
        var chunks = body.makeAsyncIterator()
        while true {
            let chunk: ByteBuffer?
            do {
                chunk = try await chunks.next()
            } catch is CancellationError {
                throw Problem.stopping
            } catch {
                throw ContinuousClock.now < deadline ? Self.broken : Self.tooSlow
            }
            guard ContinuousClock.now < deadline else { throw Self.tooSlow }
            guard let chunk else { return bytes }
            guard bytes.count + chunk.readableBytes <= Limits.bodyBytesMax else { throw Self.tooLarge }
            bytes += chunk.readableBytesView
        }
    }

    private static let broken = Problem(
        .malformed, "The body ended early, or its length or chunks are not what the head says. Send it whole.")
    private static let tooSlow = Problem(.tooSlow, "The body took longer than \(Limits.bodySecondsMax) s. Send it in one go.")
    private static let tooLarge = Problem(
        .tooLarge, "The body is larger than \(Limits.bodyBytesMax / 1024) KiB. Send less, such as a smaller picture.")

    /// What surely is no form.
    private static let otherTypes = ["multipart/", "application/json", "application/xml", "text/xml"]
}
