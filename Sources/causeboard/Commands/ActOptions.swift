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
            try await store.admin.perform(action, by: "cli", isDry: dryRun, now: .now)
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
        case .conflict(let action?):
            throw CommandError("Action \(action.text) stands in the way. Undo that one first, if you may.")
        default:
            // Only the sentence about `confirm` begins with an option.
            let sentence = FieldError("confirm", refusal ?? "").asOption
            throw CommandError(sentence + (hint.map { " \($0)" } ?? ""))
        }
    }

    /// The command that lists what exists.
    private var hint: String? {
        switch self {
        case .noPlayer: "`causeboard player find` looks for one."
        case .noAction: "`causeboard log` lists them."
        case .noItem: "`causeboard queue` lists what waits."
        case .noBoard: "`causeboard board list` lists them."
        case .noTeam: "`causeboard team list` lists them."
        case .noAward, .notGranted: "`causeboard award list` lists them."
        default: nil
        }
    }
}
