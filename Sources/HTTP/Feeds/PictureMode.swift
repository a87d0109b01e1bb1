/// How `TopScores` shows a player's picture.
package enum PictureMode: String, Sendable {
    /// As base64: one request brings everything.
    case embed
    /// As the address of the picture.
    case link
}
