import TestDice

/// A JSON value that keeps its tokens, between which white space may stand.
indirect enum JSONSample {
    case scalar(token: String, text: String?)
    case array([JSONSample])
    case object([(name: JSONSample, value: JSONSample)])

    var tokens: [String] {
        switch self {
        case .scalar(let token, _): [token]
        case .array(let items): ["["] + Array(items.map(\.tokens).joined(separator: [","])) + ["]"]
        case .object(let members):
            ["{"] + Array(members.map { $0.name.tokens + [":"] + $0.value.tokens }.joined(separator: [","])) + ["}"]
        }
    }

    var minified: String { tokens.joined() }

    var text: String? { if case .scalar(_, let text) = self { text } else { nil } }
}

extension Dice {
    mutating func object(depth: Int = 0) -> JSONSample {
        .object(
            (0..<Int.random(in: 0...5, using: &self)).map { _ in (string(charactersMax: 2), tree(depth: depth + 1)) })
    }

    mutating func tree(depth: Int) -> JSONSample {
        switch Int.random(in: 0..<(depth < 5 ? 8 : 6), using: &self) {
        case 0: .scalar(token: ["true", "false", "null"].randomElement(using: &self) ?? "", text: nil)
        case 1, 2: .scalar(token: number(), text: nil)
        case 3, 4, 5: string(charactersMax: 12)
        case 6: .array((0..<Int.random(in: 0...4, using: &self)).map { _ in tree(depth: depth + 1) })
        default: object(depth: depth)
        }
    }

    mutating func number() -> String {
        var number = Bool.random(using: &self) ? "-" : ""
        number += String(UInt64.random(in: 0...UInt64.max, using: &self) >> UInt64.random(in: 0..<64, using: &self))
        if Bool.random(using: &self) {
            number += "." + (0...Int.random(in: 0...3, using: &self)).map { _ in digit() }.joined()
        }
        if Bool.random(using: &self) {
            number +=
                (["e", "E", "e+", "E-"].randomElement(using: &self) ?? "")
                + (Bool.random(using: &self) ? digit() : "0" + digit())
        }
        return number
    }

    mutating func string(charactersMax: Int) -> JSONSample {
        let all = Array(
            "ab\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F} {}[]:,é\u{301}中\u{2028}\u{D7FF}\u{E000}\u{FFFF}\u{1F600}\u{10FFFF}"
                .unicodeScalars)
        var text = ""
        var token = "\""
        for _ in 0..<Int.random(in: 0...charactersMax, using: &self) {
            guard let scalar = all.randomElement(using: &self) else { continue }
            text.unicodeScalars.append(scalar)
            token += written(scalar)
        }
        return .scalar(token: token + "\"", text: text)
    }

    /// The value's text, with or without white space before each token and at the end.
    mutating func spaced(_ tree: JSONSample) -> String {
        (tree.tokens + [""]).map { token in
            let space = (0..<max(0, Int.random(in: -2...2, using: &self))).map { _ in
                [" ", "\t", "\n", "\r"].randomElement(using: &self) ?? ""
            }
            return space.joined() + token
        }.joined()
    }

    private mutating func digit() -> String { String(Int.random(in: 0...9, using: &self)) }

    private mutating func written(_ scalar: Unicode.Scalar) -> String {
        let short: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\u{8}": "\\b", "\u{C}": "\\f", "\n": "\\n", "\r": "\\r",
            "\t": "\\t",
        ]
        switch Int.random(in: 0..<3, using: &self) {
        case 0 where scalar.value >= 0x20 && scalar != "\"" && scalar != "\\": return String(scalar)
        case 1: if let short = short[scalar] { return short }
        default: break
        }
        return UTF16.encode(scalar).map(Array.init)?.map { unit in
            let digits = String(unit, radix: 16, uppercase: Bool.random(using: &self))
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined() ?? ""
    }
}
