/// A whole `numeric`, such as the sum of a `bigint` column, which may exceed 64 bits. Integer columns are decoded, too.
///
/// A fraction (unless it is all zeros), NaN, an infinity or a number beyond 128 bits is a `DecodingFailure`. On the
/// wire a `numeric` is a count of base-10,000 digits, the weight of the first (as a power of 10,000), a sign and a
/// display scale, then the digits.
extension Int128: PostgresValue {
    package static var oid: OID { .numeric }
    package static var arrayOID: OID { .numericArray }

    private static var digitBase: Int128 { 10_000 }
    private static var negativeSign: UInt16 { 0x4000 }

    package func encode(into bytes: inout [UInt8]) {
        // 2^127 has 39 decimal digits, which is ten of base 10,000.
        var digits: [Int16] = []
        digits.reserveCapacity(10)
        var rest = magnitude
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10_000)
            digits.append(Int16(truncatingIfNeeded: digit))
            rest = quotient
        }
        bytes.append(bigEndian: Int16(digits.count))
        bytes.append(bigEndian: Int16(Swift.max(digits.count - 1, 0)))
        bytes.append(bigEndian: self < 0 ? Self.negativeSign : 0)
        bytes.append(bigEndian: Int16(0))
        for digit in digits.reversed() { bytes.append(bigEndian: digit) }
    }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard column == .numeric else {
            do { self = try Int128(Int64(decoding: bytes, from: column)) } catch {
                throw DecodingFailure(error.reason, Self.self, from: column)
            }
            return
        }
        guard let count = bytes.bigEndian(Int16.self), let weight = bytes.bigEndian(Int16.self, at: 2),
            let sign = bytes.bigEndian(UInt16.self, at: 4), count >= 0, bytes.count == 8 + 2 * Int(count)
        else { throw DecodingFailure(.wrongLength, Self.self, from: column) }
        guard sign == 0 || sign == Self.negativeSign else {
            throw DecodingFailure(.outOfRange, Self.self, from: column)
        }
        self = 0
        for index in 0..<Swift.max(Int(count), Int(weight) + 1) {
            let digit = index < Int(count) ? bytes.bigEndian(Int16.self, at: 8 + 2 * index) ?? 0 : 0
            guard 0..<10_000 ~= digit else { throw DecodingFailure(.malformed, Self.self, from: column) }
            if index > Int(weight) {  // after the decimal point
                guard digit == 0 else { throw DecodingFailure(.outOfRange, Self.self, from: column) }
                continue
            }
            // A negative number is built downwards, so that the smallest one fits.
            let (shifted, tooLarge) = multipliedReportingOverflow(by: Self.digitBase)
            let (sum, carries) =
                sign == 0
                ? shifted.addingReportingOverflow(Int128(digit)) : shifted.subtractingReportingOverflow(Int128(digit))
            guard !tooLarge, !carries else { throw DecodingFailure(.outOfRange, Self.self, from: column) }
            self = sum
        }
    }
}
