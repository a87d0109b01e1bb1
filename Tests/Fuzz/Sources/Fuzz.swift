import LibFuzzer

/// `Fuzz PARSER [libFuzzer's options] [directories of inputs]` feeds one parser until something traps or a property
/// does not hold. `Fuzz` alone lists the parsers.
@main struct Fuzz {
    /// The parsers that read what strangers send, by the name of their folder in `Corpus`.
    static let parsers: [(name: String, check: @Sendable (UnsafeRawBufferPointer) -> Void)] = [
        ("accept", checkAccept),
        ("base64", checkBase64),
        ("connections", checkConnection),
        ("cursors", checkCursors),
        ("form", checkForm),
        ("instants", checkInstants),
        ("json", checkJSON),
        ("names", checkNames),
        ("paths", checkPaths),
        ("pgoutput", checkReplicationMessages),
        ("pictures", checkPicture),
        ("proxies", checkProxies),
        ("queries", checkQuery),
        ("windows", checkWindow),
    ]

    nonisolated(unsafe) private static var check: @Sendable (UnsafeRawBufferPointer) -> Void = { _ in }

    static func main() {
        guard CommandLine.argc > 1, let parser = parsers.first(where: { $0.name == CommandLine.arguments[1] }) else {
            for parser in parsers { print(parser.name) }
            return
        }
        check = parser.check
        // The parser's name takes the place of the program's, so the rest is as libFuzzer expects it.
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
        _ = LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
            Fuzz.check(UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
    }
}

/// Ends the run with an input that breaks a property; libFuzzer then keeps the input.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    if !holds { fatalError("does not hold: \(property())") }
}

/// The input as text; nil for bytes that are no UTF-8, which never become a `String`.
func text(_ input: UnsafeRawBufferPointer) -> String? {
    String(validating: input, as: UTF8.self)
}
