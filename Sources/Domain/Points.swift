/// How points are read from a text.
package enum Points {
    /// A whole number of 64 bits in decimal digits, with an optional sign.
    /// - Throws: The sentence that says what to change, also for a number beyond 64 bits.
    package static func whole(_ text: String, field: String) throws(FieldError) -> Int64 {
        guard let value = Int64(text) else {
            throw FieldError(field, "\(field) is no whole number of 64 bits. Send digits only, such as 1500.")
        }
        return value
    }
}
