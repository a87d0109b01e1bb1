package import Domain
import FoundationEssentials
import Postgres

package typealias GameChange = SettingChange<GameSettings>

/// A game as `causeboard game list` shows it.
package struct GameListing: SettingListing {
    package let slug: String
    package let version: String
    package let settings: SettingValues<GameSettings>

    package var hasSalt: Bool { self.salt != nil }
}

extension GameListing: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try GameListing(slug: row.next(), version: row.next(), settings: row.next())
    }
}

package struct GameSettings: SettingKeys {
    package static let table = SettingTable(GameSettings())

    package let name = Setting(
        "name", .name(), label: "Name", help: "Its name for people, \(DisplayName.rule); the slug if none is given.")
    package let classic = Setting(
        "classic", .choice(of: Game.Classic.self), standard: .off, label: "Classic clients",
        help: "The classic protocol: open, token (only /high_scores) or off.")
    package let salt = OptionalSetting(
        "salt",
        .text(
            rule: "1 to \(Limits.saltBytesMax) bytes of text", isFree: true,
            parse: { $0.utf8.count <= Limits.saltBytesMax && !$0.utf8.contains(0) ? $0 : nil }, text: { $0 },
            decoded: { $0[0] }), presence: "has_salt", label: "Salt of the classic token",
        hint: "It is never shown. Empty keeps the one there is.",
        help: "Salt of the classic MD5 token, or none, and then no token is good.")
    package let names = Setting(
        "names", .choice(of: NameRules.self), label: "Names of players",
        help: "Names of players: open, filtered (by --refused-words) or approved (one by one).")
    package let refusedWords = Setting(
        "refused_words", .refusedWords, label: "Words that no name may have", hint: "With spaces between them.",
        help: "A file with the words that no name may contain, a line each, in place of those before.")
    /// Whether it keeps the e-mail addresses that players leave.
    package let takesEmail = Setting(
        "email", .boolean(column: "takes_email"), label: "Takes e-mail addresses",
        help: "Whether e-mail addresses that players leave are kept: on or off.")
    package let friends = Setting(
        "friends", .choice(of: FriendRules.self), label: "How players become friends",
        help: "How players may become friends: off, codes, or requests, which includes codes.")
    package let teams = Setting(
        "teams", .choice(of: TeamRules.self), label: "How teams come about",
        help: "How teams come about: off, codes (players make them) or server (the game's server makes them).")
    package let teamSize = Setting(
        "team_size",
        .integer(
            in: Limits.teamSizes, rule: "\(Limits.teamSizes.lowerBound) to \(Limits.teamSizes.upperBound) members"),
        label: "Most members of a team", help: "How many members a team may have. Larger teams keep theirs.")
    package let teamRosters = Setting(
        "team_rosters", .choice(of: TeamRosters.self), label: "Who sees the members of a team",
        help: "Who sees which players are in a team: members or public.")
    package let flags = Setting(
        "flags", .boolean(), label: "Players may show flags",
        help: "Whether players may show the flag of a country or region: on or off.")
    package let plans = Setting(
        "plans", .boolean(), label: "Players may have plans",
        help: "Whether players may let the server donate for them as they plan: on or off.")
    package let challenges = Setting(
        "challenges", .choice(of: ChallengeRules.self), label: "Which players may challenge each other",
        help: "Which players may challenge each other: off, friends, or team, which includes friends.")
    package let stakeMax = Setting(
        "stake_max",
        .integer(in: Limits.stakes, rule: "\(Limits.stakes.lowerBound) to \(Limits.stakes.upperBound) points"),
        label: "Most points of a stake",
        help: "Points that each player may stake on a challenge, for the winner's charity; 0 for none.")
    package let audience = Setting(
        "audience", .choice(of: GameAudience.self), label: "Who it is made for",
        hint: "For young players, settings that let strangers learn more of them are not in effect.",
        help: "Who the game is made for: all, or young, which lets strangers learn less of its players.")

    package static func check(_ change: GameChange) throws(FieldError) {
        try change.check(for: change.audience ?? .all)
    }
}

