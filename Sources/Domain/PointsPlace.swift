/// Where points that somebody new posted now would stand.
package struct PointsPlace: Sendable {
    /// From 1: after all who have them already.
    package let position: Int64
    package let sharedPosition: Int64

    package init(position: Int64, sharedPosition: Int64) {
        self.position = position
        self.sharedPosition = sharedPosition
    }
}
