public import Contract
public import Foundation

/// A state of the game on this device, which nobody can edit, and which the player's devices share.
///
/// It is written whole or not at all. ``sync()`` brings it together with what the other devices wrote. Make one object
/// for a slot and keep it.
public actor Save<State: Mergeable> {
    public nonisolated let slot: String
    private let storage: Storage
    nonisolated let session: Session
    private let migrate: (@Sendable (Data) -> State?)?
    private var file: SealedFile
    /// How often somebody had signed out when the file was opened: a save belongs to one player.
    private var signOuts: Int
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

    /// - Parameter migrate: Makes a state of bytes that are none, such as those of an earlier version of the game.
    init(_ slot: String, _ storage: Storage, _ session: Session, _ migrate: (@Sendable (Data) -> State?)?)
        throws(CauseboardError)
    {
        (self.slot, self.storage, self.session, self.migrate) = (slot, storage, session, migrate)
        signOuts = session.presence.signOuts
        file = try SealedFile(slot, in: storage.saves, storage.secrets)
    }

    /// The state as it was written last, or the last good one when somebody tampered with the files: ``findings`` says
    /// so. Nil when there is none.
    /// - Throws: `.storage`, also when the state is of another kind and is not migrated.
    public func load() throws(CauseboardError) -> State? {
        try leaveFormerPlayer()
        if hasRead { return loaded }
        let read = try file.read()
        findings = read.findings
        if let bytes = read.contents?.bytes {
            guard let state = decoded(bytes) else { throw .storage("the save \(slot) is of another kind") }
            loaded = state
        }
        hasRead = true
        return loaded
    }

    /// Keeps a state. When this returns it is on disk.
    ///
    /// It is merged with the state that is there, because a sync may have brought that from another device after the
    /// game had loaded: by the rules of ``Mergeable`` a state that went on from another one is what comes of both. So
    /// what only rises cannot be set back; what shall be set back is ``Newest``.
    /// - Throws: `.storage`, or `.giveUp` when the state is larger than 64 KiB.
    public func store(_ state: State) throws(CauseboardError) {
        let known = try load()
        try write(known?.merged(with: state) ?? state)
    }

    /// Changes the state as it is now, and keeps it. Nothing can come between.
    /// - Parameters:
    ///   - first: What is changed when there is no state yet.
    ///   - change: What the player did.
    /// - Returns: The state that is on disk now.
    /// - Throws: As ``store(_:)``.
    @discardableResult public func update(startingWith first: State, _ change: @Sendable (inout State) -> Void)
        throws(CauseboardError) -> State
    {
        var state = try load() ?? first
        change(&state)
        try store(state)
        return loaded ?? state
    }

    private func write(_ state: State) throws(CauseboardError) {
        let bytes = try JSONText.encode(state)
        guard bytes.count <= Limits.saveBytesMax else {
            throw .giveUp(.tooLarge, "A save is at most \(Limits.saveBytesMax) bytes of JSON.")
        }
        try file.write(bytes)
        (loaded, hasRead) = (state, true)
    }

    private func decoded(_ bytes: Data) -> State? {
        (try? JSONDecoder().decode(State.self, from: bytes)) ?? migrate?(bytes)
    }

    /// After somebody has signed out, what is kept here is another player's.
    private func leaveFormerPlayer() throws(CauseboardError) {
        let now = session.presence.signOuts
        guard now != signOuts else { return }
        file = try SealedFile(slot, in: storage.saves, storage.secrets)
        (theirs, loaded, hasRead, findings, signOuts) = (nil, nil, false, [], now)
    }
}

// MARK: - Syncing

extension Save {
    /// Brings the state together with the server's, and keeps the result here and there. It may be called at any time;
    /// a call that failed may be made again.
    /// - Returns: The state that the device and the server have now; nil when neither has one.
    /// - Throws: `.giveUp` with `postFirst` if no score of the player counts yet: one slot of 4 KiB is the limit until
    ///   then. The state stays on the device, and a sync after the first post sends it.
    @discardableResult public func sync() async throws(CauseboardError) -> State? {
        try leaveFormerPlayer()
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
        if answer.status == 304, let theirs { return try merge(theirs.state) }
        if answer.problem?.name == .notFound {
            theirs = nil
            return
        }
        guard answer.isSuccess, let tag = answer.etag, answer.contentType?.hasPrefix(Self.contentType) == true else {
            throw CauseboardError(answer, now: Date())
        }
        guard let state = decoded(answer.body) else {
            throw .giveUp(nil, "The save \(slot) on the server is of another kind.")
        }
        try merge(state)
        theirs = (state, tag)
    }

