import Domain

// What stands above the rows: the search, earlier windows and seasons.
extension BoardPage {
    func tools(_ context: PageContext) -> Scope {
        let language = context.language
        let sought: String = if case .nobody(let name) = search { name } else { "" }
        var fields = query(of: ranking.window)
        if context.isLanguageChosen { fields.append(("lang", language.code)) }
        let isSearchable = !isDonationBoard && (!ranking.rows.isEmpty || search != nil)
        return [
            "action": .text(ranked.path), "chosen-language": context.isLanguageChosen ? .text(language.code) : false,
            "find": isSearchable
                ? .scope([
                    "sought": .text(sought),
                    "fields": .list(fields.map { ["name": .text($0.name), "value": .text($0.value)] }),
                ]) : false,
            "earlier": .scope([
                "windows": ranking.board.endedAt == nil
                    ? .scope(["groups": .list(EarlierWindows(ranking.board.today, language).groups(ranking.window))])
                    : false, "seasons": seasons.count > 1 ? .scope(["options": .list(seasonOptions(language))]) : false,
            ]),
        ]
    }

    private func seasonOptions(_ language: Language) -> [Scope] {
        seasons.enumerated().map { index, number in
            [
                "value": .text("\(number)"),
                "label": .text(language.text("season", ["n": language.numbers.plain(number)])),
                "is-current": .flag(season.map { $0 == number } ?? (index == 0)),
            ]
        }
    }
}
