/// Why a verb was not done: a sentence for the operator that says what to do.
struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
