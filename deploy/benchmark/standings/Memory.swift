import Glibc

/// Memory use of the process.
enum Memory {
    /// Bytes of `VmRSS`, which Linux keeps accurate to about half a megabyte; 0 when it cannot be read.
    static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("VmRSS:") else { continue }
            return (Int(text.filter { $0.isWholeNumber }) ?? 0) * 1_024
        }
        return 0
    }
}
