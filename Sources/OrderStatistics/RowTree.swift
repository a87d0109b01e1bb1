/// The rows in order: a counted B+ tree whose leaves hold the rows themselves.
///
/// Every leaf has the same distance from the root. All nodes except the root are at least a quarter full, and the root
/// has at least two children unless it is a leaf. The leaves form a linked list, best rows first.
struct RowTree: ~Copyable {
    static let leafColumns = 3
    static let innerColumns = 5

    /// Maximum number of rows in a leaf and of children of an inner node: 8 or more.
    let capacity: Int

    /// Nil when there are no rows.
    var root: TreeNode?
    /// Number of inner nodes above each leaf.
    var height = 0
    private(set) var leafCount = 0
    private(set) var innerCount = 0
    /// The leaves by number, from 1.
    private var leaves: [UnsafeMutablePointer<Int64>?] = [nil]
    /// Numbers of freed leaves, which new leaves take again.
    private var freeNumbers: [UInt32] = []

    /// - Parameter capacity: Tests pass a small one, so that few rows make a deep tree.
    init(capacity: Int = 128) { self.capacity = max(8, capacity) }

    deinit {
        if let root, height > 0 { Self.freeInner(root, height: height) }
        for leaf in leaves { leaf?.deallocate() }
    }

    var count: Int {
        guard let root else { return 0 }
        return height == 0 ? root.count : root.totalOfChildren
    }

    var allocatedBytes: Int {
        let words =
            leafCount * TreeNode.words(capacity: capacity, columns: Self.leafColumns) + innerCount
            * TreeNode.words(capacity: capacity, columns: Self.innerColumns) + leaves.capacity
        return words * MemoryLayout<Int64>.stride + freeNumbers.capacity * MemoryLayout<UInt32>.stride
    }

    func leaf(_ number: UInt32) -> TreeNode? { leaves[Int(number)].map { TreeNode(words: $0, capacity: capacity) } }

    mutating func makeLeaf() -> TreeNode {
        leafCount += 1
        // 2^32 leaves would take 12 TiB, so no number is too large for its type.
        let number = freeNumbers.popLast() ?? UInt32(truncatingIfNeeded: leaves.count)
        let leaf = TreeNode(capacity: capacity, columns: Self.leafColumns, id: number)
        if Int(number) < leaves.count { leaves[Int(number)] = leaf.words } else { leaves.append(leaf.words) }
        return leaf
    }

    mutating func makeInner() -> TreeNode {
        innerCount += 1
        return TreeNode(capacity: capacity, columns: Self.innerColumns, id: 0)
    }

    mutating func free(_ node: TreeNode) {
        if node.id == 0 {
            innerCount -= 1
        } else {
            leafCount -= 1
            leaves[Int(node.id)] = nil
            freeNumbers.append(node.id)
        }
        node.words.deallocate()
    }

    private static func freeInner(_ node: TreeNode, height: Int) {
        if height > 1 { for index in 0..<node.count { freeInner(node.child(index), height: height - 1) } }
        node.words.deallocate()
    }
}

// SAFETY: it owns its nodes, does not hand them out, and cannot be copied.
extension RowTree: @unchecked Sendable {}

extension RowTree {
    /// A slot of a leaf where a row is or would be inserted.
    struct Spot {
        let leaf: TreeNode
        /// The slot, 0...leaf.count.
        let slot: Int
        /// Number of rows in the leaves before.
        let before: Int

        var position: Int { before &+ slot }
    }

    /// The spot where a row is or would be inserted; nil when there are no rows. O(log n).
    func spot(of row: RankedRow) -> Spot? {
        guard let (leaf, before) = leaf(for: row) else { return nil }
        return Spot(leaf: leaf, slot: leaf.lowerBound(row), before: before)
    }

    /// The leaf where a row is or would be inserted, and the number of rows in the leaves before. O(log n).
    func leaf(for row: RankedRow) -> (leaf: TreeNode, before: Int)? {
        guard var node = root else { return nil }
        var before = 0
        for _ in 0..<height {
            let index = node.childIndex(for: row)
            before &+= node.total(before: index)
            node = node.child(index)
        }
        return (node, before)
    }

    /// The spot at a position; nil when it is not in 0..<count. O(log n).
    func spot(at position: Int) -> Spot? {
        guard var node = root, position >= 0 else { return nil }
        var left = position
        for _ in 0..<height {
            let totals = node.totals
            var index = 0
            while index < node.count, left >= Int(totals[index]) {
                left &-= Int(totals[index])
                index &+= 1
            }
            guard index < node.count else { return nil }
            node = node.child(index)
        }
        return left < node.count ? Spot(leaf: node, slot: left, before: position &- left) : nil
    }

    /// The row at a position; nil when it is not in 0..<count. O(log n).
    func row(at position: Int) -> RankedRow? { spot(at: position).map { $0.leaf[$0.slot] } }
}

extension RowTree {
    /// Distributes the entries of two neighbours evenly between them.
    /// - Parameters:
    ///   - slot: The left one of the two.
    ///   - level: The height of the parent above the leaves: 1 when the neighbours are leaves.
    func balance(_ slot: Int, of parent: TreeNode, level: Int, index: inout RowIndex) {
        let (left, right) = (parent.child(slot), parent.child(slot + 1))
        let columns = level == 1 ? Self.leafColumns : Self.innerColumns
        let wanted = (left.count + right.count) / 2
        if left.count > wanted {
            let moved = left.count - wanted
            note(left, wanted..<left.count, moveTo: right, level: level, index: &index)
            left.moveTail(moved, to: right, columns: columns)
        } else {
            let moved = wanted - left.count
            note(right, 0..<moved, moveTo: left, level: level, index: &index)
            right.moveHead(moved, to: left, columns: columns)
        }
        parent[slot + 1] = right[0]
        let total = parent.totals[slot] &+ parent.totals[slot + 1]
        let leftTotal = level == 1 ? left.count : left.totalOfChildren
        parent.totals[slot] = Int64(leftTotal)
        parent.totals[slot + 1] = total &- Int64(leftTotal)
    }

    /// Moves all entries of the right one of two neighbours to the left one, and frees the right one.
    /// - Parameters:
    ///   - slot: The left one of the two.
    ///   - level: See `balance`.
    mutating func merge(_ slot: Int, of parent: TreeNode, level: Int, index: inout RowIndex) {
        let (left, right) = (parent.child(slot), parent.child(slot + 1))
        note(right, 0..<right.count, moveTo: left, level: level, index: &index)
        right.moveHead(right.count, to: left, columns: level == 1 ? Self.leafColumns : Self.innerColumns)
        left.next = right.next
        parent.totals[slot] &+= parent.totals[slot + 1]
        parent.close(at: slot + 1, columns: Self.innerColumns)
        free(right)
    }

    private func note(_ node: TreeNode, _ slots: Range<Int>, moveTo other: TreeNode, level: Int, index: inout RowIndex)
    {
        guard level == 1 else { return }
        for slot in slots { index.move(index.tag(node.rows[slot]), from: node.id, to: other.id) }
    }
}
