import Domain
import NIOCore
import NIOHTTP1

// How the machine takes the parts of requests, one after the other.
extension ConnectionStateMachine {
    /// The next action that has become possible, first things first; nil when only another event changes anything.
    mutating func next() -> Action? {
        // A client that has ended its side hardly waits for what comes, and a server that stops has nothing to tell.
        if input == .ended || isStopping, case .streaming(let streaming) = exchange, streaming.mayEndAnywhere {
            return endStream()
        }
        while canTakeParts, let part = parts.first { if let action = take(part) { return action } }
        // A client that is behind with reading gets what there is, also in the midst of a read.
        if isFlushDue, !isDelivering || !isWritable {
            isFlushDue = false
            return .flush
        }
        if isTurnOver, !isResting {
            isResting = true
            return .rest
        }
        if canTakeParts {
            switch input {
            case .ended: return close()
            case .held:
                input = .open
                return .read
            case .open: break
            }
        }
        if !isDelivering, deadline == .unset {
            // The request counts as slow from now on.
            if case .reading(let incoming) = exchange, !claimPlace(of: incoming) {
                return refuse(incoming, .tooManyConnections, then: .close)
            }
            mark(.set)
            return .setDeadline(in: Self.bodyTime)
        }
        return nil
    }

    private var canTakeParts: Bool {
        switch exchange {
        case .idle, .beginning: isWritable && !isTurnOver
        case .reading, .skipping: isWritable
        case .answering, .streaming, .closed: false
        }
    }

    /// Whether other connections have their turns before this one takes another request.
    var isTurnOver: Bool {
        guard isResting || takenInTurn >= Limits.answersInTurnMax else { return false }
        return if case .idle = exchange { true } else { false }
    }

    /// Takes a part. One that does not fit the exchange is the rest of an answered request; the parser sends no other.
    private mutating func take(_ part: Part) -> Action? {
        // This function can return one action only, so when it clears a deadline, the part stays for the next call.
        if case .beginning = exchange {
            exchange = .idle
            return .clearDeadline
        }
        if case .end = part, deadline == .set {
            mark(.unset)
            return .clearDeadline
        }
        parts.removeFirst()
        switch part {
        case .head(let head): return begin(head)
        case .body(let bytes): return append(bytes)
        case .end: return complete()
        case .noHTTP: return refuseRest(.noHTTP, inBody: .brokenBody)
        case .dropped: return refuseRest(.busy, inBody: .busy)
        case .tooSmall: return refuseRest(.smallPieces, inBody: .smallPieces)
        }
    }

    private mutating func begin(_ head: RequestHead) -> Action? {
        guard case .idle = exchange else { return nil }
        takenInTurn += 1
        let mayGoOn = head.head.isKeepAlive && head.upgrade != .unclear
        let incoming = Incoming(head: head.head, persistence: mayGoOn ? .keepAlive : .close)
        if head.head.method == .CONNECT { return refuse(incoming, .noTunnels, then: .close) }
        if let refusal = head.framingRefusal { return refuse(incoming, refusal, then: .close) }
        guard head.hasValidHost else { return refuse(incoming, .badHost, then: .close) }
        if let length = head.contentLength, length > Limits.bodyBytesMax {
            return refuse(incoming, .tooLarge, then: incoming.persistence)
        }
        exchange = .reading(incoming)
        guard head.expectsContinue, head.head.version == .http1_1 else { return nil }
        isFlushDue = false
        return .sendContinue
    }

    private mutating func append(_ bytes: ByteBuffer) -> Action? {
        guard case .reading(var incoming) = exchange else { return nil }
        guard incoming.body.readableBytes + bytes.readableBytes <= Limits.bodyBytesMax else {
            return refuse(incoming, .tooLarge, then: incoming.persistence)
        }
        if body.needsRoom(bytes: bytes.readableBytes), !claimPlace(of: incoming) {
            return refuse(incoming, .tooManyConnections, then: .close)
        }
        guard body.take(bytes: bytes.readableBytes) else { return refuse(incoming, .busy, then: incoming.persistence) }
        // A buffer that two variables share is copied when it grows.
        exchange = .idle
        if incoming.body.readableBytes == 0 { incoming.body = bytes } else { incoming.body.writeImmutableBuffer(bytes) }
        exchange = .reading(incoming)
        return nil
    }

