import enum Contract.ProblemName
import Domain
import HTTPTypes

// The sentences about saves.
extension Problem {
    static let noSave = Problem(
        .notFound,
        "The slot has no such save. \(Routes.mySaves.name(.get)) says what is there."
    )
    static let saveTooLarge = Problem(
        .tooLarge,
        "A save has at most \(Limits.saveBytesMax) bytes. Send less, or spread it over several slots."
    )
    static let slotsFull = Problem(
        .slotsFull,
        "All \(Limits.saveSlotsMax) slots are used. Delete one, or save in one of them."
    )
    static let postFirst = Problem(
        .postFirst,
        "Until one of its scores counts, a player has one slot of \(Limits.saveBytesBeforePost) bytes. Post a score, "
            + "then retry."
    )
    static let noExpectation = Problem(
        .precondition,
        "Say what the slot has, so that nothing is lost that another device has saved: send If-Match with the one "
            + "ETag that you have seen, or If-None-Match: * for an empty slot."
    )

    static func staleSave(_ etag: String?) -> Problem {
        Problem(
            stale: etag,
            etag == nil
                ? "The slot is empty. Send If-None-Match: * to save in it."
                : "Another device has saved since. GET the slot, merge what is there, and send that with its ETag."
        )
    }
}
