extension String {
    /// Without differences of case, also where a letter has two lower-case forms or a capital of two letters: `ς` and `σ`, `ß` and `ẞ` and `SS`.
    /// Lower case alone keeps those apart, upper case alone keeps `ẞ`, and the standard library has no case folding.
    var caseFolded: String { lowercased().uppercased().lowercased() }
}
