import ArgumentParser

/// Options declared by a list, so that they need no properties of their own.
protocol ListedOptions: ParsableArguments, CustomReflectable {
    /// In the order of `--help`. No two have the same name.
    static var declared: [(name: String, option: ListedOption)] { get }
    /// By their names. ``undecoded`` before the arguments are parsed.
    var options: [String: ListedOption] { get set }
}

enum ListedOption {
    case text(Option<String?>)
    case list(Option<[String]>)
    case flag(Flag<Bool>)
}

extension ListedOptions {
    static var undecoded: [String: ListedOption] {
        Dictionary(uniqueKeysWithValues: declared.map { ($0.name, $0.option) })
    }

    /// The argument parser looks for options among the properties of an instance.
    var customMirror: Mirror {
        let children = Self.declared.map { name, option -> Mirror.Child in
            switch option {
            case .text(let option): (name, option)
            case .list(let option): (name, option)
            case .flag(let flag): (name, flag)
            }
        }
        return Mirror(self, children: children, displayStyle: .struct)
    }

    init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: OptionKey.self)
        for (name, option) in options {
            let key = OptionKey(name)
            options[name] =
                switch option {
                case .text: .text(try values.decode(Option<String?>.self, forKey: key))
                case .list: .list(try values.decode(Option<[String]>.self, forKey: key))
                case .flag: .flag(try values.decode(Flag<Bool>.self, forKey: key))
                }
        }
    }

    /// The given values by name: comma-separated for a list, `true` for a flag.
    var texts: [String: String] {
        options.compactMapValues { option in
            switch option {
            case .text(let option): option.wrappedValue
            case .list(let option): option.wrappedValue.isEmpty ? nil : option.wrappedValue.joined(separator: ",")
            case .flag(let flag): flag.wrappedValue ? "true" : nil
            }
        }
    }
}

private struct OptionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
