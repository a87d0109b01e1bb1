/// What a player whose newest points cannot be donated yet is told.
package struct SettlingContext: Sendable, Equatable {
    /// The points that can be donated, those that are too new for it included.
    package let left: Int64
    /// The points among these that are too new.
    package let settling: Int64
    /// When as much may be given as the player wants to; nil when it is more than is left.
    package let readyAt: Instant?

    package init(left: Int64, settling: Int64, readyAt: Instant?) {
        self.left = left
        self.settling = settling
        self.readyAt = readyAt
    }
}
