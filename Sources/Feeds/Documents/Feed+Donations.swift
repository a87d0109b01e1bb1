package import Domain

extension Feed {
    /// The feed of the newest donations.
    /// - Parameters:
    ///   - donations: The newest first.
    ///   - path: The path of the feed without suffix.
    package static func donations(_ donations: [PublicDonation], path: String) -> Feed {
        Feed(
            title: "Newest donations",
            path: path,
            names: ElementNames("donations", "donation"),
            head: Head(),
            columns: [
                Column("player", .integer, for: .data), Column("name", .text, role: .title), Column("charity", .text),
                Column("points", .integer, role: .points), Column("reached_at", .instant, role: .moment),
                Column("entry", .text, role: .entry, for: .nobody),
            ],
            rows: donations.map { donation in
                [
                    donation.player.map { .integer(Int128($0.rawValue)) } ?? .none, .text(donation.name),
                    .text(donation.charity), .integer(Int128(donation.points)), .instant(donation.reachedAt),
                    .text(donation.entry),
                ]
            }
        )
    }
}
