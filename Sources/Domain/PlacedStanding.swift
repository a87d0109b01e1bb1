/// A row of a ranking, and where it stands.
package struct PlacedStanding: Sendable {
    package let standing: Standing
    package let place: PlayerPlace

    package init(standing: Standing, place: PlayerPlace) {
        self.standing = standing
        self.place = place
    }
}
