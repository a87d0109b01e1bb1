extension OpenAPI {
    /// The document as it is sent, compressed or not. It never changes, so each form is made once, when it is first
    /// asked for, and kept.
    static func entity(isGzip: Bool) -> Entity { isGzip ? compressed : plain }

    private static let plain = made(isGzip: false)
    private static let compressed = made(isGzip: true)

    private static func made(isGzip: Bool) -> Entity {
        Entity(bytes: bytes, contentType: "application/yaml", isGzip: isGzip)
    }
}
