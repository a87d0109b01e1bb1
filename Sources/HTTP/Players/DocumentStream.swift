import Domain
import HTTPServer
import NIOCore
import Synchronization

/// A document that is sent while it is written: the next piece is asked for when the client has taken the one before,
/// so that only one piece of it is ever in memory. One that cannot be finished ends in a way that clients notice.
final class DocumentStream: ResponseStream {
    /// Sends a piece, and returns when the client has taken it.
    typealias Send = @Sendable ([UInt8]) async throws -> Void

    private struct State {
        var task: Task<Void, Never>?
        var waiting: CheckedContinuation<Void, any Error>?
        var deadline: Scheduled<Void>?
        var isOver = false
    }

    let mayEndAnywhere = false
    let budget: BacklogBudget? = nil
    private let write: @Sendable (Send) async throws -> Void
    private let secondsMax: Int64
    private let slot: ExportSlots.Slot?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - secondsMax: The time that the client has to take all of it.
    ///   - slot: Its slot among the exports; it is freed when the document ends.
    ///   - write: Sends all pieces, one after the other. It is cancelled when nobody takes them any more.
    init(secondsMax: Int64, slot: ExportSlots.Slot? = nil, write: @escaping @Sendable (Send) async throws -> Void) {
        (self.secondsMax, self.slot, self.write) = (secondsMax, slot, write)
    }

    func begin(on eventLoop: any EventLoop, _ sink: any EventSink) {
        let sink = NIOLoopBound(sink, eventLoop: eventLoop)
        let deadline = eventLoop.scheduleTask(in: .seconds(secondsMax)) { sink.value.fail() }
        slot?.begin { eventLoop.execute { sink.value.fail() } }
        let task = Task {
            do {
                try await self.write { piece in try await self.send(piece, to: sink, on: eventLoop) }
                eventLoop.execute { sink.value.finish() }
            } catch { eventLoop.execute { sink.value.fail() } }
        }
        let isOver = state.withLock { state in
            (state.task, state.deadline) = (task, deadline)
            return state.isOver
        }
        if isOver { cancel(task, deadline) }
    }

    func end(on eventLoop: any EventLoop) {
        slot?.free()
        let (task, waiting, deadline) = state.withLock { state in
            state.isOver = true
            defer { (state.task, state.waiting, state.deadline) = (nil, nil, nil) }
            return (state.task, state.waiting, state.deadline)
        }
        cancel(task, deadline)
        waiting?.resume(throwing: CancellationError())
    }

    func drained() {
        slot?.isWaiting(since: nil)
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    func wasCut() {}

    private func cancel(_ task: Task<Void, Never>?, _ deadline: Scheduled<Void>?) {
        task?.cancel()
        deadline?.cancel()
    }

    private func send(_ piece: [UInt8], to sink: NIOLoopBound<any EventSink>, on eventLoop: any EventLoop) async throws
    {
        guard !piece.isEmpty else { return }
        let bytes = EventBytes(ByteBuffer(bytes: piece))
        try await withCheckedThrowingContinuation { continuation in
            eventLoop.execute {
                let isOver = self.state.withLock { state in
                    if !state.isOver { state.waiting = continuation }
                    return state.isOver
                }
                if isOver { return continuation.resume(throwing: CancellationError()) }
                self.slot?.isWaiting(since: .now)
                sink.value.receive(bytes)
            }
        }
    }
}
