package import Domain
import Postgres

/// The settings of one kind of object. Each property is the key of one and describes it, in the order in which lists
/// and forms show them. Changes and listings of such an object have a property of the same name.
package protocol SettingKeys: Sendable {
    static var table: SettingTable<Self> { get }
    /// Checks rules about two settings that need no stored values. An error names the setting in
    /// snake_case, and its sentence begins with that name.
    static func check(_ change: SettingChange<Self>) throws(FieldError)
}

/// The settings of one kind of object, by key and as a list.
package struct SettingTable<Keys: Sendable>: Sendable {
    let keys: Keys
    let all: [AdminSetting]
    /// The columns that hold them, in their order.
    let columns: [String]

    init(_ keys: Keys) {
        self.keys = keys
        all = Mirror(reflecting: keys).children.compactMap { ($0.value as? any SettingKey)?.setting }
        columns = all.flatMap(\.columns)
    }
}

/// A change of settings. Settings that are not given keep their values.
///
/// A ``Setting`` is nil if it does not change; an ``OptionalSetting`` is a ``Patch``.
@dynamicMemberLookup package struct SettingChange<Keys: SettingKeys>: Sendable {
    private var patches: [String: Patch<any Sendable>] = [:]

    package init() {}

    package static var settings: [AdminSetting] { Keys.table.all }

    package subscript<Value>(dynamicMember path: KeyPath<Keys, Setting<Value>>) -> Value? {
        get {
            let setting = Keys.table.keys[keyPath: path].setting
            return self[setting].value.map { AdminSetting.typed($0, setting.name) }
        }
        set { self[Keys.table.keys[keyPath: path].setting] = newValue.map { .set($0) } ?? .keep }
    }

    package subscript<Value>(dynamicMember path: KeyPath<Keys, OptionalSetting<Value>>) -> Patch<Value> {
        get {
            let setting = Keys.table.keys[keyPath: path].setting
            return self[setting].map { AdminSetting.typed($0, setting.name) }
        }
        set { self[Keys.table.keys[keyPath: path].setting] = newValue.map { $0 as any Sendable } }
    }

    private(set) subscript(setting: AdminSetting) -> Patch<any Sendable> {
        get { patches["\(setting.name)"] ?? .keep }
        set { patches["\(setting.name)"] = newValue }
    }

    /// Reads a change. Each error names its setting.
    /// - Parameter settings: Nil for all.
    package init(of settings: [AdminSetting]? = nil, by source: some SettingSource) throws(FieldError) {
        for setting in settings ?? Keys.table.all { self[setting] = try setting.read(source) }
    }

    /// - Throws: ``FieldError`` for a value out of range, or two values that exclude each other.
    package func checked() throws(FieldError) -> SettingChange {
        for setting in Keys.table.all { if let value = self[setting].value { try setting.check(value) } }
        try Keys.check(self)
        return self
    }

    /// The settings of a new object, with defaults for missing ones.
    func withStandards() -> SettingChange {
        var change = self
        for setting in Keys.table.all where !self[setting].isGiven {
            if let standard = setting.standard { change[setting] = .set(standard) }
        }
        return change
    }

    /// Reads the settings of a new object, which has nothing to clear.
    func withoutCleared() -> SettingChange {
        var change = self
        for setting in Keys.table.all where self[setting].value == nil { change[setting] = .keep }
        return change
    }

    /// The new values, for the log.
    var values: [(String, SettingValue)] {
        Keys.table.all.compactMap { setting in
            let patch = self[setting]
            return patch.isGiven ? ("\(setting.name)", patch.value.map(setting.logged) ?? .none) : nil
        }
    }

    /// The columns that change, and their new values as PostgreSQL reads them; nil for NULL.
    var stored: (columns: [String], values: [String?]) {
        let given = Keys.table.all.filter { self[$0].isGiven }
        return (
            given.flatMap(\.columns),
            given.flatMap { setting in self[setting].value.map(setting.stored) ?? setting.columns.map { _ in nil } }
        )
    }
}

/// The settings of an object. An absent ``OptionalSetting`` is nil.
@dynamicMemberLookup package struct SettingValues<Keys: SettingKeys>: Sendable {
    private let values: [String: any Sendable]

    package subscript<Value>(dynamicMember path: KeyPath<Keys, Setting<Value>>) -> Value {
        let setting = Keys.table.keys[keyPath: path].setting
        guard let value = self[setting] else { preconditionFailure("\(setting.name) is absent") }
        return AdminSetting.typed(value, setting.name)
    }

    package subscript<Value>(dynamicMember path: KeyPath<Keys, OptionalSetting<Value>>) -> Value? {
        let setting = Keys.table.keys[keyPath: path].setting
        return self[setting].map { AdminSetting.typed($0, setting.name) }
    }

    subscript(setting: AdminSetting) -> (any Sendable)? { values["\(setting.name)"] }
}

extension SettingValues: RowDecodable {
    /// Reads a list of the values of ``SettingTable/columns``, in their order.
    init(row: inout RowReader) throws(DecodingFailure) {
        let texts: [String?] = try row.next()
        var values: [String: any Sendable] = [:]
        var rest = texts[...]
        for setting in Keys.table.all {
            let own = Array(rest.prefix(setting.columns.count))
            guard own.count == setting.columns.count else {
                throw DecodingFailure(.wrongLength, Self.self, from: .textArray)
            }
            rest = rest.dropFirst(own.count)
            if own[0] == nil, setting.isOptional { continue }
            guard let value = setting.decoded(own) else {
                throw DecodingFailure(.outOfRange, Self.self, from: .textArray)
            }
            values["\(setting.name)"] = value
        }
        self.values = values
    }
}

/// An object with its settings, as lists show it. Each setting is a property.
@dynamicMemberLookup package protocol SettingListing: Sendable {
    associatedtype Keys: SettingKeys
    var settings: SettingValues<Keys> { get }
    /// It changes whenever a setting does.
    var version: String { get }
}

extension SettingListing {
    package subscript<Value>(dynamicMember path: KeyPath<Keys, Setting<Value>>) -> Value {
        settings[dynamicMember: path]
    }

    package subscript<Value>(dynamicMember path: KeyPath<Keys, OptionalSetting<Value>>) -> Value? {
        settings[dynamicMember: path]
    }
}

extension [AdminSetting] {
    /// Their names in the admin API.
    package var names: Set<String> { Set(map { "\($0.name)" }) }
}
