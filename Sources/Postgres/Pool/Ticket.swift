/// One task's place in the queue for a connection.
final class Ticket: Sendable {
    let waiter = Waiter()
}
