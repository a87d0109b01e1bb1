import enum Contract.ProblemName
import Domain
import Pages

// The sentences of problems with the queries of pages.
extension Problem {
    static let badLanguage = Problem(
        .malformed, "There is no such language. Ask for \(Language.all.map(\.code).joined(separator: ", ")).",
        field: "lang")
    static let badSearch = Problem(
        .malformed, "find is no name that a player can have. Ask for the whole name of a player.", field: "find")
    static let badUnsubscribing = Problem(
        .malformed, "t is no link of this server. Open the whole link of the message, as it is.", field: "t")
    static let noFonts = Problem(
        .notFound,
        "This server has no fonts to draw a picture with. Ask its operator to install some, such as fonts-noto-core.")
    static let noCampaignTotal = Problem(
        .notFound, "This campaign ranks scores, so it has no total to draw. Embed its page instead.")
    static let badSize = Problem(.malformed, "size is s, m or l. Ask for one of them.", field: "size")
    static let badShape = Problem(.malformed, "shape is thermometer or badge. Ask for one of them.", field: "shape")

    static func badColour(_ field: String) -> Problem {
        Problem(.malformed, "\(field) is no colour. Send six hexadecimal digits, such as 0d3b3a.", field: field)
    }
}
