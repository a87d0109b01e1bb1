/// Where points that somebody new posted now would stand.
package struct PointsPlace: Sendable {
    /// From 1: after all who have them already.
    package let position: Int64
    package let sharedPosition: Int64
    /// How many are ranked in all, the new row not counted.
    package let size: Int64

    package init(position: Int64, sharedPosition: Int64, size: Int64) {
        self.position = position
        self.sharedPosition = sharedPosition
        self.size = size
    }
}
