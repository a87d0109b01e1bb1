package import HummingbirdCore
import Logging
import NIOCore

extension HTTPServerBuilder {
    /// HTTP/1.1 whose connections are each served by the thread that reads and writes them: a request that finds its answer in memory changes no thread.
    package static func onEventLoops(_ configuration: HTTP1Channel.Configuration) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            LoopChannel(http1: HTTP1Channel(responder: responder, configuration: configuration))
        }
    }
}

/// A connection that is served by its event loop's thread.
private struct LoopChannel: ServerChildChannel {
    let http1: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http1.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await http1.handle(value: value, logger: logger)
        }
    }
}

/// Runs tasks on the thread of an event loop.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
