/// What stands between the slashes of a path, some of the first parts left out.
struct PathParts {
    /// No path that is served has more.
    static let countMax = 8

    private let all: [Substring]
    private let dropped: Int

    /// - Parameter path: Beginning with a slash. With more parts than any path has, it is nil.
    init?(_ path: String) {
        let bytes = path.utf8
        var parts: [Substring] = []
        parts.reserveCapacity(Self.countMax)
        var start = bytes.index(after: bytes.startIndex)
        var index = start
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "/") {
                parts.append(path[start..<index])
                guard parts.count < Self.countMax else { return nil }
                start = bytes.index(after: index)
            }
            index = bytes.index(after: index)
        }
        parts.append(path[start...])
        (all, dropped) = (parts, 0)
    }

    private init(_ all: [Substring], dropped: Int) {
        (self.all, self.dropped) = (all, dropped)
    }

    var count: Int { all.count - dropped }
    var first: Substring? { count > 0 ? all[dropped] : nil }

    /// - Parameter index: 0 ..< count.
    subscript(index: Int) -> Substring { all[dropped + index] }

    /// - Parameter number: 0 ... count.
    func dropping(_ number: Int) -> PathParts { PathParts(all, dropped: dropped + number) }
}
