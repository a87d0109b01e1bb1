/// Puts a set together of rows that come one by one. While they come in order, the best first, that takes linear time and next to no memory beside
/// the set's own; from the first one on that does not, O(log n) each.
package struct RankedSetBuilder: ~Copyable {
    private var set: RankedSet
    /// All of the set's leaves, as long as there is nothing above them.
    private var leaves: [TreeNode] = []
    private var isInOrder = true

    package init() {
        self.init(tree: RowTree())
    }

    init(tree: consuming RowTree) {
        set = RankedSet(tree: tree)
    }

    /// Of several rows with the same id the last given counts.
    package mutating func append(_ row: RankedRow) {
        if isInOrder {
            if set.append(row, to: &leaves) { return }
            raise()
        }
        set.set(row)
    }

    package consuming func finish() -> RankedSet {
        if isInOrder { raise() }
        return set
    }

    private mutating func raise() {
        set.raise(over: leaves)
        (leaves, isInOrder) = ([], false)
    }
}
