// Measures the time and memory of a RankedSet and prints a line for each result: name, value and unit, separated by
// tabs. Arguments: numbers of rows; 10_000, 1_000_000 and 10_000_000 when there are none.

import Glibc

let given = CommandLine.arguments.dropFirst().compactMap { Int($0.filter { $0 != "_" }) }
let counts = given.isEmpty ? [10_000, 1_000_000, 10_000_000] : given
if counts.count == 1 {
    Run(count: max(1, counts[0])).go()
} else {
    // Each number of rows runs in its own process, because memory freed by one run would hide what the next one takes.
    for count in counts {
        var arguments = [strdup("/proc/self/exe"), strdup(String(count)), nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawn(&process, "/proc/self/exe", nil, nil, &arguments, environ) == 0 else { exit(1) }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process, status == 0 else { exit(1) }
    }
}
