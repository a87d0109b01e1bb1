/// What became of an operator's wish.
package enum OperatorOutcome: String, Sendable {
    case added, set, exists, fixed, classic, closed
    case noGame = "no-game"
    case noBoard = "no-board"
    case noCharity = "no-charity"
    case noKey = "no-key"
    case badZone = "bad-zone"
    case badBounds = "bad-bounds"
    case badTimes = "bad-times"
    case nameTaken = "name-taken"
}
