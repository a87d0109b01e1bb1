import Foundation

/// One event of a stream (Server-sent events, HTML Living Standard, section 9.2).
struct ServerEvent: Equatable, Sendable {
    var name = "message"
    var data = ""
    var id: String?
}

/// Takes a stream apart as its bytes arrive.
struct EventParser {
    struct TooLong: Error {}

    private var line: [UInt8] = []
    private var event = ServerEvent()
    private var hasData = false
    /// Bytes of the event so far.
    private var bytesCount = 0

    /// - Returns: The events that are whole with these bytes.
    /// - Throws: `TooLong` when an event has more than ``Limits/eventBytesMax``.
    mutating func take(_ bytes: Data) throws(TooLong) -> [ServerEvent] {
        var events: [ServerEvent] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                bytesCount += 1
                guard bytesCount <= Limits.eventBytesMax else { throw TooLong() }
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty {
                if hasData { events.append(event) }
                (event, hasData, bytesCount) = (ServerEvent(), false, 0)
            } else {
                read(line)
            }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    private mutating func read(_ line: [UInt8]) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: name, as: UTF8.self) {
        case "event": event.name = text
        case "id": event.id = text
        case "data":
            event.data += hasData ? "\n" + text : text
            hasData = true
        // Comments, `retry`, and what a later server may add.
        default: break
        }
    }
}
