import Domain

/// Players, what they say of each other, and their best posts on one board, as simply as can be.
struct FriendsModel {
    enum Word { case yes, no, block }

    struct Pair: Hashable {
        let player: Int
        let other: Int
    }

    struct Said {
        var word: Word
        var at: Int64
    }

    struct Post {
        let points: Int64
        let at: Int64
    }

    /// A row of the board among friends.
    struct Row: Equatable {
        let player: Int
        let points: Int64
        let rank: Int64
        let isTied: Bool
        let among: Int64
    }

    let count: Int
    let ties: Board.Ties
    var said: [Pair: Said] = [:]
    /// The newest merges last.
    var merges: [(player: Int, survivor: Int)] = []
    /// Those whom an operator has hidden, and with them those who are merged with them.
    var hidden: Set<Int> = []
    var erased: Set<Int> = []
    var posts: [Int: [Post]] = [:]
    /// How often each player's code is good yet.
    var codeUses: [Int: Int] = [:]
    /// When it was made.
    var codeMadeAt: [Int: Int64] = [:]

    init(count: Int, ties: Board.Ties) { (self.count, self.ties) = (count, ties) }

    func survivor(_ player: Int) -> Int { merges.first { $0.player == player }.map { survivor($0.survivor) } ?? player }

    func members(_ player: Int) -> [Int] { (0..<count).filter { survivor($0) == survivor(player) } }

    func isHidden(_ player: Int) -> Bool { members(player).contains { hidden.contains($0) } }

    var survivors: [Int] { (0..<count).filter { survivor($0) == $0 } }

    /// A player's tie to another: a block first, then the survivor's own tie, then the newest.
    func word(of player: Int, about other: Int) -> Word? { lastSaid(by: player, about: other)?.word }

    private func lastSaid(by player: Int, about other: Int) -> Said? {
        let pairs = members(player).flatMap { one in members(other).map { Pair(player: one, other: $0) } }
        let found = pairs.compactMap { pair in said[pair].map { (pair: pair, said: $0) } }
        func order(_ one: (pair: Pair, said: Said)) -> (Int, Int, Int, Int64) {
            (
                one.said.word == .block ? 0 : 1, one.pair.player == survivor(player) ? 0 : 1,
                one.pair.other == survivor(other) ? 0 : 1, -one.said.at
            )
        }
        return found.min { order($0) < order($1) }?.said
    }

    func areFriends(_ one: Int, _ other: Int) -> Bool {
        survivor(one) != survivor(other) && word(of: one, about: other) == .yes && word(of: other, about: one) == .yes
    }

    func friends(of player: Int) -> [Int] { survivors.filter { !erased.contains($0) && areFriends(player, $0) } }

    // MARK: - What players do. Both are survivors, and neither was erased.

    private mutating func say(_ word: Word, _ player: Int, _ other: Int, at: Int64) {
        said[Pair(player: player, other: other)] = Said(word: word, at: at)
    }

    /// Turns one word into another wherever those who are merged with a player have said it.
    private mutating func turn(_ word: Word, into new: Word, _ player: Int, _ other: Int, at: Int64) {
        for one in members(player) {
            for two in members(other) where said[Pair(player: one, other: two)]?.word == word {
                said[Pair(player: one, other: two)] = Said(word: new, at: at)
            }
        }
    }

    mutating func ask(_ player: Int, _ other: Int, at: Int64) {
        if isHidden(other) || word(of: player, about: other) == .yes { return }
        turn(.block, into: .no, player, other, at: at)
        say(.yes, player, other, at: at)
    }

    mutating func end(_ player: Int, _ other: Int, at: Int64) {
        guard (word(of: player, about: other) ?? word(of: other, about: player)) == .yes else { return }
        turn(.yes, into: .no, player, other, at: at)
        say(.no, player, other, at: at)
    }

    mutating func block(_ player: Int, _ other: Int, at: Int64) {
        guard word(of: player, about: other) != .block else { return }
        if isHidden(other), word(of: player, about: other) == nil, word(of: other, about: player) != .yes { return }
        turn(.yes, into: .block, player, other, at: at)
        for one in members(other) { say(.block, player, one, at: at) }
    }

    mutating func unblock(_ player: Int, _ other: Int, at: Int64) {
        guard word(of: player, about: other) == .block else { return }
        turn(.block, into: .no, player, other, at: at)
        say(.no, player, other, at: at)
    }

    mutating func use(codeOf maker: Int, _ player: Int, at: Int64) {
        guard let uses = codeUses[maker], maker != player, !isHidden(maker), !areFriends(player, maker),
            word(of: maker, about: player) != .block
        else { return }
        // A later no stands against a code.
        if let said = lastSaid(by: maker, about: player), said.word == .no, said.at >= codeMadeAt[maker] ?? 0 { return }
        codeUses[maker] = uses > 1 ? uses - 1 : nil
        if word(of: maker, about: player) != .yes { say(.yes, maker, player, at: at) }
        if word(of: player, about: maker) != .yes {
            turn(.block, into: .no, player, maker, at: at)
            say(.yes, player, maker, at: at)
        }
    }

    mutating func merge(_ player: Int, into survivor: Int) {
        codeUses[player] = nil
        merges.append((player, survivor))
    }

    mutating func erase(_ player: Int) {
        let gone = members(player)
        erased.formUnion(gone)
        for one in gone { codeUses[one] = nil }
        said = said.filter { !gone.contains($0.key.player) && !gone.contains($0.key.other) }
    }

    // MARK: - The board

    /// The board among a player and its friends.
    func board(of player: Int, ids: [Int64]) -> [Row] {
        let all = survivors.filter { !isHidden($0) }.compactMap { one -> (player: Int, post: Post)? in
            let best = members(one).flatMap { posts[$0] ?? [] }.min { ($1.points, $0.at) < ($0.points, $1.at) }
            return best.map { (one, $0) }
        }.sorted { ($1.post.points, $0.post.at, ids[$0.player]) < ($0.post.points, $1.post.at, ids[$1.player]) }
        let shown = Set(friends(of: player) + [player])
        var rows: [Row] = []
        for (index, row) in all.enumerated() where shown.contains(row.player) {
            let first = all.firstIndex { $0.post.points == row.post.points } ?? index
            let equals = all.count { $0.post.points == row.post.points }
            let place = ties == .shared ? rows.first { $0.points == row.post.points }?.among : nil
            rows.append(
                Row(
                    player: row.player, points: row.post.points, rank: Int64(ties == .shared ? first : index) + 1,
                    isTied: equals > 1, among: place ?? Int64(rows.count) + 1))
        }
        return rows
    }
}
