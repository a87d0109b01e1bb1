struct Refused: Error, CustomStringConvertible {
    let description: String
}
