extension RankedSet {
    /// How many rows stand before this place, whether or not the row is there: 0...count. O(log n).
    package func position(of row: RankedRow) -> Int {
        tree.spot(of: row)?.position ?? 0
    }

    /// How many rows have a strictly better order key, and how many have this one. O(log n).
    package func counts(ofOrderKey orderKey: Int64) -> (better: Int, equal: Int) {
        guard let spot = tree.spot(of: .first(ofOrderKey: orderKey)) else { return (0, 0) }
        return (spot.position, end(ofOrderKey: orderKey, leaf: spot.leaf, before: spot.before) - spot.position)
    }

    /// Where the row of an id stands; nil when there is none. O(log n): one descent, and up to three more where its points are shared beyond
    /// its leaf.
    package func place(of row: Int64) -> RankedPlace? {
        guard let (leaf, place) = locate(row) else { return nil }
        let row = leaf[place]
        guard let before = tree.leaf(for: row)?.before else { return nil }
        let position = before + place
        let better = better(thanOrderKey: row.orderKey, leaf: leaf, before: before)
        let above = place > 0 ? leaf[place - 1] : tree.row(at: position - 1)
        let nextBetter =
            if better == position { above } else if better > before { leaf[better - before - 1] } else { tree.row(at: better - 1) }
        return RankedPlace(
            row: row, position: position, better: better, equals: end(ofOrderKey: row.orderKey, leaf: leaf, before: before) - better,
            above: above, nextBetter: nextBetter)
    }

    /// Hands out rows by place, the best first. O(log n + limit).
    /// - Parameters:
    ///   - position: Of the first row; a negative one counts as 0, and there are no rows from `count` on.
    ///   - limit: How many rows at most; a negative one counts as 0.
    package func forEach(from position: Int, limit: Int, _ body: (RankedRow) -> Void) {
        guard limit > 0, let spot = tree.spot(at: max(0, position)) else { return }
        var (leaf, place) = (spot.leaf, spot.place)
        var left = limit
        while true {
            let end = place + min(left, leaf.count - place)
            left -= end - place
            while place < end {
                body(leaf[place])
                place += 1
            }
            guard left > 0, let next = leaf.next else { return }
            leaf = next
            place = 0
        }
    }

    /// Rows by place, the best first. O(log n + limit).
    /// - Parameters: As of `forEach`.
    package func rows(from position: Int, limit: Int) -> [RankedRow] {
        var rows: [RankedRow] = []
        rows.reserveCapacity(max(0, min(limit, count)))
        forEach(from: position, limit: limit) { rows.append($0) }
        return rows
    }

    /// How many rows have a better order key than this one, which a row of the leaf has.
    private func better(thanOrderKey orderKey: Int64, leaf: TreeNode, before: Int) -> Int {
        let place = leaf.better(thanOrderKey: orderKey)
        // Only at the edge of the leaf may rows of other leaves have this key too.
        return place > 0 ? before + place : position(of: .first(ofOrderKey: orderKey))
    }

    /// How many rows have this order key or a better one, of which the first is in the leaf or begins the next one.
    private func end(ofOrderKey orderKey: Int64, leaf: TreeNode, before: Int) -> Int {
        let place = leaf.end(ofOrderKey: orderKey)
        if place < leaf.count { return before + place }
        guard let next = leaf.next, next.orderKeys[0] == orderKey else { return before + place }
        return orderKey == .max ? count : position(of: .first(ofOrderKey: orderKey + 1))
    }
}
