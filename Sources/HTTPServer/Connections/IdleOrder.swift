/// Members in the order in which they became idle. Every operation takes constant time, and none but `add` allocates.
struct IdleOrder<Member> {
    /// What a member is known by, until it is removed.
    typealias Index = Int

    private struct Node {
        var member: Member?
        var previous: Index
        var next: Index
    }

    /// The first node is the ends of a ring: its `next` has been idle longest, its `previous` shortest. A node whose
    /// neighbour it is itself is not in the ring.
    private var nodes = [Node(member: nil, previous: 0, next: 0)]
    private var free: [Index] = []

    /// The member that has been idle longest; nil when none is idle.
    var longestIdle: Member? { nodes[nodes[0].next].member }

    /// Adds a member, which is idle from now.
    mutating func add(_ member: Member) -> Index {
        let index: Index
        if let last = free.popLast() {
            index = last
            nodes[index].member = member
        } else {
            index = nodes.count
            nodes.append(Node(member: member, previous: index, next: index))
        }
        link(index)
        return index
    }

    /// Notes that a member is idle from now.
    mutating func becameIdle(_ index: Index) {
        unlink(index)
        link(index)
    }

    mutating func becameBusy(_ index: Index) { unlink(index) }

    mutating func remove(_ index: Index) {
        unlink(index)
        nodes[index].member = nil
        free.append(index)
    }

    private mutating func link(_ index: Index) {
        let last = nodes[0].previous
        nodes[index].previous = last
        nodes[index].next = 0
        nodes[last].next = index
        nodes[0].previous = index
    }

    private mutating func unlink(_ index: Index) {
        let (previous, next) = (nodes[index].previous, nodes[index].next)
        nodes[previous].next = next
        nodes[next].previous = previous
        nodes[index].previous = index
        nodes[index].next = index
    }
}
