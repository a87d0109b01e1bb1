import Domain
import NIOCore

/// Counts what the input of one connection costs its event loop. A frame of HTTP/2, a chunk of HTTP/1.1 or a record of
/// TLS with one byte costs about as much as one with a thousand, so bytes alone say little.
///
/// It has two bounds. All connections of a client together have a share of each moment of the event loop
/// (``LoopTurns``); beyond it they rest, read nothing, and go on in turns. And a connection whose client
/// sends more and more small pieces ends. Larger pieces, requests (which other limits count), bytes that the client is
/// sent, and time make up for small ones.
final class InputMeter {
    /// The inbound user event, and the error, when a client has sent too many small pieces. The connection ends.
    struct Flood: Error {}

    private let eventLoop: any EventLoop
    private let turns: LoopTurns
    private let openConnection: OpenConnection?
    /// False where everybody may be behind the connection.
    private let endsFloods: Bool
    /// Bytes that are missing so that all pieces have ``Limits/smallPieceBytes``.
    private var debt = 0
    private var paidAt: NIODeadline
    private var hasFlooded = false
    /// Whose input this is.
    private(set) lazy var client = LoopTurns.Client(self, countedAs: openConnection?.address)

    /// - Parameters:
    ///   - peer: The other end of the connection.
    ///   - openConnection: Where the connection is counted; nil when it is not.
    init(
        on eventLoop: any EventLoop, from peer: Peer = .unknown, turns: LoopTurns, openConnection: OpenConnection? = nil
    ) {
        self.eventLoop = eventLoop
        self.turns = turns
        self.openConnection = openConnection
        endsFloods = FloodCounter(from: peer, isProxy: openConnection?.clients != nil).isOn
        paidAt = eventLoop.now
    }

    // MARK: - Turns

    /// Whether connections of the client wait for their turns.
    var isBusy: Bool { turns.isBusy(client) }
    /// Whether the client has had its share of this moment, so that its connections rest before they go on.
    var hasHadShare: Bool { turns.hasHadShare(client) }

    /// Counts a request of the client that is answered.
    func tookRequest() { turns.tookRequest() }

    /// Goes on later, when the client and the connection have their turn.
    func rest(_ goOn: @escaping () -> Void) { turns.rest(as: client, goOn) }

    // MARK: - Counting

    /// Counts input.
    /// - Parameters:
    ///   - pieces: Frames, chunks or records that are no head of a request.
    ///   - bytes: All their bytes.
    ///   - heads: Heads of requests.
    func count(pieces: Int, bytes: Int, heads: Int = 0, headBytes: Int = 0) {
        turns.spend(Self.cost(pieces: pieces + heads, bytes: bytes + headBytes), as: client)
        debt = max(0, debt + pieces * Limits.smallPieceBytes - bytes - heads * Limits.paidByHeadBytes)
    }

    /// Counts the head of a request of HTTP/1.1.
    func countHead() {
        turns.spend(Self.cost(pieces: 1, bytes: 0), as: client)
        debt = max(0, debt - Limits.paidByHeadBytes)
    }

    /// What so many pieces with so many bytes cost, in bytes.
    static func cost(pieces: Int, bytes: Int) -> Int { pieces * Limits.pieceCostBytes + bytes }

    /// Counts a write to the client. It may answer each with small frames, as Go's client does every 4 KiB.
    func sent(bytes count: Int) {
        if debt > 0 { debt = max(0, debt - min(count, Limits.paidByWriteBytes) - count / Limits.sentBytesForByte) }
    }

    /// Whether the client has sent so many small pieces that the connection has to end. Once true, it stays true.
    func isFlooded() -> Bool {
        guard endsFloods, !hasFlooded else { return hasFlooded }
        let debtMax = Limits.smallPiecesAtOnce * Limits.smallPieceBytes
        guard debt > debtMax else { return false }
        let now = eventLoop.now
        let milliseconds = min((now - paidAt).nanoseconds / 1_000_000, Limits.idleSeconds * 1_000)
        paidAt = now
        debt -= min(debt, Int(milliseconds) * Limits.smallPiecesPerSecond * Limits.smallPieceBytes / 1_000)
        hasFlooded = debt > debtMax
        if hasFlooded { openConnection?.chargeForFlood() }
        return hasFlooded
    }
}
