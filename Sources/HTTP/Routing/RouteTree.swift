import Domain

/// Finds the route of a path: one step for each part between slashes, through a tree of the words in all templates.
struct RouteTree: Sendable {
    private struct Node {
        /// The few words that may stand here, in UTF-8.
        var words: [(word: [UInt8], node: Int)] = []
        /// Any other text may stand here, before this tail.
        var hole: (tail: [UInt8], node: Int)?
        /// The route that ends here.
        var route: (any ServedRoute)?

        func node(word: Substring.UTF8View) -> Int? {
            let count = word.count
            return words.first { $0.word.count == count && word.elementsEqual($0.word) }?.node
        }
    }

    private var nodes = [Node()]

    init(_ routes: [any ServedRoute]) {
        for route in routes {
            let end = route.template.segments.reduce(0) { node, segment in child(of: node, segment) }
            precondition(nodes[end].route == nil, "\(route.template.text) is the address of one route only")
            nodes[end].route = route
        }
    }

    private mutating func child(of node: Int, _ segment: PathTemplate.Segment) -> Int {
        switch segment {
        case .word(let word):
            if let known = nodes[node].node(word: Substring(word).utf8) { return known }
            nodes[node].words.append((Array(word.utf8), nodes.count))
        case .hole(let tail):
            if let known = nodes[node].hole {
                precondition(known.tail.elementsEqual(tail.utf8), "two holes in the same part of a path end alike")
                return known.node
            }
            nodes[node].hole = (Array(tail.utf8), nodes.count)
        }
        nodes.append(Node())
        return nodes.count - 1
    }

    /// - Parameter path: Percent-escaped, without its query.
    /// - Returns: The route whose template the path fits, and what stands in its holes, a suffix with its dot last. Nil
    ///   when no template fits.
    func find(_ path: String) -> (route: any ServedRoute, texts: [Substring])? {
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        var texts: [Substring] = []
        var node = 0
        var start = bytes.index(after: bytes.startIndex)
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) {
            guard let next = step(from: node, path[start..<end], &texts) else { return nil }
            node = next
            start = bytes.index(after: end)
        }
        return lastStep(from: node, path[start...], &texts).flatMap { nodes[$0].route }.map { ($0, texts) }
    }

    /// A word goes before a hole.
    private func step(from node: Int, _ part: Substring, _ texts: inout [Substring]) -> Int? {
        if let next = nodes[node].node(word: part.utf8) { return next }
        guard let hole = nodes[node].hole, part.utf8.count >= hole.tail.count,
            part.utf8.suffix(hole.tail.count).elementsEqual(hole.tail)
        else { return nil }
        texts.append(hole.tail.isEmpty ? part : part[..<part.utf8.index(part.endIndex, offsetBy: -hole.tail.count)])
        return hole.node
    }

    /// The same, for a part that may end with a suffix.
    private func lastStep(from node: Int, _ part: Substring, _ texts: inout [Substring]) -> Int? {
        if let next = nodes[node].node(word: part.utf8) {
            if takesSuffix(next) { texts.append("") }
            return next
        }
        let dot = part.utf8.lastIndex(of: UInt8(ascii: ".")) ?? part.endIndex
        if let next = nodes[node].node(word: part[..<dot].utf8), takesSuffix(next) {
            texts.append(part[dot...])
            return next
        }
        guard let hole = nodes[node].hole, takesSuffix(hole.node) else { return step(from: node, part, &texts) }
        texts += [part[..<dot], part[dot...]]
        return hole.node
    }

    private func takesSuffix(_ node: Int) -> Bool { nodes[node].route?.template.takesSuffix ?? false }
}
