public import Foundation

/// A state of a game that two devices can change apart from each other and bring together again.
///
/// The result must not depend on the order in which states are brought together, nor on how often: `a.merged(with: b)`
/// equals `b.merged(with: a)`, `a.merged(with: a)` equals `a`, and of three states it does not matter which two are
/// merged first. A state whose fields are ``Greatest``, ``Newest``, ``DeviceSum`` and ``GrowingSet``, each merged with
/// its like, keeps these laws.
public protocol Mergeable: Codable, Sendable, Equatable { func merged(with other: Self) -> Self }

/// A value that only rises, such as the level that was reached.
public struct Greatest<Value: Comparable & Codable & Sendable>: Mergeable {
    public private(set) var value: Value

    public init(_ value: Value) { self.value = value }

    /// Takes a value if it is greater.
    public mutating func raise(to value: Value) { self.value = max(self.value, value) }

    public func merged(with other: Greatest) -> Greatest { Greatest(max(value, other.value)) }
}

/// A value of which the one that was set last counts, such as the chosen colour.
public struct Newest<Value: Codable & Sendable & Equatable>: Mergeable {
    public private(set) var value: Value
    /// Milliseconds since 1970 by the device's clock, but always more than those of the value that it took the place
    /// of, so that a clock that is behind or was set back loses nothing.
    public private(set) var setAt: Int64
    /// Decides between devices that set it in the same millisecond.
    public private(set) var device: String

    /// A value that nobody has set, with which a game begins: whatever a device sets counts more, also if that was
    /// before another device began.
    public init(_ value: Value) { (self.value, setAt, device) = (value, 0, "") }

    /// A value that a player chose. The value with which a game begins is ``init(_:)``'s.
    /// - Parameters:
    ///   - value: What is set.
    ///   - device: A name that only this device has, such as ``Causeboard/deviceName``.
    ///   - date: When it is set.
    public init(_ value: Value, device: String, at date: Date = Date()) {
        (self.value, self.device) = (value, device)
        setAt = Self.milliseconds(date)
    }

    public mutating func set(_ value: Value, device: String, at date: Date = Date()) {
        let isLast = setAt == .max
        (self.value, self.device) = (value, device)
        setAt = isLast ? .max : max(Self.milliseconds(date), setAt + 1)
    }

    public func merged(with other: Newest) -> Newest {
        if (setAt, device) != (other.setAt, other.device) {
            return (setAt, device) < (other.setAt, other.device) ? other : self
        }
        // Only a device whose files were copied gets here. The texts of the values decide, so that all decide alike.
        return Self.texts(value) < Self.texts(other.value) ? other : self
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        let given = date.timeIntervalSince1970 * 1_000
        return given.isNaN ? 0 : Int64(min(max(given, 0), 253_402_300_799_000))
    }

    /// Texts by which values are told apart. In the first the elements of arrays are sorted, because a set has them in
    /// another order in each process; the second tells apart what is an array.
    private static func texts(_ value: Value) -> (String, String) {
        guard let json = try? JSONText.encode([value]) else { return ("", "") }
        let tree = try? JSONSerialization.jsonObject(with: json)
        return (tree.map { sortedText($0) } ?? "", String(decoding: json, as: UTF8.self))
    }

    private static func sortedText(_ tree: Any) -> String {
        switch tree {
        case let members as [String: Any]:
            "{" + members.map { String(reflecting: $0) + ":" + sortedText($1) }.sorted().joined(separator: ",") + "}"
        case let elements as [Any]: "[" + elements.map { sortedText($0) }.sorted().joined(separator: ",") + "]"
        case let text as String: String(reflecting: text)
        default: "\(tree)"
        }
    }
}

/// A sum to which each device adds its own part, such as the coins that were found. What one device counted is never
/// counted twice, however often states are brought together.
public struct DeviceSum: Mergeable {
    /// What each device has added, which only rises.
    public private(set) var parts: [String: Int64] = [:]

    public init() {}

    /// What all devices added; at most as much as 64 bits hold.
    public var sum: Int64 {
        parts.values.reduce(0) { sum, part in
            let (next, overflow) = sum.addingReportingOverflow(max(part, 0))
            return overflow ? .max : next
        }
    }

    /// Adds to this device's part, which holds at most as much as 64 bits do.
    /// - Parameters:
    ///   - points: 0 or more; less adds nothing. What is spent is another sum.
    ///   - device: A name that only this device has, such as ``Causeboard/deviceName``.
    public mutating func add(_ points: Int64, device: String) {
        let (next, overflow) = parts[device, default: 0].addingReportingOverflow(max(points, 0))
        parts[device] = overflow ? .max : next
    }

    public func merged(with other: DeviceSum) -> DeviceSum {
        var merged = self
        merged.parts.merge(other.parts) { max($0, $1) }
        return merged
    }
}

/// A set to which members are added and from which none is taken, such as the badges that were won.
public struct GrowingSet<Member: Hashable & Codable & Sendable>: Mergeable {
    public private(set) var members: Set<Member>

    public init(_ members: Set<Member> = []) { self.members = members }

    public mutating func insert(_ member: Member) { members.insert(member) }

    public func merged(with other: GrowingSet) -> GrowingSet { GrowingSet(members.union(other.members)) }
}
