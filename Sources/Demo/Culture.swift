/// Where players come from: how they are called, their countries, and when it is evening there.
struct Culture: Sendable {
    struct Country: Sendable {
        let code: String
        /// East of Greenwich; summer time is left out.
        let offsetMinutes: Int
    }

    let given: [String]
    let family: [String]
    /// Written family name first, without a space.
    let familyFirst: Bool
    let countries: [Country]
    let weight: Int

    /// - Parameters:
    ///   - given: Separated by spaces.
    ///   - countries: `DE+60 AT+60`: code and minutes east of Greenwich.
    init(_ given: String, _ family: String, familyFirst: Bool = false, _ countries: String, weight: Int) {
        self.given = given.split(separator: " ").map(String.init)
        self.family = family.split(separator: " ").map(String.init)
        self.familyFirst = familyFirst
        self.countries = countries.split(separator: " ").map { country in
            Country(code: String(country.prefix(2)), offsetMinutes: Int(country.dropFirst(2)) ?? 0)
        }
        self.weight = weight
    }
}
