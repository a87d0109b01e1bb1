import Avatars
import Credentials
import Domain
@testable import HTTP
@testable import Postgres

// The parsers of what the server itself has written, or a library has: cursors, pictures, the replication stream.

/// The key of the cursors; its value does not matter.
let secret: Secret = {
    guard let secret = Secret(hex: String(repeating: "5a", count: 32)) else { fatalError("64 digits are a secret") }
    return secret
}()

@Sendable func checkCursors(_ input: UnsafeRawBufferPointer) {
    let bytes = Array(input)
    // Whoever stole the secret can seal any content, so the content is fuzzed as well as the seal.
    if let cursor = RankingCursor(bytes: bytes) {
        require(RankingCursor(bytes: cursor.bytes) == cursor, "a cursor reads back")
    }
    if let cursor = HistoryCursor(bytes: bytes) {
        require(HistoryCursor(bytes: cursor.bytes) == cursor, "a cursor reads back")
    }
    if let text = text(input), let opened = try? secret.cursorBytes(text, field: "after") {
        require(secret.cursor(opened) == text, "nobody can make a cursor but the server")
    }
}

@Sendable func checkPicture(_ input: UnsafeRawBufferPointer) {
    let limits = AvatarLimits(bytesMax: Limits.avatarBytesMax, sideMax: Limits.avatarPixelsMax)
    guard let png = try? avatarPNG(from: Array(input), limits: limits) else { return }
    let again = try? avatarPNG(from: png, limits: limits)
    require(again != nil, "an avatar is a picture")
}

/// The input is a sequence of messages, each after its length in two bytes.
@Sendable func checkReplicationMessages(_ input: UnsafeRawBufferPointer) {
    var decoder = StreamDecoder()
    var rest = input[...]
    while rest.count >= 2 {
        let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        let message = rest.dropFirst(2).prefix(count)
        rest = rest.dropFirst(2 + message.count)
        guard let event = try? decoder.event(UnsafeRawBufferPointer(rebasing: message)) else { continue }
        switch consume event {
        case .insert(_, let tuple): read(tuple)
        case .delete(_, let tuple): read(tuple)
        case .update(_, let old, let new):
            if let old { read(old) }
            read(new)
        default: break
        }
    }
}

/// Reads every column as each type that the server follows.
private func read(_ tuple: consuming StreamTuple) {
    var column = 0
    while column < tuple.columnsCount {
        switch column % 4 {
        case 0: _ = try? tuple.next(Int64.self)
        case 1: _ = try? tuple.next(Timestamp.self)
        case 2: _ = try? tuple.next(String.self)
        default: _ = try? tuple.next(Bool.self)
        }
        column += 1
    }
}
