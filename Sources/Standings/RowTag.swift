/// What the index knows a row's id by: 32 bits, mixed with a secret of the process so that nobody can choose ids that collide.
///
/// The mixer is MurmurHash3's finaliser (Appleby 2011) after a multiplication by a secret odd number.
struct RowTag {
    private static let addend: UInt64 = .random(in: .min ... .max)
    private static let factor: UInt64 = .random(in: .min ... .max) | 1

    let addend = Self.addend
    let factor = Self.factor

    /// The tag of a row's id. Different ids may share one.
    func callAsFunction(_ row: Int64) -> UInt32 {
        var mixed = (UInt64(bitPattern: row) ^ addend) &* factor
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }
}
