import NIOCore
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct EventBytesTests {
    @Test("an event is its name, its data without the last line feed, and its id, as a chunk and as it is") func event()
    {
        let state = LiveState.top(#"{"rows":[]}"#)
        let bytes = EventBytes(state, id: state.id)
        let text = "event: top\ndata: {\"rows\":[]}\nid: \(state.id)\n\n"
        #expect(String(buffer: bytes.plain) == text)
        #expect(String(buffer: bytes.chunk) == "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
        #expect("\"\(state.id)\"" == state.parts[0].entity.etag)
    }

    @Test("a line feed in the data begins another line of data") func lines() {
        let bytes = EventBytes(.top("a\n\nb"), id: "7")
        #expect(String(buffer: bytes.plain) == "event: top\ndata: a\ndata: \ndata: b\nid: 7\n\n")
    }

    @Test("of two documents the last one has the id, which is both tags") func documents() {
        let state = LiveState(parts: [.of("charity", "1"), .of("top", "2")], isFinal: false, isCached: true)
        let (first, second) = (LiveState.top("1").id, LiveState.top("2").id)
        #expect(state.id == "\(first).\(second)")
        #expect(
            String(buffer: EventBytes(state, id: state.id).plain)
                == "event: charity\ndata: 1\n\nevent: top\ndata: 2\nid: \(first).\(second)\n\n")
    }

    @Test("what every stream begins with, and what keeps it alive") func fixed() {
        #expect(String(buffer: EventBytes.opening.plain) == "retry: 3000\n\n")
        #expect(String(buffer: EventBytes.opening.chunk) == "d\r\nretry: 3000\n\n\r\n")
        #expect(String(buffer: EventBytes.comment.plain) == ":\n\n")
    }
}
