public import Contract
public import Foundation

extension Timestamp {
    /// The instant rounded down to microseconds; 1970 for a date that is no number.
    public init(_ date: Date) {
        let given = date.timeIntervalSince1970
        // Beyond these years a date is no time of a game, and would not fit.
        let seconds = given.isNaN ? 0 : min(max(given, -62_135_596_800), 253_402_300_799)
        self.init(microsecondsSince1970: Int64((seconds * 1_000_000).rounded(.down)))
    }

    public var date: Date { Date(timeIntervalSince1970: Double(microsecondsSince1970) / 1_000_000) }

    /// An instant as the headers of HTTP have it (RFC 9110, 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    init?(httpDate text: String) {
        let words = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let number = month + 1
        self.init("\(words[3])-\(number < 10 ? "0" : "")\(number)-\(words[1])T\(words[4])Z")
    }
}
