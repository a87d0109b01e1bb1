/// How large a picture may come in. The numbers live with all other limits of the server.
package struct AvatarLimits: Sendable, Hashable {
    /// Of the file as it came, base64 taken off.
    package var bytesMax: Int
    /// Of width and of height each, in pixels.
    package var sideMax: Int

    package init(bytesMax: Int, sideMax: Int) {
        self.bytesMax = bytesMax
        self.sideMax = sideMax
    }
}
