import Domain
import FoundationEssentials
import Postgres

/// What the log says of settings, charities and keys that an operator made, changed or ended. It holds no words: only
/// slugs, ids and numbers.
struct ChangeEntry {
    /// The method by which the admin API does it, whoever did it; `reset` for a new season.
    enum Method: String { case put = "PUT", patch = "PATCH", delete = "DELETE", reset }

    let method: Method
    let subject: [(String, String)]
    var numbers: [(String, String)] = []

    static func game(_ method: Method, _ game: Slug, numbers: [(String, String)] = []) -> ChangeEntry {
        ChangeEntry(method: method, subject: [("game", game.description)], numbers: numbers)
    }

    static func board(_ method: Method, _ board: Slug, in game: Slug, numbers: [(String, String)] = []) -> ChangeEntry {
        ChangeEntry(
            method: method,
            subject: [("game", game.description), ("board", board.description)],
            numbers: numbers
        )
    }

    static func charity(_ method: Method, _ charity: Slug, numbers: [(String, String)] = []) -> ChangeEntry {
        ChangeEntry(method: method, subject: [("charity", charity.description)], numbers: numbers)
    }

    static func key(_ method: Method, _ id: UUID) -> ChangeEntry {
        ChangeEntry(method: method, subject: [("key", id.text)])
    }
}

extension Store {
    /// Changes settings in one transaction, and says so in the log if that has changed something.
    /// - Parameters:
    ///   - entry: What the log says of it.
    ///   - actor: Who does it: a key's id, or `cli`.
    ///   - body: Makes the change, with its own locks before it.
    func changing<Value: Sendable>(
        logging entry: ChangeEntry,
        by actor: String,
        now: Instant,
        _ body: (Connection) async throws(PostgresError) -> (outcome: AdminOutcome, now: Value)
    ) async throws(StoreError) -> (outcome: AdminOutcome, now: Value) {
        try await changing { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                let (outcome, after) = try await body(connection)
                if outcome == .added || outcome == .set {
                    // This lock comes last, as in every transaction that writes the log.
                    let log = LogWriter(
                        at: now,
                        act: nil,
                        actor: actor,
                        deed: entry.method.rawValue,
                        subject: entry.subject.canonicalText,
                        numbers: entry.numbers,
                        words: nil
                    )
                    _ = try await log.write(on: connection)
                }
                return (outcome, after)
            }
        }
    }
}

extension BoardChange {
    /// The numbers that are set, as the log has them; `-` is what was taken away.
    var numbers: [(String, String)] {
        [("points_min", pointsMin), ("points_max", pointsMax)].compactMap { name, number in
            number.map { (name, String($0)) }
        }
            + [
                earnMax.logged(as: "earn_max"), earnDay.logged(as: "earn_day"), holds.above.logged(as: "hold_above"),
                holds.rate.logged(as: "hold_rate"), holds.pace.logged(as: "hold_pace"),
                holds.judgeMinutes.logged(as: "judge"), holds.settleMinutes.logged(as: "settle"),
            ].compactMap(\.self)
    }
}

extension NewBoard {
    /// The numbers that it begins with, as the log has them.
    var numbers: [(String, String)] {
        var numbers = [("points_min", String(bounds.lowerBound)), ("points_max", String(bounds.upperBound))]
        if let earnMax { numbers.append(("earn_max", String(earnMax))) }
        if let earnDay { numbers.append(("earn_day", String(earnDay))) }
        if let above = holds.above { numbers.append(("hold_above", above.description)) }
        if let rate = holds.rate { numbers.append(("hold_rate", String(rate))) }
        if let pace = holds.pace { numbers.append(("hold_pace", String(pace))) }
        if let minutes = holds.judgeMinutes { numbers.append(("judge", String(minutes))) }
        if let minutes = holds.settleMinutes { numbers.append(("settle", String(minutes))) }
        return numbers
    }
}

extension CharityChange {
    /// The numbers that are set, as the log has them.
    var numbers: [(String, String)] {
        let coolingOff = coolingOffMinutes.map { ("cooling_off", String($0)) }
        return [
            goal.logged(as: "goal"), capOfDay.logged(as: "cap_day"), capInAll.logged(as: "cap_all"), coolingOff,
        ].compactMap(\.self)
    }
}

extension Patch where Value: CustomStringConvertible {
    fileprivate func logged(as name: String) -> (String, String)? {
        isGiven ? (name, value.map(\.description) ?? "-") : nil
    }
}
