import Domain
import NIOCore
import Synchronization

/// The connections of an event loop that have had their turn and have more requests to be answered. They go on one
/// after the other, and the event loop serves its other connections in between.
///
/// NIO runs tasks before it reads again until none is ready. So only one of these connections goes on at a time, and
/// the next one after a pause.
final class LoopTurns {
    private let eventLoop: any EventLoop
    private var queue = CircularBuffer<() -> Void>()

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Goes on later.
    /// - Parameter goOn: Called once, on the event loop.
    func rest(_ goOn: @escaping () -> Void) {
        queue.append(goOn)
        if queue.count == 1 { schedule() }
    }

    private func schedule() {
        let turns = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: .microseconds(Limits.turnPauseMicroseconds)) { turns.value.next() }
    }

    private func next() {
        guard let goOn = queue.first else { return }
        goOn()
        queue.removeFirst()
        if !queue.isEmpty { schedule() }
    }

    /// Those of all event loops.
    final class OfLoops: Sendable {
        private let loops = Mutex<[ObjectIdentifier: NIOLoopBound<LoopTurns>]>([:])

        /// Call it on the event loop.
        func turns(on eventLoop: any EventLoop) -> LoopTurns {
            loops.withLock { loops in
                let id = ObjectIdentifier(eventLoop)
                if let known = loops[id] { return known }
                let new = NIOLoopBound(LoopTurns(eventLoop), eventLoop: eventLoop)
                loops[id] = new
                return new
            }.value
        }
    }
}
