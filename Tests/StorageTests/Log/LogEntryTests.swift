import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

@Suite struct LogEntryTests {
    // The vector of the wire contract.
    private let words = LogWords(salt: Array(0x40...0x5F), reason: "Bot", name: nil)
    private var entry: LogEntry {
        LogEntry(
            number: 1, at: .at("2026-11-21T12:00:00Z"),
            action: UUID(uuidString: "5f0c1d2e-0000-4000-8000-000000000001"), actor: "cli", kind: "void",
            subject: "player=402584080446809;score=0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00", values: "earned=10",
            wordsHash: words.hash)
    }

    @Test("an entry hashes as the contract's vector says") func vector() {
        #expect(Hex.text(words.hash) == "31aba61252c9588ff9d2441a94c3ac28afd0aa9ef092e32edae492adfb7625a2")
        #expect(
            Hex.text(entry.hash(after: LogEntry.origin))
                == "f7914d4eb5f0d129626f8a71b9bbb1e43d3ae593c24da991616ca8d5db999534")
    }

    @Test("whatever of an entry or of the one before is changed, the hash is another one") func changes() {
        func changed(
            number: Int64 = 1, at: Instant = .at("2026-11-21T12:00:00Z"),
            action: UUID? = UUID(uuidString: "5f0c1d2e-0000-4000-8000-000000000001"), actor: String = "cli",
            kind: String = "void",
            subject: String = "player=402584080446809;score=0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00",
            values: String = "earned=10", wordsHash: [UInt8]? = nil, after previous: [UInt8] = LogEntry.origin
        ) -> [UInt8] {
            LogEntry(
                number: number, at: at, action: action, actor: actor, kind: kind, subject: subject, values: values,
                wordsHash: wordsHash ?? words.hash
            ).hash(after: previous)
        }
        let hashes = [
            changed(), changed(number: 2), changed(at: .noon), changed(action: nil), changed(actor: "server"),
            changed(kind: "hold"), changed(subject: "-"), changed(values: "earned=1"),
            changed(wordsHash: LogEntry.origin), changed(after: words.hash), changed(kind: "void\ncli"),
        ]
        #expect(Set(hashes).count == hashes.count)
    }

    @Test(
        "the audit names the first entry that was changed, taken out, put in or moved",
        arguments: [
            ("update log_entry set numbers = 'earned=1' where n = 2", 2), ("delete from log_entry where n = 2", 3),
            ("delete from log_entry where n = 5", 5), ("delete from moderation_action where n = 5", 5),
            ("update moderation_action set n = 6 where n = 5", 5),
            ("update log_entry set n = case n when 2 then 3 when 3 then 2 else n end where n in (2, 3)", 2),
            (
                "insert into log_entry select 5, logged_at, action, actor, kind, subject, numbers, words_hash, hash "
                    + "from log_entry where n = 4", 5
            ), ("update log_words set reason = 'another' where n = 3", 3),
            ("update log_words set salt = sha256('') where n = 3", 3),
        ]) func tampering(statement: String, entry: Int) async throws
    {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada", points: 5)
            for kind in [ModerationKind.hide(ada), .ban(ada, until: nil), .voidAll(ada, heldOnly: false), .hide(ada)] {
                let action = ModerationAction(kind, id: UUID(), reason: try ModerationReason("Bot"))
                guard case .done = try await database.store.admin.perform(action, by: "cli", now: .noon) else {
                    throw TestDatabaseError("\(kind)")
                }
            }
            #expect(try await database.auditComplaints() == [])
            try await database.owner.script("alter table log_entry drop constraint log_entry_pkey; " + statement)
            let complaints = try await database.auditComplaints()
            #expect(complaints.count == 1 && complaints.first?.hasSuffix("entry \(entry)") == true, "\(complaints)")
        }
    }

    @Test("words can be erased, and the chain holds") func erasure() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            let action = ModerationAction(.hide(ada), id: UUID(), reason: try ModerationReason("her name is Ada"))
            _ = try await database.store.admin.perform(action, by: "cli", now: .noon)
            try await database.owner.script("delete from log_words")
            #expect(try await database.auditComplaints() == [])
            #expect(try await database.store.admin.log(before: nil, rows: 1).first?.words == nil)
            guard case .repeated = try await database.store.admin.perform(action, by: "cli", now: .noon) else {
                throw TestDatabaseError("a repeat is known without its words")
            }
        }
    }
}