    /// Counts the request as a connection of its client, if a proxy is in between.
    private mutating func claimPlace(of incoming: Incoming) -> Bool {
        body.claimPlace(clients, headers: RequestHeaders(incoming.head.headers))
    }

    private mutating func complete() -> Action? {
        switch exchange {
        case .reading(let incoming):
            exchange = .answering(incoming.framing(incoming.persistence))
            return .answer(incoming.request(from: peer))
        case .skipping(let remainder):
            if remainder.persistence == .close { return close() }
            exchange = .idle
            return nil
        case .idle, .beginning, .answering, .streaming, .closed: return nil
        }
    }

    /// Nothing can be made of what follows, so it ends the connection.
    private mutating func refuseRest(_ refusal: Refusal, inBody: Refusal) -> Action? {
        switch exchange {
        case .idle, .beginning: refuseUnread(refusal)
        case .reading(let incoming): refuse(incoming, inBody, then: .close)
        case .skipping: close()
        case .answering, .streaming, .closed: nil
        }
    }

    mutating func refuse(_ incoming: Incoming, _ refusal: Refusal, then persistence: Persistence) -> Action {
        body.giveBackAll()
        wrote(persistence, then: .skipping(Remainder(persistence: persistence, deadline: incoming.deadline)))
        return .refuse(incoming.request(from: peer), refusal, incoming.framing(persistence))
    }

    /// Refuses what cannot be read as a request.
    mutating func refuseUnread(_ refusal: Refusal) -> Action {
        end()
        return .refuseUnread(refusal, Framing(includesBody: true, persistence: .close))
    }

    /// The deadline of the request that is read or skipped; nil while none is.
    private var deadline: BodyDeadline? {
        switch exchange {
        case .reading(let incoming): incoming.deadline
        case .skipping(let remainder): remainder.deadline
        case .idle, .beginning, .answering, .streaming, .closed: nil
        }
    }

    private mutating func mark(_ deadline: BodyDeadline) {
        switch exchange {
        case .reading(var incoming):
            incoming.deadline = deadline
            exchange = .reading(incoming)
        case .skipping(var remainder):
            remainder.deadline = deadline
            exchange = .skipping(remainder)
        case .idle, .beginning, .answering, .streaming, .closed: break
        }
    }

    /// Makes the current request the connection's last one.
    mutating func makeLast() {
        switch exchange {
        case .reading(var incoming):
            incoming.persistence = .close
            exchange = .reading(incoming)
        case .answering(var framing):
            framing.persistence = .close
            exchange = .answering(framing)
        case .skipping(var remainder):
            remainder.persistence = .close
            exchange = .skipping(remainder)
        case .idle, .beginning, .streaming, .closed: break
        }
    }

    /// Goes on as `next` after a response that keeps the connection open, and closes the exchange otherwise.
    mutating func wrote(_ persistence: Persistence, then next: Exchange) {
        switch persistence {
        case .keepAlive:
            exchange = next
            isFlushDue = true
        case .close: end()
        }
    }

    mutating func close() -> Action {
        end()
        return .close
    }

    /// Ends a stream.
    /// - Parameter isWhole: Whether its body is, wherever it may end.
    /// - Returns: Nil when there is none.
    mutating func endStream(isWhole: Bool = false) -> Action? {
        guard case .streaming(let streaming) = exchange else { return nil }
        // A server that stops does not wait until a slow client has read what is on its way. A body that is not whole
        // ends without its last chunk, so that the client does not take it for one that is.
        let isAborted = streaming.mayEndAnywhere ? isStopping && streaming.backlog.bytes > 0 : !isWhole
        end()
        return isAborted ? .abort : .endEvents(isChunked: streaming.isChunked)
    }

    mutating func end() {
        switch exchange {
        // A task that answers has the body until it ends.
        case .reading: body.giveBackAll()
        case .streaming(var streaming): streaming.backlog.clear()
        case .idle, .beginning, .answering, .skipping, .closed: break
        }
        exchange = .closed
        if !parts.isEmpty { parts.removeAll() }
        isFlushDue = false
    }
}
