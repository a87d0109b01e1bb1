package import Domain

/// A charity that is to be added, or what is to change of one.
package struct CharityChange: Sendable {
    package var name: DisplayName?
    package var url = Change<String>.keep
    package var description = Change<String>.keep
    package var goal = Change<Int64>.keep
    package var opensAt = Change<Instant>.keep
    package var closesAt = Change<Instant>.keep

    package init() {}
}
