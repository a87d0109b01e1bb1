/// A step of a plan, as EXPLAIN (FORMAT JSON) writes it.
struct PlanNode: Decodable {
    let type: String
    let table: String?
    let index: String?
    let indexCondition: String?
    let role: String?
    let steps: [PlanNode]?

    private enum CodingKeys: String, CodingKey {
        case type = "Node Type"
        case table = "Relation Name"
        case index = "Index Name"
        case indexCondition = "Index Cond"
        case role = "Parent Relationship"
        case steps = "Plans"
    }

    /// The tables that grow with the number of players, posts, donations and actions of operators. No statement whose
    /// input is bounded may read one of them from end to end.
    static let largeTables: Set<String> = [
        "player", "wallet", "device", "standing", "tally", "score", "past_score", "donation", "past_donation",
        "best_posts", "score_note", "held_score", "moderation_action", "correction", "log_entry", "log_words", "report",
        "code", "save", "plan", "plan_run", "stake_share", "cohort_member",
    ]

    /// Indexes of the few rows that wait for somebody or something, or are hidden. They may be read from end to end.
    static let shortIndexes: Set<String> = [
        "player_hidden_idx", "player_asked_at_idx", "score_state_held_idx", "report_waiting_idx", "plan_run_open_idx",
        "stake_share_waiting_idx",
    ]

    /// Columns that very many rows share.
    private static let wideColumns: [Set<String>] = [["board_id", "day"], ["charity_id"], ["game_id"]]

    /// The steps that give their first row only when they have read all rows. An incremental sort is none: it has read
    /// those of one bucket of the order.
    private static let endsOfLimits: Set<String> = [
        "Sort", "Aggregate", "Hash", "Materialize", "WindowAgg", "CTE Scan",
    ]

    /// Reads of a large table that nothing bounds: of the table or an index from end to end; or of all rows of a board,
    /// a charity or a game. What stands directly under a limit is bounded.
    /// - Parameter firstColumns: The first column of each index, but for indexes of expressions.
    func longReads(_ firstColumns: [String: String]) -> [String] {
        longReads(firstColumns, ofHeap: nil, isLimited: false)
    }

    private func longReads(_ firstColumns: [String: String], ofHeap heap: String?, isLimited: Bool) -> [String] {
        var found: [String] = []
        if !isLimited || type == "Seq Scan", let reason = reasonItIsLong(firstColumns, ofHeap: heap) {
            found.append("\(reason): \(type) of \(table ?? heap ?? "") \(index ?? "") \(indexCondition ?? "")")
        }
        for step in steps ?? [] {
            let isWholeInput = step.role == "InitPlan" || step.role == "SubPlan"
            let isRepeated = step.role == "Inner"
            let staysLimited = isLimited && !Self.endsOfLimits.contains(type) && !isRepeated
            found += step.longReads(
                firstColumns, ofHeap: type == "Bitmap Heap Scan" ? table : heap,
                isLimited: !isWholeInput && (type == "Limit" || staysLimited))
        }
        return found
    }

    private func reasonItIsLong(_ firstColumns: [String: String], ofHeap heap: String?) -> String? {
        guard let table = type == "Bitmap Index Scan" ? heap : table, Self.largeTables.contains(table) else {
            return nil
        }
        switch type {
        case "Seq Scan": return "a whole table"
        case "Index Scan", "Index Only Scan", "Bitmap Index Scan":
            guard let indexCondition, !indexCondition.contains(/\(\w+ IS NULL\)/) else {
                return index.map(Self.shortIndexes.contains) == true ? nil : "a whole index"
            }
            if let first = index.flatMap({ firstColumns[$0] }), !indexCondition.contains(first) {
                return "a whole index"
            }
            let columns = Set(indexCondition.matches(of: #/\b(\w+)\)? (?:=|<|>|<=|>=)/#).map { String($0.output.1) })
            let isWide = Self.wideColumns.contains { columns.isSubset(of: $0) }
            guard !columns.isEmpty, isWide else { return nil }
            return "all of a \(columns.sorted().joined(separator: ", "))"
        default: return nil
        }
    }
}
