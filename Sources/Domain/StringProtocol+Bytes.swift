extension StringProtocol {
    /// The UTF-8 as it lies in memory: a loop over it costs no call for each byte, whatever kind of string it is.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
        return try Array(utf8).withUnsafeBufferPointer(body)
    }
}
