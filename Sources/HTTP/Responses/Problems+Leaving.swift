import enum Contract.ProblemName
import Domain
import FoundationEssentials
import HTTPTypes
import Storage

// The sentences about players who left, and about names that wait.
extension Problem {
    static let playerGone = Problem(.gone, "This player has left.")
    static let notConfirmed = Problem(
        .confirm,
        "confirm is not the player's name. Send the name exactly as it is: nothing can bring the player back.",
        field: "confirm"
    )

    /// What a token of a player who was erased is answered.
    static func erased(_ receipt: UUID) -> Problem {
        Problem(
            erased: receipt.text,
            "The player of this token has left, and everything that tells who it was is gone."
        )
    }

    static let noItem = Problem(
        .notFound,
        "Nothing waits under this item: it was decided, or has changed since. Read the queue again."
    )
    static let badQueueKind = Problem(
        .malformed,
        "kind is none of \(QueueItem.Kind.allCases.map(\.rawValue).joined(separator: ", ")). Leave it out for all "
            + "of them.",
        field: "kind"
    )
}
