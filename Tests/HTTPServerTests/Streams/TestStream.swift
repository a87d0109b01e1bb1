import NIOCore

@testable import HTTPServer

/// A body of which nothing comes.
final class TestStream: ResponseStream {
    let mayEndAnywhere: Bool
    let budget: BacklogBudget?

    private init(mayEndAnywhere: Bool, budget: BacklogBudget?) {
        (self.mayEndAnywhere, self.budget) = (mayEndAnywhere, budget)
    }

    static var ofEvents: TestStream { TestStream(mayEndAnywhere: true, budget: BacklogBudget()) }
    static var ofDocument: TestStream { TestStream(mayEndAnywhere: false, budget: nil) }

    func begin(on eventLoop: any EventLoop, _ sink: any EventSink) {}
    func end(on eventLoop: any EventLoop) {}
    func drained() {}
    func wasCut() {}
}
