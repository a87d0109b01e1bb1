public import Contract
import Foundation

/// A state of the game on this device, which nobody can edit, and which the player's devices share.
///
/// It is written whole or not at all. ``sync()`` brings it together with what the other devices wrote.
public actor Save<State: Mergeable> {
    public nonisolated let slot: String
    private let file: SealedFile
    private let session: Session
    /// What the server had when it was merged last.
    private var theirs: (state: State, etag: String)?
    /// The ETag of what the server had then.
    var knownTag: String? { theirs?.etag }
    /// How often the server had something that changed the state here.
    private(set) var arrivals = 0
    private var loaded: State?
    private var hasRead = false
    /// What was found wrong with the files when they were read.
    public private(set) var findings: Set<SaveFinding> = []

    init(_ slot: String, _ storage: Storage, _ session: Session) throws(CauseboardError) {
        (self.slot, self.session) = (slot, session)
        file = try SealedFile(slot, in: storage.directory.appendingPathComponent("saves"), storage.secrets)
    }

    /// The state as it was written last, or the last good one when somebody tampered with the files: ``findings`` says
    /// so. Nil when there is none.
    public func load() throws(CauseboardError) -> State? {
        if hasRead { return loaded }
        let read = try file.read()
        findings = read.findings
        if let bytes = read.contents?.bytes {
            guard let state = try? JSONDecoder().decode(State.self, from: bytes) else {
                throw .storage("the save \(slot) is of another kind")
            }
            loaded = state
        }
        hasRead = true
        return loaded
    }

    /// Keeps a state in place of the one before. When this returns it is on disk.
    /// - Throws: `.storage`, or `.giveUp` when the state is larger than 64 KiB.
    public func store(_ state: State) throws(CauseboardError) {
        let bytes = try JSONText.encode(state)
        guard bytes.count <= Limits.saveBytesMax else {
            throw .giveUp(.tooLarge, "A save is at most \(Limits.saveBytesMax) bytes of JSON.")
        }
        try file.write(bytes)
        (loaded, hasRead) = (state, true)
    }

    /// Brings the state together with the server's, and keeps the result here and there. It may be called at any time;
    /// a call that failed may be made again.
    /// - Returns: The state that the device and the server have now; nil when neither has one.
    @discardableResult
    public func sync() async throws(CauseboardError) -> State? {
        for _ in 0..<Limits.mergesMax {
            try await fetch()
            guard let own = try load() else { return nil }
            // Unless another device, or the game itself, was faster: then what it wrote is merged, and it is tried
            // again.
            if own == theirs?.state { return own }
            if try await send(own) { return own }
        }
        throw .askAgain(after: nil, .serverTrouble)
    }

    /// Merges what the server has into the state here.
    private func fetch() async throws(CauseboardError) {
        var call = Call("GET", Addresses.mySave.path(slot))
        if let theirs { call.headers["If-None-Match"] = theirs.etag }
        let answer = try await answer(call)
        if answer.status == 304, theirs != nil { return }
        if answer.problem?.name == .notFound {
            theirs = nil
            return
        }
        guard answer.isSuccess, let tag = answer.etag else { throw CauseboardError(answer, now: Date()) }
        guard let state = try? JSONDecoder().decode(State.self, from: answer.body) else {
            throw .giveUp(nil, "The save \(slot) on the server is of another kind.")
        }
        let own = try load()
        let merged = own?.merged(with: state) ?? state
        if merged != own {
            try store(merged)
            arrivals += 1
        }
        theirs = (state, tag)
    }

    /// - Returns: False when the server has another state than was merged last.
    private func send(_ state: State) async throws(CauseboardError) -> Bool {
        var call = Call("PUT", Addresses.mySave.path(slot), body: try JSONText.encode(state))
        call.contentType = "application/octet-stream"
        call.headers = theirs.map { ["If-Match": $0.etag] } ?? ["If-None-Match": "*"]
        let answer = try await answer(call)
        if answer.status == 412 { return false }
        guard let summary = answer.decoded(as: SaveSummary.self) else { throw CauseboardError(answer, now: Date()) }
        theirs = (state, answer.etag ?? summary.etag)
        // The game may have stored another state while this one was on its way.
        return try load() == state
    }

    private func answer(_ call: Call) async throws(CauseboardError) -> Answer {
        guard await session.identity != nil else { throw .signInAgain(.neverSignedIn) }
        guard case .answer(let answer) = await session.send(call, isSigned: false) else {
            throw .askAgain(after: nil, .unreachable)
        }
        return answer
    }
}

extension Causeboard {
    /// A save of this game on this device. Make one object for a slot and keep it.
    /// - Parameters:
    ///   - slot: A slug; a player has up to 16 on the server.
    ///   - type: The type of the state.
    public func save<State: Mergeable>(_ slot: String, as type: State.Type) throws(CauseboardError) -> Save<State> {
        try Slug.check(slot, "slot")
        return try Save(slot, storage, session)
    }

    /// The saves that the server has of the player.
    public func saves() async throws(CauseboardError) -> [SaveSummary] {
        try await session.send(Call("GET", Addresses.mySaves.path()), as: SaveList.self).saves
    }

    /// A name that only this device has, for ``Newest`` and ``DeviceSum``; nil before anybody signed in.
    public var deviceName: String? {
        get async { await session.identity?.device }
    }
}
