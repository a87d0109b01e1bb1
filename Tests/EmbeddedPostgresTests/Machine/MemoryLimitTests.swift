import Testing

@testable import EmbeddedPostgres

@Suite struct MemoryLimitTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        var files: [String: String] = [:]
        let bytes: Int
    }

    private static let memory =
        "MemTotal:       24684092 kB\nMemFree:        21898244 kB\nCommitLimit:    12342044 kB\n"
    private static let machine = 24_684_092 << 10

    static let cases = [
        Case(testDescription: "a machine without limits", bytes: machine),
        Case(
            testDescription: "version 2, a container that sees its group as the root",
            files: ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "536870912\n"], bytes: 512 << 20),
        Case(
            testDescription: "version 2 without a limit",
            files: ["/proc/self/cgroup": "0::/a.slice/b\n", "/sys/fs/cgroup/a.slice/b/memory.max": "max\n"],
            bytes: machine),
        Case(
            testDescription: "version 2, the limit of a group above ours",
            files: [
                "/proc/self/cgroup": "0::/system.slice/causeboard.service\n",
                "/sys/fs/cgroup/system.slice/causeboard.service/memory.max": "max\n",
                "/sys/fs/cgroup/system.slice/memory.max": "2147483648\n",
            ], bytes: 2 << 30),
        Case(
            testDescription: "version 2, memory.high slows down whoever passes it",
            files: [
                "/proc/self/cgroup": "0::/x\n", "/sys/fs/cgroup/x/memory.max": "4294967296\n",
                "/sys/fs/cgroup/x/memory.high": "3221225472\n",
            ], bytes: 3 << 30),
        Case(
            testDescription: "version 1 without a limit, as a number beyond any machine's memory",
            files: [
                "/proc/self/cgroup": "4:memory:/process/1\n0::/\n",
                "/sys/fs/cgroup/memory/process/1/memory.limit_in_bytes": "9223372036854771712\n",
            ], bytes: machine),
        Case(
            testDescription: "version 1, a container that sees the path of the host and has its own group as the root",
            files: [
                "/proc/self/cgroup": "9:name=systemd:/docker/1f\n5:cpu,cpuacct:/docker/1f\n4:memory:/docker/1f\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n",
            ], bytes: 1 << 30),
        Case(
            testDescription: "both versions, of which the first has the memory",
            files: [
                "/proc/self/cgroup": "4:memory,pids:/a\n0::/a\n",
                "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1073741824\n",
                "/sys/fs/cgroup/unified/a/memory.max": "max\n",
            ], bytes: 1 << 30),
        Case(
            testDescription: "a group outside of our namespace, whose directory is another's",
            files: [
                "/proc/self/cgroup": "0::/../other\n", "/sys/fs/cgroup/../other/memory.max": "1\n",
                "/sys/fs/cgroup/memory.max": "1073741824\n",
            ], bytes: 1 << 30),
        Case(
            testDescription: "a limit beyond the machine's memory",
            files: ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "1099511627776\n"], bytes: machine),
        Case(
            testDescription: "a kernel that hands out no more than it has",
            files: ["/proc/sys/vm/overcommit_memory": "2\n"], bytes: 12_342_044 << 10),
        Case(
            testDescription: "a kernel that overcommits", files: ["/proc/sys/vm/overcommit_memory": "1\n"],
            bytes: machine),
        Case(
            testDescription: "files in which there is something else",
            files: [
                "/proc/self/cgroup": "\n:\n::\n0:\n0::\n4:memory\nmemory\n0::/a\n", "/sys/fs/cgroup/memory.max": "-1\n",
                "/sys/fs/cgroup/a/memory.max": "0\n", "/sys/fs/cgroup/a/memory.high": "99999999999999999999999\n",
            ], bytes: machine),
        Case(
            testDescription: "nothing but unreadable files", files: ["/proc/meminfo": "MemTotal: many kB\n"], bytes: 0),
        Case(
            testDescription: "more kibibytes than bytes can be counted",
            files: ["/proc/meminfo": "MemTotal: \(Int.max) kB\n"], bytes: .max),
    ]

    @Test("the least of the machine's memory and the limits of our control groups counts", arguments: cases) func bytes(
        example: Case
    ) {
        let files = ["/proc/meminfo": Self.memory].merging(example.files) { $1 }
        #expect(MemoryLimit.bytes { files[$0] } == example.bytes)
    }
}