    private func merge(_ state: State) throws(CauseboardError) {
        let own = try load()
        let merged = own?.merged(with: state) ?? state
        guard merged != own else { return }
        try write(merged)
        arrivals += 1
    }

    /// - Returns: False when the server has another state than was merged last.
    private func send(_ state: State) async throws(CauseboardError) -> Bool {
        var call = Call("PUT", Addresses.mySave.path(slot), body: try JSONText.encode(state))
        call.contentType = Self.contentType
        call.headers = theirs.map { ["If-Match": $0.etag] } ?? ["If-None-Match": "*"]
        let answer = try await answer(call)
        if answer.status == 412 { return false }
        guard let summary = answer.decoded(as: SaveSummary.self) else { throw CauseboardError(answer, now: Date()) }
        theirs = (state, answer.etag ?? summary.etag)
        // The game may have stored another state while this one was on its way.
        return try load() == state
    }

    private static var contentType: String { "application/octet-stream" }

    private func answer(_ call: Call) async throws(CauseboardError) -> Answer {
        let player = signOuts
        try await session.registerIfUnknown()
        guard session.presence.signOuts == player else { throw .signInAgain(.neverSignedIn) }
        let outcome = await session.send(call, isSigned: false)
        // What the server says of a player who has signed out meanwhile is not the next one's.
        guard session.presence.signOuts == player else { throw .signInAgain(.neverSignedIn) }
        guard case .answer(let answer) = outcome else { throw .askAgain(after: nil, .unreachable) }
        return answer
    }
}

// MARK: - Opening

extension Causeboard {
    /// A save of this game on this device. Make one object for a slot and keep it.
    /// - Parameters:
    ///   - slot: A slug; a player has up to 16 on the server.
    ///   - type: The type of the state.
    ///   - migrate: Makes a state of what is kept here or on the server and cannot be read as one, such as the JSON
    ///     that an earlier version of the game wrote; nil for what it cannot read either. Without it such a save is an
    ///     error, and stays as it is.
    public func save<State: Mergeable>(
        _ slot: String, as type: State.Type, migrating migrate: (@Sendable (Data) -> State?)? = nil
    ) throws(CauseboardError) -> Save<State> {
        try Slug.check(slot, "slot")
        return try Save(slot, storage, session, migrate)
    }

    /// A save of a state without rules of its own: of two devices' states the one that was stored last counts, whole.
    /// - Parameters: As for a ``Mergeable`` state.
    public func save<Value: Codable & Sendable & Equatable>(
        _ slot: String, as type: Value.Type, migrating migrate: (@Sendable (Data) -> Value?)? = nil
    ) throws(CauseboardError) -> Save<Newest<Value>> {
        try Slug.check(slot, "slot")
        return try Save(slot, storage, session) { bytes in
            // Whatever was stored by this version counts more.
            migrate?(bytes).map { Newest($0) }
        }
    }

    /// The saves that the server has of the player.
    public func saves() async throws(CauseboardError) -> [SaveSummary] {
        try await session.send(Call("GET", Addresses.mySaves.path()), as: SaveList.self).saves
    }

    /// A name that only this device has, for ``Newest`` and ``DeviceSum``; nil before anybody signed in.
    public var deviceName: String? { get async { session.presence.device } }
}

extension Save {
    /// The state of a save without rules of its own; nil when there is none.
    public func loadValue<Value>() throws(CauseboardError) -> Value? where State == Newest<Value> { try load()?.value }

    /// Keeps the state of a save without rules of its own, in place of any that was stored or seen before.
    public func storeValue<Value>(_ value: Value) throws(CauseboardError) where State == Newest<Value> {
        let device = session.presence.device ?? ""
        var newest = try load() ?? Newest(value)
        newest.set(value, device: device)
        try store(newest)
    }
}
