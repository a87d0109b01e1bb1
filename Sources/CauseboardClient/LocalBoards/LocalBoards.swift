import Foundation

/// The device's own boards, a file each, kept through restarts.
actor LocalBoards {
    private let directory: URL
    private let settings: [String: LocalBoard.Settings]
    /// What the journal said at the start.
    private let pending: Set<UUID>
    private let refused: Set<UUID>
    /// Whether the journal could be read whole, so that what it does not have was sent.
    private let isJournalWhole: Bool
    private var boards: [String: LocalBoard] = [:]
    /// Boards whose files are behind, as on a disk that was full. They are written with the next change.
    private var unwritten: Set<String> = []

    /// - Parameters:
    ///   - pending: The posts that wait at the start.
    ///   - refused: The posts that were refused and not dismissed.
    ///   - isJournalWhole: Whether no line of the journal was damaged.
    init(
        _ directory: URL, _ settings: [String: LocalBoard.Settings], pending: Set<UUID>, refused: Set<UUID>,
        isJournalWhole: Bool = true
    ) throws(CauseboardError) {
        (self.directory, self.settings, self.pending, self.refused) = (directory, settings, pending, refused)
        self.isJournalWhole = isJournalWhole
        try DurableFiles.makeDirectory(directory)
    }

    func board(_ slug: String) throws(CauseboardError) -> LocalBoard {
        if let board = boards[slug] { return board }
        let wanted = settings[slug] ?? LocalBoard.Settings()
        var board = LocalBoard(wanted)
        if let kept = try DurableFiles.read(url(slug)) {
            if let known = try? JSONDecoder().decode(LocalBoard.self, from: kept) {
                board = known.with(wanted)
                // After a crash a board may be behind the journal.
                let before = board
                for entry in before.entries where entry.state == .pending && !pending.contains(entry.id) {
                    let isRefused = refused.contains(entry.id)
                    board.settle(entry.id, as: isRefused ? .refused : isJournalWhole ? .sent : .unknown)
                }
                // The next start may find the journal without its damaged lines. What cannot be written now is with
                // the next change.
                if board != before { try? keep(board, slug) }
            } else {
                // A file that somebody damaged is put aside, and does not keep the game from starting.
                try DurableFiles.write(kept, to: url(slug).appendingPathExtension("damaged"))
            }
        }
        boards[slug] = board
        return board
    }

    /// - Returns: The place from 1; nil when the score is not on the board.
    @discardableResult func insert(_ entry: LocalEntry, into slug: String) throws(CauseboardError) -> Int? {
        var board = try board(slug)
        let before = board
        let place = board.insert(entry)
        if board != before || unwritten.contains(slug) { try keep(board, slug) }
        return place
    }

    func settle(_ id: UUID, in slug: String, as state: LocalEntry.State) throws(CauseboardError) {
        var board = try board(slug)
        let before = board
        board.settle(id, as: state)
        if board != before || unwritten.contains(slug) { try keep(board, slug) }
    }

    /// Takes all boards off the device.
    func forgetAll() throws(CauseboardError) {
        boards = [:]
        unwritten = []
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for file in files { try DurableFiles.remove(directory.appendingPathComponent(file)) }
    }

    private func keep(_ board: LocalBoard, _ slug: String) throws(CauseboardError) {
        boards[slug] = board
        unwritten.insert(slug)
        try DurableFiles.write(try JSONText.encode(board), to: url(slug))
        unwritten.remove(slug)
    }

    private func url(_ slug: String) -> URL { directory.appendingPathComponent(slug + ".json") }
}
