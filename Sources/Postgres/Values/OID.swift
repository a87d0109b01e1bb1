/// The number by which PostgreSQL identifies a type. The constants are from `pg_type.dat` and never change between
/// versions.
package struct OID: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// States no type, so that the server infers it.
    package static let unspecified = OID(rawValue: 0)

    package static let bool = OID(rawValue: 16)
    package static let bytea = OID(rawValue: 17)
    package static let name = OID(rawValue: 19)
    package static let int8 = OID(rawValue: 20)
    package static let int2 = OID(rawValue: 21)
    package static let int4 = OID(rawValue: 23)
    package static let text = OID(rawValue: 25)
    package static let json = OID(rawValue: 114)
    package static let xml = OID(rawValue: 142)
    package static let float4 = OID(rawValue: 700)
    package static let float8 = OID(rawValue: 701)
    package static let unknown = OID(rawValue: 705)
    package static let bpchar = OID(rawValue: 1042)
    package static let varchar = OID(rawValue: 1043)
    package static let date = OID(rawValue: 1082)
    package static let timestamptz = OID(rawValue: 1184)
    package static let numeric = OID(rawValue: 1700)
    package static let uuid = OID(rawValue: 2950)
    package static let jsonb = OID(rawValue: 3802)

    package static let boolArray = OID(rawValue: 1000)
    package static let byteaArray = OID(rawValue: 1001)
    package static let nameArray = OID(rawValue: 1003)
    package static let int8Array = OID(rawValue: 1016)
    package static let int2Array = OID(rawValue: 1005)
    package static let int4Array = OID(rawValue: 1007)
    package static let textArray = OID(rawValue: 1009)
    package static let jsonArray = OID(rawValue: 199)
    package static let xmlArray = OID(rawValue: 143)
    package static let float4Array = OID(rawValue: 1021)
    package static let float8Array = OID(rawValue: 1022)
    package static let bpcharArray = OID(rawValue: 1014)
    package static let varcharArray = OID(rawValue: 1015)
    package static let dateArray = OID(rawValue: 1182)
    package static let timestamptzArray = OID(rawValue: 1185)
    package static let numericArray = OID(rawValue: 1231)
    package static let uuidArray = OID(rawValue: 2951)
    package static let jsonbArray = OID(rawValue: 3807)

    /// The type of the elements when this is one of the array types above, else nil.
    package var element: OID? {
        switch self {
        case .boolArray: .bool
        case .byteaArray: .bytea
        case .nameArray: .name
        case .int8Array: .int8
        case .int2Array: .int2
        case .int4Array: .int4
        case .textArray: .text
        case .jsonArray: .json
        case .xmlArray: .xml
        case .float4Array: .float4
        case .float8Array: .float8
        case .bpcharArray: .bpchar
        case .varcharArray: .varchar
        case .dateArray: .date
        case .timestamptzArray: .timestamptz
        case .numericArray: .numeric
        case .uuidArray: .uuid
        case .jsonbArray: .jsonb
        default: nil
        }
    }
}
