import LibFuzzer

/// `Fuzz PARSER [libFuzzer's options] [directories of inputs]` feeds one parser until something traps or a property
/// does not hold. `Fuzz` alone lists the parsers.
@main struct Fuzz {
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
