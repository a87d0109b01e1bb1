import ArgumentParser
import Domain
import FoundationEssentials
import Storage

/// What every action takes, and how its outcome is told.
struct ActOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions
    @Option(help: "Why this is done, \(Limits.reasonCharactersMax) characters at most; for the log.") var reason: String
    @Option(help: "An id of your own: the same action under the same id is done once.") var id: UUIDArgument?
    @Flag(help: "Say what would happen, and keep nothing.") var dryRun = false

    func perform(_ kind: ModerationKind) async throws {
        let action = ModerationAction(kind, id: id?.uuid ?? UUID(), reason: try ModerationReason(reason))
        let outcome = try await Database.withStore(database, session: SessionPresets.ledger) { [dryRun] store in
            try await store.perform(action, by: "cli", isDry: dryRun, now: .now)
        }
        let (receipt, isRepeat) = try outcome.checked()
        try write(receipt, isRepeat ? "Done before" : dryRun ? "This would be done" : "Done")
    }

    private func write(_ receipt: ModerationReceipt, _ verdict: String) throws {
        try Output.line("\(verdict): \(receipt.kind) \(receipt.subject), act \(receipt.id.uuidString.lowercased())")
        var table = TextTable(["", "before", "after"], alignedRight: [1, 2])
        for (name, sum) in [
            ("earned", \WalletSums.earned), ("voided", \.voided), ("held", \.held), ("left", \.left),
            ("given", \.donated), ("unfunded", \.unfunded),
        ] { table.add([name, "\(receipt.before[keyPath: sum])", "\(receipt.after[keyPath: sum])"]) }
        try Output.line(table.text)
        for change in receipt.funding {
            let verb = change.unfunded > 0 ? "unfunded" : "funded again"
            try Output.line(
                "\(change.unfunded.magnitude) points to \(change.charity) are \(verb): "
                    + change.donation.uuidString.lowercased())
        }
    }
}

extension ModerationOutcome {
    /// - Throws: A sentence that says what to do, when nothing was done.
    func checked() throws(CommandError) -> (receipt: ModerationReceipt, isRepeat: Bool) {
        switch self {
        case .done(let receipt): return (receipt, false)
        case .repeated(let receipt): return (receipt, true)
        case .idReused: throw CommandError("Another action was done under this id. Give a new --id, or none.")
        case .noPlayer: throw CommandError("There is no such player. `causeboard player find` looks for one.")
        case .noScore: throw CommandError("The player has no such score.")
        case .noDonation: throw CommandError("The player has no such donation.")
        case .noAction: throw CommandError("There is no such action. `causeboard log` lists them.")
        case .noItem: throw CommandError("Nothing waits under this item. `causeboard queue` lists what does.")
        case .noBoard: throw CommandError("There is no such board. `causeboard board list` lists them.")
        case .notConfirmed: throw CommandError("--confirm is not the player's name. Give it exactly as it is.")
        case .noPicture: throw CommandError("The player has no picture.")
        case .boardClosed:
            throw CommandError(
                "The board has closed, and so would the next season. First: causeboard board set --closes none")
        case .conflict(let other?): throw CommandError("Action \(other.uuidString.lowercased()) stands in its way.")
        case .conflict(nil): throw CommandError("It is so already, or not in a state for this.")
        case .outOfBounds(let bounds):
            throw CommandError("The board takes \(bounds.lowerBound) to \(bounds.upperBound) points.")
        case .walletFull:
            throw CommandError("A wallet holds \(Limits.walletPointsMax) points in all. Let the score earn less.")
        case .boardFull:
            throw CommandError("The player's sum on a board would be beyond \(Int64.max). Void some scores first.")
        }
    }
}
