import Glibc

/// An entry of the system's user database.
struct Account {
    let name: String
    let id: UInt32
    let group: UInt32

    /// Asks `getpwnam_r` or `getpwuid_r`, which, unlike their elder sisters, share no buffer with other threads.
    /// - Returns: Nil when there is no such account.
    static func find(
        _ ask: (UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>) ->
            Int32
    ) -> Account? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
            guard let start = buffer.baseAddress, ask(&entry, start, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
            else {
                return nil
            }
            return Account(name: String(cString: name), id: entry.pw_uid, group: entry.pw_gid)
        }
    }
}
