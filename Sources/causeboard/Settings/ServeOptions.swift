import ArgumentParser

/// The flags that every command has.
struct DatabaseOptions: ListedOptions {
    static var declared: [(name: String, option: ListedOption)] {
        let all = SettingList.all
        let settings: [any NamedSetting] = [
            all.data, all.databaseURL, all.secretFile, all.settings, all.logLevel, all.logFormat,
        ]
        return settings.compactMap(\.flag)
    }

    var options = Self.undecoded

    /// The text of a flag; nil if it was not given.
    subscript(_ path: KeyPath<SettingList, Setting<some Sendable>>) -> String? {
        SettingList.all[keyPath: path].name.flatMap { texts[$0] }
    }
}

/// The flags of `serve`: those of all other settings.
struct ServeOptions: ListedOptions {
    static var declared: [(name: String, option: ListedOption)] {
        let others = Set(DatabaseOptions.declared.map(\.name))
        return SettingList.all.named.compactMap(\.flag).filter { !others.contains($0.name) }
    }

    var options = Self.undecoded
}
