import enum Contract.ProblemName
import Domain
import Storage

// The sentences of problems with the books.
extension Problem {
    static let badDay = Problem(.malformed, "day is no date. Send one such as 2026-11-21.", field: "day")
    static let bookDayNotOver = Problem(
        .notFound,
        "The books of this day are not closed yet. A day is closed \(Limits.bookGraceSeconds / 60) minutes after "
            + "its end in UTC; ask for an earlier one."
    )
    static let noBookDay = Problem(
        .notFound,
        "There are no books of this day, because nothing had been recorded yet. Ask for a later day."
    )
}
