import Domain

/// Finds the route of a path: one step for each part between slashes, through a tree of the words in all templates.
struct RouteTree: Sendable {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The node that the first parts of a path lead to.
    private final class Node: Sendable {
        /// The words that may follow, in UTF-8, one after the other, those of most routes first. They are few, so a
        /// search compares them one by one; as bytes of one array they need no reference counting.
        private let wordBytes: [UInt8]
        /// Where each word ends in `wordBytes`.
        private let wordEnds: [Int]
        /// The nodes that the words lead to.
        private let nodes: [Node]
        /// The hole that takes any other text before this tail.
        let hole: (tail: [UInt8], node: Node)?
        /// The route that ends here.
        let route: (any ServedRoute)?
        let takesSuffix: Bool

        /// - Parameters:
        ///   - routes: The routes whose templates lead to this node.
        ///   - depth: The number of parts before this node.
        init(_ routes: [any ServedRoute], depth: Int = 0) {
            var words: [String: [any ServedRoute]] = [:]
            var holes: [String: [any ServedRoute]] = [:]
            var ends: [any ServedRoute] = []
            for route in routes {
                switch route.template.segments.dropFirst(depth).first {
                case .word(let word): words[word, default: []].append(route)
                case .hole(let tail): holes[tail, default: []].append(route)
                case nil: ends.append(route)
                }
            }
            precondition(ends.count <= 1 && holes.count <= 1, "no path is an address of two routes")
            let ordered = words.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            wordBytes = ordered.flatMap { Array($0.key.utf8) }
            wordEnds = ordered.reduce(into: []) { ends, word in ends.append((ends.last ?? 0) + word.key.utf8.count) }
            nodes = ordered.map { Node($0.value, depth: depth + 1) }
            hole = holes.first.map { (Array($0.utf8), Node($1, depth: depth + 1)) }
            route = ends.first
            takesSuffix = route?.template.takesSuffix ?? false
        }

        func node(_ part: Slice<Bytes>) -> Node? {
            var start = 0
            for index in wordEnds.indices {
                let end = wordEnds[index]
                if end - start == part.count {
                    var offset = 0
                    while offset < part.count, wordBytes[start + offset] == part[part.startIndex + offset] {
                        offset += 1
                    }
                    if offset == part.count { return nodes[index] }
                }
                start = end
            }
            return nil
        }
    }

    private let root: Node

    init(_ routes: [any ServedRoute]) { root = Node(routes) }

    /// - Parameter path: Percent-escaped, without its query.
    /// - Returns: The route whose template the path fits, and the texts in its holes, with the suffix and its dot last;
    ///   nil when no template fits.
    func find(_ path: String) -> (route: any ServedRoute, texts: [Substring])? {
        var holes: [Range<Int>] = []
        holes.reserveCapacity(4)  // no template has more
        guard let route = path.withBytes({ walk($0, &holes) })?.route else { return nil }
        let texts = holes.map { hole in
            let start = path.utf8.index(path.startIndex, offsetBy: hole.lowerBound)
            return path[start..<path.utf8.index(start, offsetBy: hole.count)]
        }
        return (route, texts)
    }

    /// - Parameter holes: Receives the ranges of the holes' texts in the path.
    private func walk(_ path: Bytes, _ holes: inout [Range<Int>]) -> Node? {
        guard path.first == UInt8(ascii: "/") else { return nil }
        var node = root
        var start = 1
        var end = 1
        while end < path.count {
            if path[end] == UInt8(ascii: "/") {
                guard let next = step(from: node, path[start..<end], &holes) else { return nil }
                node = next
                start = end + 1
            }
            end += 1
        }
        return lastStep(from: node, path[start...], &holes)
    }

    /// Follows one part of the path; a word takes precedence over a hole.
    private func step(from node: Node, _ part: Slice<Bytes>, _ holes: inout [Range<Int>]) -> Node? {
        if let next = node.node(part) { return next }
        guard let (tail, next) = node.hole, part.suffix(tail.count).elementsEqual(tail) else { return nil }
        holes.append(part.startIndex..<part.endIndex - tail.count)
        return next
    }

    /// Follows the last part of the path, which may end with a suffix.
    private func lastStep(from node: Node, _ part: Slice<Bytes>, _ holes: inout [Range<Int>]) -> Node? {
        if let next = node.node(part) {
            if next.takesSuffix { holes.append(part.endIndex..<part.endIndex) }
            return next
        }
        let dot = part.lastIndex(of: UInt8(ascii: ".")) ?? part.endIndex
        if let next = node.node(part[..<dot]), next.takesSuffix {
            holes.append(dot..<part.endIndex)
            return next
        }
        guard let next = node.hole?.node, next.takesSuffix else { return step(from: node, part, &holes) }
        holes += [part.startIndex..<dot, dot..<part.endIndex]
        return next
    }
}
