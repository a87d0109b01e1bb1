/// What a game sent along with a score: any JSON, such as the car or the build. A stranger's game may have sent
/// anything, so a game shows only what it knows.
public enum Detail: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([Detail])
    case object([String: Detail])

    /// The member of an object with this name.
    public subscript(_ name: String) -> Detail? { if case .object(let members) = self { members[name] } else { nil } }

    /// The text; nil for anything else.
    public var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The whole number; nil for anything else.
    public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}

extension Detail: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension Detail: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(stringLiteral value: String) { self = .text(value) }
    public init(arrayLiteral elements: Detail...) { self = .list(elements) }

    /// The later of two members with one name counts.
    public init(dictionaryLiteral elements: (String, Detail)...) {
        self = .object(Dictionary(elements) { _, later in later })
    }
}

extension Detail: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A number that a `Double` does not hold is null, so that one row makes no ranking unreadable.
    public init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [String: Detail] = [:]
            for name in object.allKeys { members[name.stringValue] = try object.decode(Detail.self, forKey: name) }
            self = .object(members)
        } else if var list = try? decoder.unkeyedContainer() {
            var details: [Detail] = []
            while !list.isAtEnd { details.append(try list.decode(Detail.self)) }
            self = .list(details)
        } else {
            let value = try decoder.singleValueContainer()
            if let boolean = try? value.decode(Bool.self) {
                self = .boolean(boolean)
            } else if let integer = try? value.decode(Int64.self) {
                self = .integer(integer)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else {
                self = .null
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .list(let details):
            var list = encoder.unkeyedContainer()
            for detail in details { try list.encode(detail) }
        case .object(let members):
            var object = encoder.container(keyedBy: Name.self)
            for (name, detail) in members { try object.encode(detail, forKey: Name(stringValue: name)) }
        default:
            var value = encoder.singleValueContainer()
            switch self {
            case .boolean(let boolean): try value.encode(boolean)
            case .integer(let integer): try value.encode(integer)
            case .number(let number): try value.encode(number)
            case .text(let text): try value.encode(text)
            case .null, .list, .object: try value.encodeNil()
            }
        }
    }
}
