import Glibc
import Standings

/// Times the ranked set alone: `StandingsBenchmark ROWS...`. Prints `what<TAB>figure<TAB>unit`, medians of 5 rounds of random operations on one thread,
/// and the growth of the process's resident memory for each row, after the build and after a million moves.
@main
struct StandingsBenchmark {
    static func main() {
        let sizes = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        for size in sizes.isEmpty ? [10_000, 1_000_000] : sizes { measure(size) }
    }

    static func measure(_ size: Int) {
        var dice = SystemRandomNumberGenerator()
        func row(_ id: Int64) -> RankedRow {
            RankedRow(orderKey: .random(in: -1_000_000...0, using: &dice), reachedAt: .random(in: 0...1 << 50, using: &dice), row: id)
        }
        func report(_ what: String, _ figure: Double, _ unit: String) {
            print("\(what), \(size) rows\t\((figure * 10).rounded() / 10)\t\(unit)")
        }
        func nanoseconds(_ operations: Int, rounds: Int = 5, _ body: () -> Void) -> Double {
            let clock = ContinuousClock()
            let times = (0..<rounds).map { _ in clock.measure(body) }.sorted()
            let median = times[times.count / 2].components
            return (Double(median.seconds) * 1e9 + Double(median.attoseconds) / 1e9) / Double(operations)
        }

        let before = residentBytes()
        var rows = (0..<Int64(size)).map(row)
        let withRows = residentBytes()
        var set = RankedSet()
        let sorting = nanoseconds(size, rounds: 1) { rows.sort() }
        let building = nanoseconds(size, rounds: 1) { set = RankedSet(sorting: rows) }
        report("sort", sorting, "ns a row")
        report("linear build", building, "ns a row")
        report("memory after the build", Double(residentBytes() - withRows) / Double(size), "bytes a row")
        rows = []
        let operations = 200_000
        let ids = (0..<operations).map { _ in Int64.random(in: 0..<Int64(size), using: &dice) }
        var sum = 0
        report("rank of a player", nanoseconds(operations) { for id in ids { sum &+= set.place(of: id)?.position ?? 0 } }, "ns")
        report("find", nanoseconds(operations) { for id in ids { sum &+= Int(truncatingIfNeeded: set.find(id)?.orderKey ?? 0) } }, "ns")
        report(
            "rank of points", nanoseconds(operations) { for id in ids { sum &+= set.counts(ofOrderKey: 0 - id % 1_000_000).better } }, "ns")
        let around = nanoseconds(operations) {
            for id in ids {
                guard let place = set.place(of: id) else { continue }
                set.forEach(from: place.position - 2, limit: 5) { sum &+= Int(truncatingIfNeeded: $0.row) }
            }
        }
        report("5 rows around a player", around, "ns")
        report("top 50", nanoseconds(1_000) { for _ in 0..<1_000 { set.forEach(from: 0, limit: 50) { sum &+= Int($0.row) } } }, "ns")
        report("move", nanoseconds(operations) { for id in ids { set.set(row(id)) } }, "ns")
        let fresh = nanoseconds(operations, rounds: 1) { for id in 0..<Int64(operations) { set.set(row(Int64(size) + id)) } }
        report("insert", fresh, "ns")
        report("remove", nanoseconds(operations, rounds: 1) { for id in 0..<Int64(operations) { set.remove(Int64(size) + id) } }, "ns")
        for id in ids { set.set(row(id)) }
        report("allocated after a million moves", Double(set.allocatedBytes) / Double(size), "bytes a row")
        report("process", Double(residentBytes() - before) / Double(size), "bytes a row")
        if sum == 42 { print() }
    }

    static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var (total, resident) = (0, 0)
        guard
            withUnsafeMutablePointer(
                to: &total,
                { total in
                    withUnsafeMutablePointer(to: &resident) { resident in
                        withVaList([total, resident]) { vfscanf(file, "%ld %ld", $0) }
                    }
                }) == 2
        else { return 0 }
        return resident * sysconf(Int32(_SC_PAGESIZE))
    }
}
