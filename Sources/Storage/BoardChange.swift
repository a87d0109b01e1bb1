package import Domain

/// What is to change of a score board; nil and `.keep` leave a setting as it is.
package struct BoardChange: Sendable {
    package var name: DisplayName?
    package var policy: Board.Policy?
    package var lowestFirst: Bool?
    package var pointsMin: Int64?
    package var pointsMax: Int64?
    package var zone: String?
    package var ties: Board.Ties?
    package var earning: Earning?
    package var earnMax = Change<Int64>.keep
    package var earnDay = Change<Int64>.keep
    package var opensAt = Change<Instant>.keep
    package var closesAt = Change<Instant>.keep

    package init() {}
}
