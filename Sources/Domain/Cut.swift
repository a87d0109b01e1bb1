/// Which rows of a ranking are asked for.
package enum Cut: Sendable, Equatable {
    /// From this position on, from 1.
    case from(Int64)
    /// Those that follow a place; whether its row still stands there does not matter, so pages neither skip nor repeat a row while posts arrive.
    case after(Place)
    /// The nearest ones before a place.
    case before(Place)

    package static let top = Cut.from(1)
}
