import FoundationEssentials

/// The base of absolute links.
enum PublicURL {
    static func checked(_ text: String?) throws -> String? {
        guard let text else { return nil }
        guard let url = URL(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host?.isEmpty == false,
            url.query == nil,
            url.fragment == nil
        else { throw Refusal("--public-url is the address under which the server is known, such as https://scores.example.org") }
        return text
    }
}
