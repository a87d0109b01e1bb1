/// A country in two letters (ISO 3166-1), upper case. Whether there is such a country changes faster than servers do, so it is not looked up.
package struct CountryCode: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard text.utf8.count == 2,
            text.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) && $0 >= UInt8(ascii: "A") })
        else { throw FieldError(field, "\(field) is no country. Send two letters such as NZ (ISO 3166), or leave it out.") }
        self.text = text.uppercased()
    }
}
