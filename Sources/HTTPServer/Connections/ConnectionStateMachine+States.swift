import HTTPTypes
import NIOCore
import NIOHTTP1

// The states that a connection can be in, and the actions that the machine asks for.
extension ConnectionStateMachine {
    enum Action {
        /// Write and flush `100 Continue`.
        case sendContinue
        /// Start the task that responds to the request.
        case answer(Request)
        /// Write the response.
        case send(Response, Framing)
        /// Report the response to a request that was refused before it had come whole to `refused`, and write it.
        case refuse(Request, Refusal, Framing)
        /// Write the response to bytes of which no request could be made.
        case refuseUnread(Refusal, Framing)
        /// Write the head of an event stream and flush it, and subscribe to its events.
        case beginEvents(Response, Framing)
        /// Write bytes of the stream and flush them, and report `eventSent` when they have left.
        case sendEvent(ByteBuffer)
        /// Unsubscribe, write the end of the body, and close as `close` does.
        case endEvents(isChunked: Bool)
        case flush
        /// Let other connections of the event loop have their turns, and report `turnBegan` then.
        case rest
        /// Read more from the client.
        case read
        /// Flush, and close once everything written has been sent.
        case close
        /// Close without waiting for unsent bytes.
        case abort
        case cancelTask
        /// Report `deadlinePassed` after this time, unless the deadline is cleared before.
        case setDeadline(in: TimeAmount)
        case clearDeadline
        /// Report `idleTimeElapsed` after this time.
        case checkIdle(in: TimeAmount)
        case steerParser(RequestParser.Command)
        /// Cancel the task and the timers.
        case release
    }

    /// What came from the client and has not been taken.
    enum Part {
        case head(RequestHead)
        case body(ByteBuffer)
        case end
        /// Bytes that are no HTTP, the last that the parser has read.
        case noHTTP
        /// Bytes for which there was no room; none follow.
        case dropped
        /// Too many small pieces of bodies; none follow.
        case tooSmall
    }

    /// How a response is written.
    struct Framing: Equatable {
        /// False in the response to HEAD.
        let includesBody: Bool
        /// `.close` closes the connection as `Action.close` does, once the response is written.
        var persistence: Persistence
        /// Clients of HTTP/1.0 take a connection that stays open for one that closes, unless the response says so.
        var isHTTP10 = false

        /// The `Connection` header of the response.
        var connection: Response.ConnectionOption? {
            switch persistence {
            case .keepAlive: isHTTP10 ? .keepAlive : nil
            case .close: .close
            }
        }
    }

    /// Whether the connection takes another request after the current one.
    enum Persistence {
        case keepAlive
        case close
    }

    /// The progress of the current request and its response.
    enum Exchange {
        /// Between two requests. An event that rules out another request closes an idle connection at once.
        case idle
        /// The bytes of a head have begun to come, and are due by a deadline.
        case beginning
        case reading(Incoming)
        case answering(Framing)
        /// The response is an event stream, which is the last one of its connection.
        case streaming(Streaming)
        /// The request was refused before all of it had come; its remainder is read and dropped.
        case skipping(Remainder)
        case closed
    }

    struct Incoming {
        let head: HTTPRequestHead
        var body = ByteBuffer()
        var persistence: Persistence
        var deadline = BodyDeadline.unset
    }

    struct Streaming {
        /// False for HTTP/1.0, where the end of the connection is the end of the body.
        let isChunked: Bool
        /// Whether its body is whole after each piece.
        let mayEndAnywhere: Bool
        /// What the client has not read yet.
        var backlog: EventBacklog
    }

    struct Remainder {
        var persistence: Persistence
        var deadline: BodyDeadline
    }

    /// The deadline is set only for a request that did not come whole with the read that brought its head.
    enum BodyDeadline {
        case unset
        case set
    }

    /// Whether more input is expected from the client.
    enum Input {
        case open
        /// The channel asked to read while more parts could not be taken.
        case held
        case ended
    }
}

extension ConnectionStateMachine.Incoming {
    func request(from peer: Peer) -> Request {
        Request(
            method: HTTPRequest.Method(head.method.rawValue) ?? .connect, target: head.uri,
            headers: RequestHeaders(head.headers), body: body, peer: peer)
    }

    func framing(_ persistence: ConnectionStateMachine.Persistence) -> ConnectionStateMachine.Framing {
        ConnectionStateMachine.Framing(
            includesBody: head.method != .HEAD, persistence: persistence, isHTTP10: head.version == .http1_0)
    }
}
