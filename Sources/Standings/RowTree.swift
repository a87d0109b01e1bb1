/// The rows by place: a counted B+ tree whose leaves hold the rows themselves.
///
/// Every leaf has the same distance from the root. A leaf but the root is at least a quarter full, an inner node but the root as well, and
/// the root has at least two children unless it is a leaf. The leaves stand in a list, best rows first.
struct RowTree: ~Copyable {
    static let leafColumns = 3
    static let innerColumns = 5

    /// Rows a leaf and children an inner node at most: 8 or more.
    let capacity: Int

    /// Nil when there are no rows.
    var root: TreeNode?
    /// How many inner nodes there are above each leaf.
    var height = 0
    private(set) var leafCount = 0
    private(set) var innerCount = 0
    /// The leaf of each number, from 1.
    private var leaves: [UnsafeMutablePointer<Int64>?] = [nil]
    /// Numbers that may be given again.
    private var freeNumbers: [UInt32] = []

    /// - Parameter capacity: Tests ask for a small one, so that few rows make a deep tree.
    init(capacity: Int = 128) {
        self.capacity = max(8, capacity)
    }

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
            leafCount * TreeNode.words(capacity: capacity, columns: Self.leafColumns)
            + innerCount * TreeNode.words(capacity: capacity, columns: Self.innerColumns) + leaves.capacity
        return words * MemoryLayout<Int64>.stride + freeNumbers.capacity * MemoryLayout<UInt32>.stride
    }

    func leaf(_ number: UInt32) -> TreeNode? {
        leaves[Int(number)].map { TreeNode(words: $0, capacity: capacity) }
    }

    mutating func makeLeaf() -> TreeNode {
        leafCount += 1
        // 2^32 leaves would take 12 TiB: no number is beyond its type.
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
        if height > 1 {
            for index in 0..<node.count { freeInner(node.child(index), height: height - 1) }
        }
        node.words.deallocate()
    }
}

// SAFETY: its nodes are its own, nothing hands them out, and it cannot be copied.
extension RowTree: @unchecked Sendable {}
