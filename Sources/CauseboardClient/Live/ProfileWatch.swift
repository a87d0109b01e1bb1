import Contract
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Follows what the server tells the player of itself: by an event stream, and where that is refused by asking again
/// and again. Waits are random, so that devices that lost their server together do not come back together.
struct ProfileWatch: Sendable {
    let session: Session
    let clock: MonotonicClock
    let backoff: Backoff

    /// Calls back with each profile that the server tells, until the task is cancelled, or the server says that there
    /// is nothing more to tell, or takes this device for a player no more.
    func run(_ tell: @Sendable (Profile) async -> Void) async {
        var seen: String?
        var backoff = backoff
        var polls = 0
        while !Task.isCancelled {
            var pause = backoff.spread(Limits.pollPause)
            if polls == 0 {
                switch await session.follow(seen) {
                case .open(let chunks, let token):
                    if await read(chunks, by: token, &seen, tell) { backoff.reset() }
                    pause = backoff.spread(Limits.streamPause) + backoff.next()
                case .silence: pause = backoff.spread(Limits.streamPause) + backoff.next()
                // Asking finds out about a token that was being changed, and then there is a stream.
                case .refused(let status): polls = status == 401 ? 1 : Limits.pollsWithoutStream
                case .nobody: break
                case .over: return
                }
            }
            if polls > 0 {
                switch await poll(&seen, tell) {
                case .answered(let after): pause = max(pause, after ?? .zero)
                case .over: return
                }
                polls -= 1
                if polls == 0 { pause = min(pause, backoff.spread(Limits.streamPause)) }
            }
            do { try await clock.sleep(clock.now() + pause) } catch { return }
        }
    }

    /// - Returns: Whether the stream told anything, before it ended or had to be left.
    private func read(_ chunks: BodyChunks, by token: String, _ seen: inout String?, _ tell: (Profile) async -> Void)
        async -> Bool
    {
        var parser = EventParser()
        var hasDelivered = false
        defer { chunks.cancel() }
        while let chunk = try? await chunks.next() {
            guard let events = try? parser.take(chunk) else { return hasDelivered }
            for event in events where event.name == "me" {
                // The player may have signed out meanwhile.
                guard await session.identity?.token == token,
                    let profile = try? JSONDecoder().decode(Profile.self, from: Data(event.data.utf8))
                else { return hasDelivered }
                seen = event.id.flatMap { Self.isTag($0) ? $0 : nil }
                hasDelivered = true
                // What the disk does not take now is learned again.
                _ = try? await session.know(profile, of: session.identity?.device)
                await tell(profile)
            }
        }
        return hasDelivered
    }

    private enum PollOutcome { case answered(after: Duration?), over }

    private func poll(_ seen: inout String?, _ tell: (Profile) async -> Void) async -> PollOutcome {
        var call = Call("GET", Addresses.me.path())
        if let seen { call.headers["If-None-Match"] = "\"\(seen)\"" }
        let device = await session.identity?.device
        guard case .answer(let answer) = await session.send(call, isSigned: false) else { return .answered(after: nil) }
        // What has no problem of the contract is somebody else's, such as a hotel's sign-in page.
        if answer.problem != nil, answer.status == 401 || answer.status == 410 { return .over }
        if let profile = answer.decoded(as: Profile.self) {
            seen = answer.etag.map { String($0.dropFirst().dropLast()) }.flatMap { Self.isTag($0) ? $0 : nil }
            _ = try? await session.know(profile, of: device)
            await tell(profile)
        }
        return .answered(after: answer.retryAfter)
    }

    /// Whether a text may go back to the server in a header.
    private static func isTag(_ text: String) -> Bool {
        (1...Limits.tagBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
    }
}

/// What became of the request for a stream.
enum StreamOutcome {
    case open(BodyChunks, token: String)
    /// There is no stream for now; asking is allowed.
    case refused(status: Int)
    /// There will never be anything to tell.
    case over
    case silence
    /// Nobody has signed in yet.
    case nobody
}

extension Session {
    /// Asks for the stream of this device's player.
    /// - Parameter seen: The id of the last event that is known.
    func follow(_ seen: String?) async -> StreamOutcome {
        guard let identity, identity.player != nil else { return .nobody }
        var call = Call("GET", Addresses.myLive.path())
        call.headers = ["Authorization": "Bearer \(identity.token)", "Accept": "text/event-stream"]
        if let seen { call.headers["Last-Event-ID"] = seen }
        guard let (response, chunks) = try? await connection.open(call) else { return .silence }
        if response.statusCode == 200 { return .open(chunks, token: identity.token) }
        chunks.cancel()
        return response.statusCode == 204 ? .over : .refused(status: response.statusCode)
    }
}
