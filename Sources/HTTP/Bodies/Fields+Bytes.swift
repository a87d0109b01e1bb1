extension Fields {
    /// - Parameters:
    ///   - bytes: At most ``Limits/bodyBytesMax``.
    ///   - contentType: The header's value.
    ///   - known: The fields of the route; a form needs them.
    /// - Throws: 415 for a type that is neither, 400 for a body that is not what it should be.
    init(_ bytes: [UInt8], contentType: String?, known: Set<String>) throws(Problem) {
        switch Body.kind(contentType: contentType, firstByte: Body.firstByte(of: bytes)) {
        case .empty: self = .json(JSONObject())
        case .form: self = .form(try FormBody(bytes, known: known))
        case .json:
            do { self = .json(try JSONObject(bytes)) } catch { throw Problem(.malformed, error.description) }
        case nil: throw Problem(.mediaType, "The body is read as JSON or as a form. Send it as application/json.")
        }
    }
}
