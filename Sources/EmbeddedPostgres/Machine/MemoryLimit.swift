/// How much memory the processes of this machine, or of this container, may have.
enum MemoryLimit {
    /// The least of the machine's memory, the limits of the control group that we are in and of all above it, and what
    /// the kernel may hand out where it does not overcommit.
    /// - Parameter read: Returns the text of a file, or nil when it cannot be read.
    /// - Returns: 0 when nothing could be read.
    static func bytes(read: (String) -> String?) -> Int {
        var bounds = controlGroupLimits(read: read)
        let memory = fields(ofMemoryInfo: read("/proc/meminfo") ?? "")
        if let total = memory["MemTotal"] { bounds.append(total) }
        if number(read("/proc/sys/vm/overcommit_memory")) == 2, let limit = memory["CommitLimit"] {
            bounds.append(limit)
        }
        return bounds.filter { $0 > 0 }.min() ?? 0
    }

    /// Reads lines such as `MemTotal:       24684092 kB`.
    private static func fields(ofMemoryInfo text: String) -> [Substring: Int] {
        var fields: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0].hasSuffix(":"), words[2] == "kB", let kibibytes = Int(words[1]) else {
                continue
            }
            let (bytes, isTooLarge) = kibibytes.multipliedReportingOverflow(by: 1024)
            fields[words[0].dropLast()] = isTooLarge ? .max : bytes
        }
        return fields
    }

    /// The limits that are set for our control group and the groups above it, in version 2 and in version 1. A group
    /// without a limit has the word `max`, or a number beyond any machine's memory.
    private static func controlGroupLimits(read: (String) -> String?) -> [Int] {
        var limits: [Int] = []
        for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
            // hierarchy:controllers:path, such as `0::/system.slice/causeboard.service` or `4:memory:/docker/1f...`
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let roots: [String]
            let names: [String]
            if parts[0] == "0", parts[1].isEmpty {
                (roots, names) = (["/sys/fs/cgroup", "/sys/fs/cgroup/unified"], ["memory.max", "memory.high"])
            } else if parts[1].split(separator: ",").contains("memory") {
                (roots, names) = (["/sys/fs/cgroup/memory"], ["memory.limit_in_bytes"])
            } else {
                continue
            }
            for directory in directories(of: parts[2]) {
                for root in roots { limits += names.compactMap { number(read("\(root)\(directory)/\($0)")) } }
            }
        }
        return limits
    }

    /// A group's directory and those above it, up to the root, which is empty. A container often sees the path that its
    /// group has on the host, while the root is its own group: then only the root exists.
    private static func directories(of path: Substring) -> [String] {
        let names = path.split(separator: "/")
        // A group outside of our namespace begins with "..", and its directory is not where the path says.
        if names.contains("..") { return [""] }
        return (0...names.count).map { names.prefix($0).map { "/\($0)" }.joined() }
    }

    private static func number(_ text: String?) -> Int? { text?.split(separator: "\n").first.flatMap { Int($0) } }
}
