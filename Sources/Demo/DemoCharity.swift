import Domain

/// A fictional charity of the demo.
struct DemoCharity: Sendable {
    let slug: Slug
    let name: DisplayName
    let description: String
    /// Points that it hopes for from each hundred players.
    let goalPerHundred: Int64
    /// The relative probability that players choose it.
    let weight: Int
    let zone: String
    /// For how many days before the end of the data it has been closed; nil when it is open.
    let closedForDays: Int64?

    /// A URL in the top-level domain reserved for examples (RFC 2606).
    var url: String { "https://\(slug).example/" }

    func closesAt(_ end: Instant) -> Instant? { closedForDays.map { end.advanced(bySeconds: -$0 * secondsPerDay) } }

    init(
        _ slug: String, _ name: String, _ description: String, goalPerHundred: Int64, weight: Int, zone: String = "UTC",
        closedForDays: Int64? = nil
    ) {
        self.slug = .known(slug)
        self.name = .known(name)
        self.description = description
        self.goalPerHundred = goalPerHundred
        self.weight = weight
        self.zone = zone
        self.closedForDays = closedForDays
    }

    static let weightSums = all.map(\.weight).runningSums

    static let all = [
        DemoCharity(
            "brindlewick-otters", "Brindlewick Otter Rescue",
            "Nurses orphaned otters until they can fish for themselves.", goalPerHundred: 150_000, weight: 24),
        DemoCharity(
            "tarrowmere-books", "Tarrowmere Book Boats",
            "Four boats that bring library books to villages without a road.", goalPerHundred: 60_000, weight: 17,
            zone: "Europe/Berlin"),
        DemoCharity(
            "quillhaven-kitchen", "Quillhaven Night Kitchen",
            "Hot soup every night of the year, for whoever comes to the door.", goalPerHundred: 120_000, weight: 16,
            zone: "America/New_York"),
        DemoCharity(
            "sundrel-wells", "Sundrel Wells", "Digs wells, and teaches those who drink from them to keep them clean.",
            goalPerHundred: 100_000, weight: 13),
        DemoCharity(
            "halloweth-trees", "Halloweth Tree Nursery",
            "Grows native trees from seed and plants them where the old forest stood.", goalPerHundred: 50_000,
            weight: 11, zone: "Pacific/Auckland"),
        DemoCharity(
            "mirrowick-lifeboat", "Mirrowick Lifeboat Crew", "Volunteers who go out when everybody else comes in.",
            goalPerHundred: 90_000, weight: 8),
        DemoCharity(
            "pennerly-toys", "Pennerly Toy Library", "Lends toys, mends toys, and lends them again.",
            goalPerHundred: 60_000, weight: 6),
        DemoCharity(
            "ostermoor-roof", "A Roof for Ostermoor School", "The storm took the roof. It is paid for: thank you.",
            goalPerHundred: 15_000, weight: 5, zone: "Europe/Berlin", closedForDays: 12),
    ]
}
