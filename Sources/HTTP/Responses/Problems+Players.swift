import enum Contract.Keys
import enum Contract.ProblemName
import Domain
import HTTPTypes
import Storage

// The sentences about devices, codes and reports.
extension Problem {
    static let labelTaken = Problem(
        .labelTaken, "Another device has this label. Choose a random UUID, and keep it beside the token.")
    /// One text for every code that brings a device nowhere, so that it tells nothing of codes.
    static let codeRefused = Problem(
        .codeRefused,
        "No player takes this device by this code: it is wrong, was used, or is too old. Ask the player for a new one.",
        field: "code")
    static let hasHistory = Problem(
        .hasHistory,
        "This device speaks for a player with scores, donations or saves, who would be lost. Send \"merge\": true to "
            + "make both players one, or use the code on a new device.", field: "code")
    static let mergeLimit = Problem(
        .mergeLimit,
        "The code's player has taken up \(Limits.ownMergesMax) other players, which is as many as it may on its own. "
            + "Ask the game's operator, or use the code on a new device.", field: "merge")
    static let mergedTooLarge = Problem(
        .mergeLimit,
        "Together both players would have more points than a wallet or a board holds: \(Limits.walletPointsMax) in a "
            + "wallet, \(Int64.max) on a board. Ask the game's operator, or use the code on a new device.",
        field: "merge")
    static let mergedTooLong = Problem(
        .mergeLimit,
        "Together both players have more than \(Limits.historyOfMergedMax) scores or donations, too many for a merge by a "
            + "code. Ask the game's operator to merge them, or use the code on a new device.", field: "merge")
    static let lastDevice = Problem(
        .lastDevice,
        "This is the player's only device, and without one nobody reaches the player. Add another one first.")
    /// - Parameter end: When the wait ends.
    static func deviceTooNew(until end: Instant, now: Instant) -> Problem {
        let seconds = max(1, (end.microsecondsSince1970 - now.microsecondsSince1970 + 999_999) / 1_000_000)
        return Problem(
            newFor: seconds,
            "This device is new, and the player has older ones. Use one of those, or try again at "
                + "\(end.rfc3339(.seconds)). Until then this device cannot cut off older ones, "
                + "export, erase, make a recovery code, replace their code, link or unlink identities, or merge.")
    }
    static func flagFixed(until again: Instant) -> Problem {
        Problem(
            flagFixedUntil: again, Keys.ProfileChange.flag.rawValue,
            "A player shows a flag for \(Limits.flagDays) days before it may show another one. Try again at "
                + "\(again.rfc3339(.seconds)), or send null to show none.")
    }
    static let noDevice = Problem(
        .notFound, "You have no such device. Take its id from \(Routes.v1.myDevices.name(.get)).")
}

extension FieldError {
    static let noFlags = FieldError(
        Keys.ProfileChange.flag.rawValue, "Players of this game show no flags. Leave flag out, or send null.")
    static let badToken = FieldError(
        "token", "token is no token of a device. Send cbd_ and 32 random bytes in base64url, which are 43 characters.")
    static let takenToken = FieldError("token", "This token is another device's. Make a new one of 32 random bytes.")
    static let badReason = FieldError(
        "why", "why says what is wrong. Send one of \(Report.Reason.allCases.map(\.rawValue).joined(separator: ", ")).")
    static let ownReport = FieldError("player", "This is yourself. Report another player.")
}

// The sentences about saves.
extension Problem {
    static let noSave = Problem(
        .notFound, "The slot has no such save. \(Routes.v1.mySaves.name(.get)) says what is there.")
    static let saveTooLarge = Problem(
        .tooLarge, "A save has at most \(Limits.saveBytesMax) bytes. Send less, or spread it over several slots.")
    static let slotsFull = Problem(
        .slotsFull, "All \(Limits.saveSlotsMax) slots are used. Delete one, or save in one of them.")
    static let postFirst = Problem(
        .postFirst,
        "Until one of its scores counts, a player has one slot of \(Limits.saveBytesBeforePost) bytes. Post a score, "
            + "then retry.")
    static let noExpectation = Problem(
        .precondition,
        "Say what the slot has, so that nothing is lost that another device has saved: send If-Match with the one "
            + "ETag that you have seen, or If-None-Match: * for an empty slot.")

    static func staleSave(_ etag: String?) -> Problem {
        Problem(
            stale: etag,
            etag == nil
                ? "The slot is empty. Send If-None-Match: * to save in it."
                : "Another device has saved since. GET the slot, merge what is there, and send that with its ETag.")
    }
}
