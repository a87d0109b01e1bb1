/// How the 2009 clients say yes.
enum Switch {
    private static let yes: Set<String> = ["1", "y", "yes", "t", "true", "on"]

    /// True for 1, y, yes, t, true and on, in any case; all else is no.
    static func isOn(_ text: String) -> Bool {
        // A longer text is none of them, and hashing a hostile one could take seconds.
        text.utf8.count <= 4 && yes.contains(text.lowercased())
    }
}