extension GameChange {
    /// - Parameter removesAddresses: Whether the e-mail addresses that are stored are removed too.
    /// - Throws: ``FieldError`` for what this game cannot have.
    package func checked(for game: Slug, removesAddresses: Bool = false) throws(FieldError) -> GameChange {
        let change = try checked()
        guard change.classic ?? .off == .off || game == .defaultGame else {
            throw FieldError("classic", "classic is for the game `default` only, as its clients know no other.")
        }
        // No address may come in while they are removed.
        guard !removesAddresses || change.takesEmail == false else {
            throw FieldError("remove_addresses", "remove_addresses goes together with email off alone.")
        }
        return change
    }
}

extension GameChange {
    /// Checks that a game with this audience may have these settings. Whatever is refused here has no effect in the
    /// view `effective_game` either.
    package func check(for audience: GameAudience) throws(FieldError) {
        guard audience == .young else { return }
        for (isRefused, field, sentence) in [
            (self.takesEmail == true, "email", "stores no e-mail addresses. Send false."),
            (self.friends == .requests, "friends", "has friends by code only. Send codes or off."),
            (self.teams == .codes, "teams", "has only teams of the game's server. Send server or off."),
            (self.teamRosters == .public, "team_rosters", "shows rosters to members only. Send members."),
            (self.flags == true, "flags", "shows no flags. Send false."),
            (self.challenges == .team, "challenges", "has challenges among friends only. Send friends or off."),
            (self.stakeMax ?? 0 > 0, "stake_max", "has no stakes. Send 0."),
        ] where isRefused { throw FieldError(field, "\(field): a game for young players \(sentence)") }
    }
}

/// The words that no name of a game may contain, and their skeletons in the same order.
package struct RefusedWords: Sendable, Equatable {
    package let texts: [String]
    let skeletons: [String]

    /// - Parameter words: At most ``Limits/refusedWordsMax``.
    package init(_ words: [RefusedWord]) { (texts, skeletons) = (words.map(\.text), words.map(\.skeleton.description)) }

    /// - Parameter columns: Two arrays in JSON.
    fileprivate init?(stored columns: [String?]) {
        let lists = columns.compactMap { text in
            text.flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) }
        }
        guard lists.count == 2 else { return nil }
        (texts, skeletons) = (lists[0], lists[1])
    }

    /// As PostgreSQL reads an array.
    fileprivate static func stored(_ texts: [String]) -> String {
        let quoted = texts.map { "\"" + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }
        return "{\(quoted.joined(separator: ","))}"
    }
}

extension SettingType<RefusedWords> {
    fileprivate static let refusedWords = SettingType(
        kind: .texts, columns: { [$0, "refused_skeletons"] },
        read: { source, name, _ throws(FieldError) in
            guard !source.isAbsent(name) else { return .keep }
            let refusal = FieldError(
                name, "\(name) is a list of at most \(Limits.refusedWordsMax) words of \(RefusedWord.rule) each.")
            guard let texts = try source.texts(name, countMax: Limits.refusedWordsMax),
                texts.count <= Limits.refusedWordsMax
            else { throw refusal }
            var words: [RefusedWord] = []
            for text in texts {
                guard let word = RefusedWord(text) else { throw refusal }
                words.append(word)
            }
            return .set(RefusedWords(words))
        }, logged: { $0.texts.isEmpty ? .none : .text($0.texts.joined(separator: "\n")) },
        stored: { [RefusedWords.stored($0.texts), RefusedWords.stored($0.skeletons)] },
        decoded: { RefusedWords(stored: $0) }, content: { .texts($0.texts) })
}

extension GameSet {
    /// - Parameter version: The version that its settings must have; nil for any.
    init(_ slug: Slug, _ settings: GameChange, at version: String? = nil) {
        let (columns, values) = settings.stored
        self.init(slug: slug, columns: columns, values: values, version: version)
    }
}

extension GameAdd {
    init(_ slug: Slug, _ settings: GameChange, now: Instant) {
        let (columns, values) = settings.stored
        self.init(slug: slug, columns: columns, values: values, now: now)
    }
}
