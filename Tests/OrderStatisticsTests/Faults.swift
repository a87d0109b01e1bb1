@testable import OrderStatistics

extension RankedSet {
    /// The violated invariants of the tree; empty when every invariant holds.
    func faults() -> [String] {
        var faults: [String] = []
        var walk = TreeWalk()
        if let root = tree.root { walk.visit(root, height: tree.height, isRoot: true, from: nil, to: nil) }
        faults += walk.faults
        if walk.rows.count != count { faults.append("\(walk.rows.count) rows, and a count of \(count)") }
        if tree.count != count { faults.append("the root counts \(tree.count) of \(count) rows") }
        if walk.rows != walk.rows.sorted() { faults.append("the rows are not in order") }
        if Set(walk.rows.map(\.row)).count != walk.rows.count { faults.append("an id twice") }
        if tree.leafCount != walk.leaves.count {
            faults.append("\(walk.leaves.count) leaves, and a count of \(tree.leafCount)")
        }
        if tree.innerCount != walk.innerCount {
            faults.append("\(walk.innerCount) inner nodes, and a count of \(tree.innerCount)")
        }
        for (leaf, next) in zip(walk.leaves, walk.leaves.dropFirst()) where leaf.next?.words != next.words {
            faults.append("leaf \(leaf.id) is not followed by leaf \(next.id)")
        }
        if walk.leaves.last?.next != nil { faults.append("something follows the last leaf") }
        for leaf in walk.leaves {
            if tree.leaf(leaf.id)?.words != leaf.words { faults.append("leaf \(leaf.id) has another one's number") }
            for place in 0..<leaf.count {
                let tag = index.tag(leaf.rows[place])
                if !index.contains(tag, where: { $0 == leaf.id }) {
                    faults.append("the index does not know row \(leaf.rows[place])")
                }
            }
        }
        return faults + index.faults(expected: count)
    }
}

extension RowIndex {
    fileprivate func faults(expected: Int) -> [String] {
        var faults: [String] = []
        var sum = 0
        for shard in shards {
            let entries = (0..<shard.capacity).count { shard.entries[$0] != 0 }
            if entries != shard.count { faults.append("a bucket of \(entries) entries, and a count of \(shard.count)") }
            if entries * 5 > shard.capacity * 4 { faults.append("a bucket too full") }
            sum += entries
        }
        if (sum, count) != (expected, expected) {
            faults.append("\(sum) entries, and a count of \(count), for \(expected) rows")
        }
        return faults
    }
}

/// Visits every node below another one and checks it.
private struct TreeWalk {
    var faults: [String] = []
    var rows: [RankedRow] = []
    var leaves: [TreeNode] = []
    var innerCount = 0

    /// - Parameters:
    ///   - from: The bound that no row may be less than.
    ///   - to: The bound that every row is less than.
    mutating func visit(_ node: TreeNode, height: Int, isRoot: Bool, from: RankedRow?, to: RankedRow?) {
        if node.count > node.capacity { faults.append("a node of \(node.count)") }
        if !isRoot, node.count < node.capacity / 4 { faults.append("a node of only \(node.count)") }
        guard height > 0 else {
            if node.count == 0 { faults.append("an empty leaf") }
            let own = (0..<node.count).map { node[$0] }
            if let from, own.contains(where: { $0 < from }) { faults.append("a row before its leaf's separator") }
            if let to, own.contains(where: { $0 >= to }) { faults.append("a row that belongs to the next leaf") }
            leaves.append(node)
            rows += own
            return
        }
        if node.count < 2 { faults.append("a node with a single child") }
        innerCount += 1
        for place in 0..<node.count {
            let before = rows.count
            visit(
                node.child(place), height: height - 1, isRoot: false, from: place == 0 ? from : node[place],
                to: place + 1 < node.count ? node[place + 1] : to)
            let found = rows.count - before
            if Int(node.totals[place]) != found { faults.append("\(found) rows, and a total of \(node.totals[place])") }
        }
    }
}
