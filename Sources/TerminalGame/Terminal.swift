import Dispatch
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The terminal that the game is played in. While the field is shown, keys come one by one and are not echoed; however
/// the game ends, also by a signal, the terminal is as it was before.
final class Terminal: Sendable {
    private enum Mode {
        case lines
        case field(former: termios)
        /// A signal ends the process; nothing is drawn any more.
        case ended
    }

    private static let readBytesMax = 64
    private static let showField = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
    private static let hideField = "\u{1B}[?25h\u{1B}[?1049l"

    private let mode = Mutex(Mode.lines)
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// - Returns: Nil unless both standard input and standard output are a terminal.
    init?() {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        // A game that is stopped would leave its field to the shell.
        signal(SIGTSTP, SIG_IGN)
        sources.withLock { sources in
            sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { [weak self] in
                    self?.leave(for: .ended)
                    _exit(128 + number)
                }
                source.resume()
                return source
            }
        }
    }

    /// Columns and rows; nil when the terminal does not know.
    var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows an empty field, and reads keys from now on.
    func enter() {
        mode.withLock { mode in
            var settings = termios()
            guard case .lines = mode, tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
            mode = .field(former: settings)
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            withUnsafeMutableBytes(of: &settings.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
            _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            Self.send(Self.showField)
        }
    }

    /// Gives the terminal back as it was. What was typed and not read is forgotten.
    func leave() { leave(for: .lines) }

    private func leave(for next: Mode) {
        mode.withLock { mode in
            if case .field(var former) = mode {
                Self.send(Self.hideField)
                _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
            }
            mode = next
        }
    }

    /// What was typed, at the latest after this time.
    /// - Returns: Nil when nobody can type any more.
    func typed(within milliseconds: Int32) -> [UInt8]? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, milliseconds) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Self.readBytesMax)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// Shows the field.
    func draw(_ lines: [String]) {
        mode.withLock { mode in
            guard case .field = mode else { return }
            Self.send("\u{1B}[H" + lines.map { $0 + "\u{1B}[K\r\n" }.joined() + "\u{1B}[J")
        }
    }

    /// Prints lines, over as many of those before as it is told.
    func say(_ lines: String..., over count: Int = 0) { say(lines, over: count) }

    func say(_ lines: [String], over count: Int = 0) {
        show((count > 0 ? "\u{1B}[\(count)A" : "") + lines.map { printable($0) + "\u{1B}[K\n" }.joined())
    }

    /// Asks for a line.
    /// - Returns: Nil when there is none any more.
    func ask(_ question: String) -> String? {
        show(printable(question) + " ")
        return readLine()?.trimmingCharacters(in: .whitespaces)
    }

    private func show(_ text: String) {
        mode.withLock { mode in
            if case .ended = mode { return }
            Self.send(text)
        }
    }

    private static func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// One line of text without anything that a terminal would obey, and not endless: names and sentences come from a
/// server.
func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(240).map { scalar -> UnicodeScalar in
        switch (scalar.properties.generalCategory, scalar.value) {
        case (.control, _), (.lineSeparator, _), (.paragraphSeparator, _): " "
        case (_, 0x202A...0x202E), (_, 0x2066...0x2069): " "  // They would turn the rest of the line around.
        default: scalar
        }
    }
    return String(String.UnicodeScalarView(scalars))
}
