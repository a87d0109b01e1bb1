/// What a player does by a key.
enum Key: Equatable {
    case up, down, left, right
    /// Takes what hangs where the cursor is.
    case take
    /// Takes what hangs on a hook, by the key that has the hook's place on the keyboard.
    case hook(Int)

    /// The keys of the hooks, row by row.
    static let hooks = Array("1234qwerasdfzxcv")
}

/// Makes keys of a terminal's bytes. What means nothing is skipped, and however long a sequence is, nothing of it is
/// kept.
struct KeyReader {
    private enum State { case plain, escape, sequence }

    private var state = State.plain

    /// - Parameter bytes: The next bytes; a sequence may be cut anywhere between two calls.
    mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] { bytes.compactMap { key($0) } }

    private mutating func key(_ byte: UInt8) -> Key? {
        switch (state, byte) {
        case (_, 0x1B):
            state = .escape
            return nil
        case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")):
            state = .sequence
            return nil
        case (.sequence, 0x20...0x3F): return nil  // Parameters, such as those of Shift.
        case (.sequence, _):
            state = .plain
            return Self.arrow(byte)
        case (.plain, _), (.escape, _):
            state = .plain
            return Self.plain(byte)
        }
    }

    private static func arrow(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: nil
        }
    }

    private static func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\n"): .take
        default:
            Key.hooks.firstIndex { $0.asciiValue == byte || $0.uppercased() == String(UnicodeScalar(byte)) }.map {
                .hook($0)
            }
        }
    }
}

/// Where the cursor is; it stops at the edges.
struct Cursor: Equatable {
    private(set) var index = 5

    mutating func move(_ key: Key) {
        let (row, column) = (index / PlateGame.columns, index % PlateGame.columns)
        switch key {
        case .up where row > 0: index -= PlateGame.columns
        case .down where row < PlateGame.rows - 1: index += PlateGame.columns
        case .left where column > 0: index -= 1
        case .right where column < PlateGame.columns - 1: index += 1
        default: break
        }
    }
}
