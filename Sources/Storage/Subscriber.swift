package import Domain

/// Somebody who asked for updates and left an e-mail address.
package struct Subscriber: Sendable {
    package let player: Player.ID
    package let game: String
    package let name: String
    package let email: String
    package let since: Instant
    /// The route that carried the wish.
    package let source: String
}
