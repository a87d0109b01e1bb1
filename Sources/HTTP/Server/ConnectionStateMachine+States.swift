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
        /// Write the response to a request that was refused before it had come whole.
        case refuse(Request, Problem, Framing)
        case flush
        /// Read more from the client.
        case read
        /// Flush, and close once everything written has been sent.
        case close
        /// Close without waiting for unsent bytes.
        case abort
        case cancelTask
        case setBodyDeadline
        case clearBodyDeadline
        /// Report `idleTimeElapsed` after this time.
        case checkIdle(in: TimeAmount)
        case clearTimers
    }

    /// How a response is written.
    struct Framing: Equatable {
        /// False in the response to HEAD.
        let includesBody: Bool
        /// `.close` closes the connection as `Action.close` does, once the response is written.
        var persistence: Persistence
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
        case reading(Incoming)
        case answering(Framing)
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

    /// The channel's progress through one read, from its first part to its completion.
    enum ReadCycle {
        case over
        case delivering
        case completing
    }
}

extension ConnectionStateMachine.Incoming {
    func request(from peer: Peer) -> Request {
        Request(
            method: HTTPRequest.Method(head.method.rawValue) ?? .connect,
            target: head.uri,
            headers: RequestHeaders(head.headers),
            body: body,
            peer: peer
        )
    }
}
