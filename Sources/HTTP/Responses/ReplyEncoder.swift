import protocol Contract.MessageKey
import struct Contract.Timestamp
import Domain
import Feeds

extension JSONTree {
    /// A reply that clients read by its type in `Contract`. Its members have the order of its `CodingKeys`, and those
    /// that are nil are left out.
    init(_ reply: some Encodable) { self = ReplyEncoder.tree(of: reply) }

    /// The same, with members that the type cannot express: null, or JSON as a client sent it.
    /// - Parameter others: What to write for members that are nil.
    init<Key: MessageKey>(_ reply: some Encodable, _ others: KeyValuePairs<Key, JSONTree>) {
        self = ReplyEncoder.tree(of: reply, others.map { ($0.key.rawValue, $0.value) })
    }
}

extension JSONTree: Encodable {
    /// Never called: ``ReplyEncoder`` takes a tree in a reply, such as a row of a page, as it is.
    package func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "only replies contain trees"))
    }
}

extension Timestamp { init(_ instant: Instant) { self.init(microsecondsSince1970: instant.microsecondsSince1970) } }

/// Makes the tree of a reply. It knows what the replies of `Contract` consist of: objects, lists, texts, whole numbers,
/// booleans, instants, and numbers with one decimal.
private final class ReplyEncoder: Encoder {
    /// Trees by the names of members. They are few, so they are searched one by one.
    typealias Others = [(name: String, tree: JSONTree)]

    /// What has been encoded, unless it is an object or a list.
    var content = JSONTree.null
    fileprivate var members: [JSONTree.Member]?
    fileprivate var items: [JSONTree]?
    /// What to write for members that are nil.
    fileprivate let others: Others

    private init(_ others: Others) { self.others = others }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func tree(of value: some Encodable, _ others: Others = []) -> JSONTree {
        if let tree = value as? JSONTree { return tree }
        if let timestamp = value as? Timestamp {
            return .value(.instant(Instant(microsecondsSince1970: timestamp.microsecondsSince1970)))
        }
        let encoder = ReplyEncoder(others)
        do { try value.encode(to: encoder) } catch { preconditionFailure("\(type(of: value)) is no reply: \(error)") }
        return encoder.members.map(JSONTree.object) ?? encoder.items.map(JSONTree.list) ?? encoder.content
    }

    /// Numbers in replies have one decimal. A `Double` is exact enough for that up to 2^53 tenths.
    static func tree(of number: Double) -> JSONTree {
        Int128(exactly: (number * 10).rounded()).map { .value(.tenths($0)) } ?? .null
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // Names are written without escaping, so none may come from a client.
        assert(type is any MessageKey.Type, "\(type) is not a message key")
        if members == nil {
            members = []
            members?.reserveCapacity(16)
        }
        return KeyedEncodingContainer(Members(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        items = []
        return Items(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }
}

// One generic method encodes all integers. The one for all values cannot, because an integer encodes itself by calling
// the method for its own type.

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ReplyEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { add(key, .null) }
    func encode(_ value: Bool, forKey key: Key) { add(key, .value(.boolean(value))) }
    func encode(_ value: String, forKey key: Key) { add(key, .value(.text(value))) }
    func encode(_ value: Double, forKey key: Key) { add(key, ReplyEncoder.tree(of: value)) }
    func encode(_ value: Int128, forKey key: Key) { add(key, .value(.integer(value))) }
    func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) {
        add(key, .value(.integer(Int128(value))))
    }
    func encode(_ value: some Encodable, forKey key: Key) { add(key, ReplyEncoder.tree(of: value)) }

    // The protocol has default implementations for these types, which a generic method does not replace.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { add(key, value.map { .value(.boolean($0)) }) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { add(key, value.map { .value(.text($0)) }) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { add(key, value.map(ReplyEncoder.tree)) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { add(key, value.map { .value(.integer(Int128($0))) }) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { add(key, value.map { .value(.integer(Int128($0))) }) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) { add(key, value.map { .value(.integer($0)) }) }
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) {
        add(key, value.map { ReplyEncoder.tree(of: $0) })
    }

    /// Adds a member, or its replacement if it is nil.
    private func add(_ key: Key, _ tree: JSONTree?) {
        if let tree = tree ?? encoder.others.first(where: { $0.name == key.stringValue })?.tree {
            encoder.members?.append(.init(key: key.stringValue, tree))
        }
    }

    func nestedContainer<Nested>(keyedBy keyType: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        preconditionFailure("each object of a reply has a type")
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        preconditionFailure("each list of a reply is a property")
    }
    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

private struct Items: UnkeyedEncodingContainer {
    let encoder: ReplyEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.items?.count ?? 0 }

    func encodeNil() { encoder.items?.append(.null) }
    func encode(_ value: some Encodable) { encoder.items?.append(ReplyEncoder.tree(of: value)) }

    func nestedContainer<Key>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<Key> {
        preconditionFailure("each object of a reply has a type")
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        preconditionFailure("no list of a reply contains lists")
    }
    func superEncoder() -> any Encoder { encoder }
}

private struct Single: SingleValueEncodingContainer {
    let encoder: ReplyEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.content = .null }
    func encode(_ value: Bool) { encoder.content = .value(.boolean(value)) }
    func encode(_ value: String) { encoder.content = .value(.text(value)) }
    func encode(_ value: Double) { encoder.content = ReplyEncoder.tree(of: value) }
    func encode(_ value: Float) { encoder.content = ReplyEncoder.tree(of: Double(value)) }
    func encode(_ value: Int128) { encoder.content = .value(.integer(value)) }
    func encode(_ value: some FixedWidthInteger & Encodable) { encoder.content = .value(.integer(Int128(value))) }
    func encode(_ value: some Encodable) { encoder.content = ReplyEncoder.tree(of: value) }
}
