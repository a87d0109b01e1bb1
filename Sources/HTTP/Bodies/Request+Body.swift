import Domain
import HTTPTypes
import NIOCore

extension Request {
    /// The form in the body; the query string plays no part in a write.
    /// - Throws: 415 for a body that says it is something else, 400 for malformed UTF-8.
    func form(_ known: Set<String>) throws(Problem) -> FormBody {
        // 2009 clients and hand-written ones say all sorts of things, or nothing, about bodies that are forms.
        if let type = headers[.contentType]?.prefix(64).lowercased(), Self.otherTypes.contains(where: type.hasPrefix) {
            throw Problem(.mediaType, "The body is read as a form. Send it as application/x-www-form-urlencoded.")
        }
        return try FormBody(Array(body.readableBytesView), known: known)
    }

    /// The fields of a v1 request, as JSON or as a form.
    /// - Throws: 415, 400 for what is malformed.
    func fields(_ known: Set<String>) throws(Problem) -> Fields {
        try Fields(Array(body.readableBytesView), contentType: headers[.contentType], known: known)
    }

    /// What surely is no form.
    private static let otherTypes = ["multipart/", "application/json", "application/xml", "text/xml"]
}
