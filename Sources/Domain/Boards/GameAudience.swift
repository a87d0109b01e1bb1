/// Who a game is made for. It asks nobody's age.
package enum GameAudience: String, Sendable, CaseIterable {
    case all
    /// Children, of whom strangers learn little. The view `effective_game` has the settings that are in effect then.
    case young
}
