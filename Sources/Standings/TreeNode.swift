/// A node of `RowTree`: a view of memory that the tree owns.
///
/// The memory is a header of three words and then columns of `capacity` words each, so that a search reads one column and a scan reads
/// consecutive words. A leaf has three columns, which are its rows. An inner node has five: the separators, the children and the number of
/// rows below each child. The separator of a child is at most its first row and greater than every row of the child before it; the first
/// separator of the nodes along the tree's left edge is the least row there can be.
struct TreeNode {
    private static let headerWords = 3

    let words: UnsafeMutablePointer<Int64>
    /// Rows or children at most, the same in every node of a tree. It is not in the node's memory: then where a column begins would have to
    /// wait for it.
    let capacity: Int

    /// How many rows a leaf has, or how many children an inner node has: 0...capacity.
    var count: Int {
        get { Int(words[0]) }
        nonmutating set { words[0] = Int64(newValue) }
    }

    /// By which number the index knows a leaf: 1 or more. Zero for an inner node.
    var id: UInt32 { UInt32(truncatingIfNeeded: words[1]) }

    /// The leaf with the rows that follow; nil for the last leaf.
    var next: TreeNode? {
        get { node(words[2]) }
        nonmutating set { words[2] = newValue.map(\.bits) ?? 0 }
    }

    /// Up to how many a node is let join or share: an eighth stays free, two places at least, so that it is not full again at once.
    var ease: Int { capacity &- max(2, capacity / 8) }

    var orderKeys: UnsafeMutablePointer<Int64> { column(0) }
    var reachedAts: UnsafeMutablePointer<Int64> { column(1) }
    var rows: UnsafeMutablePointer<Int64> { column(2) }
    /// How many rows there are below each child of an inner node.
    var totals: UnsafeMutablePointer<Int64> { column(4) }

    init(words: UnsafeMutablePointer<Int64>, capacity: Int) {
        self.words = words
        self.capacity = capacity
    }

    /// Takes memory for an empty node, which whoever asks frees.
    init(capacity: Int, columns: Int, id: UInt32) {
        self.init(words: .allocate(capacity: Self.words(capacity: capacity, columns: columns)), capacity: capacity)
        words[0] = 0
        words[1] = Int64(id)
        words[2] = 0
    }

    static func words(capacity: Int, columns: Int) -> Int { headerWords + capacity * columns }

    func column(_ index: Int) -> UnsafeMutablePointer<Int64> { words + (Self.headerWords &+ capacity &* index) }

    /// The row of a leaf, or the separator of a child.
    subscript(index: Int) -> RankedRow {
        get { RankedRow(orderKey: orderKeys[index], reachedAt: reachedAts[index], row: rows[index]) }
        nonmutating set {
            orderKeys[index] = newValue.orderKey
            reachedAts[index] = newValue.reachedAt
            rows[index] = newValue.row
        }
    }

    func child(_ index: Int) -> TreeNode {
        // A child's word is never zero: it was written from a pointer.
        node(column(3)[index]).unsafelyUnwrapped
    }

    func setChild(_ index: Int, to child: TreeNode, total: Int) {
        column(3)[index] = child.bits
        totals[index] = Int64(total)
    }

    private var bits: Int64 { Int64(Int(bitPattern: words)) }

    private func node(_ bits: Int64) -> TreeNode? {
        UnsafeMutablePointer(bitPattern: Int(bits)).map { TreeNode(words: $0, capacity: capacity) }
    }
}
