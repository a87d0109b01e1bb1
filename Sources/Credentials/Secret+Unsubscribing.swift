package import Domain

extension Secret {
    /// The text of a link that ends a player's updates, for as long as this installation keeps its secret. It works
    /// without any sign-in, as mail programs follow it for their users (RFC 8058), and is good for nothing else.
    package func unsubscribing(_ player: Player.ID) -> String? {
        sealed(Array(String(player.rawValue).utf8), for: .unsubscribing)
    }

    /// The player whose updates a link ends; nil for a text that this secret did not make.
    package func player(unsubscribing text: String) -> Player.ID? {
        opened(text, for: .unsubscribing).flatMap { Player.ID(digits: Substring(decoding: $0, as: UTF8.self)) }
    }
}
