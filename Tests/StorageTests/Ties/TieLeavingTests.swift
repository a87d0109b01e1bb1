import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// What becomes of ties when players are merged, erased or left behind, and when several write at once.
@Suite struct TieLeavingTests {
    private static func people(_ names: [String], _ database: TestDatabase) async throws -> [TiePerson] {
        var people: [TiePerson] = []
        for name in names { people.append(try await TiePerson(name, database)) }
        return people
    }

    private static func befriend(_ one: TiePerson, _ other: TiePerson, _ store: Store) async throws {
        #expect(try await one.ask(other, store) == "said")
        #expect(try await other.ask(one, store) == "said friends")
    }

    @Test("a merge joins the ties of both, and its undoing parts them") func merging() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Bob", "Cleo", "Dan", "Eve"], database)
            let (ada, bob, cleo, dan, eve) = (people[0], people[1], people[2], people[3], people[4])
            try await Self.befriend(ada, cleo, store)
            try await Self.befriend(bob, dan, store)
            #expect(try await ada.ask(dan, store) == "said")
            #expect(try await ada.block(eve, store) == "said")
            #expect(try await bob.ask(eve, store) == "said")
            #expect(try await eve.ask(bob, store) == "said friends")
            try await Self.befriend(ada, bob, store)
            let merge = try await database.moderate(.merge(ada.player, into: bob.player))
            // Dan is a friend already, and a block of either holds.
            #expect(try await bob.lists(store) == "blocked Eve, friend Cleo, friend Dan")
            #expect(try await cleo.lists(store) == "friend Bob")
            #expect(try await dan.lists(store) == "friend Bob")
            #expect(try await eve.lists(store) == "asking Bob")
            #expect(try await database.blockedFriends() == [])
            // A tie to the former id counts as a tie to the survivor.
            #expect(try await cleo.ask(ada, store) == "known friends")
            #expect(try await cleo.end(ada, store) == "said")
            #expect(try await bob.lists(store) == "asking Cleo, blocked Eve, friend Dan")
            #expect(try await dan.block(ada, store) == "said")
            #expect(try await bob.unblock(eve, store) == "said")
            #expect(try await eve.lists(store) == "asking Bob")
            try await database.moderate(.undo(merge))
            #expect(try await ada.lists(store) == "asking Cleo, asking Dan, friend Bob")
            // Whoever ended something or blocked meant both.
            #expect(try await bob.lists(store) == "asking Dan, friend Ada")
            #expect(try await dan.lists(store) == "blocked Ada, blocked Bob")
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("nothing is left of what an erased player said, or others of it") func erasing() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Bob", "Cleo", "Dan"], database)
            let (ada, bob, cleo, dan) = (people[0], people[1], people[2], people[3])
            try await Self.befriend(ada, bob, store)
            #expect(try await cleo.block(ada, store) == "said")
            #expect(try await dan.ask(ada, store) == "said")
            let code = try await ada.makeCode(database)
            try await database.moderate(.erase(ada.player, confirming: "Ada"))
            #expect(try await database.owner.ask("select count(*) from tie") == ["0"])
            #expect(try await dan.use(code, store) == "refused")
            #expect(try await dan.ask(ada, store) == "no-player")
            #expect(try await bob.lists(store) == "")
        }
    }

    @Test("a device that joins another player leaves no tie behind") func leftBehind() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Bob", "Cleo"], database)
            let (ada, bob, cleo) = (people[0], people[1], people[2])
            try await Self.befriend(bob, cleo, store)
            #expect(try await ada.block(bob, store) == "said")
            _ = try await bob.makeCode(database)
            let code = try await database.joinCode(of: ada.token)
            #expect(
                try await database.store.join(
                    Joining(
                        database.hash("Bob", as: .classic), in: .defaultGame, access: .token(bob.token),
                        by: .code(code), number: "bob", name: nil, now: .noon)
                ).word == "joined")
            #expect(try await database.owner.ask("select count(*) from tie") == ["0"])
            #expect(try await database.owner.ask("select count(*) from code") == ["0"])
            #expect(try await cleo.lists(store) == "")
            // The device speaks for Ada now.
            #expect(try await bob.ask(cleo, store) == "said")
            #expect(try await cleo.lists(store) == "asked Ada")
        }
    }

    @Test("what a player says is exported, with that of those who were merged with it") func exporting() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Bob", "Cleo"], database)
            let (ada, bob, cleo) = (people[0], people[1], people[2])
            #expect(try await ada.ask(cleo, store) == "said")
            #expect(try await bob.block(cleo, store) == "said")
            #expect(try await cleo.ask(bob, store) == "said")
            try await database.moderate(.merge(ada.player, into: bob.player))
            var found: [String] = []
            var key: ExportedTie.Key?
            while true {
                let page = try await store.exportedTies(of: bob.player, after: key, limitRows: 1)
                guard let tie = page.first else { break }
                found.append("\(tie.key.other == cleo.player) \(tie.says)")
                key = tie.key
            }
            #expect(found.sorted() == ["true block", "true yes"])
        }
    }

    @Test("twenty players use a code that is good twice more: two become friends") func codeRace() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let people = try await Self.people((0...20).map { "P\($0)" }, database)
            let code = try await people[0].makeCode(database)
            try await database.owner.script("update code set uses = 2")
            let outcomes = try await together(20) { number in try await people[number + 1].use(code, database.store) }
            #expect(outcomes.count { $0 == "said" } == 2 && outcomes.count { $0 == "refused" } == 18)
            #expect(try await database.store.friends(of: people[0].player).count == 2)
            #expect(try await database.owner.ask("select count(*) from code") == ["0"])
        }
    }

    @Test("at most 500 friends, also when many come at once") func fullRace() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let people = try await Self.people((0...10).map { "P\($0)" }, database)
            try await database.owner.script(
                """
                insert into tie (player_id, other_id, says, at)
                select \(people[0].player.rawValue), n, 'yes', now() from generate_series(1, 495) n
                """)
            let code = try await people[0].makeCode(database)
            let outcomes = try await together(10) { number in try await people[number + 1].use(code, database.store) }
            #expect(outcomes.count { $0 == "said" } == 5 && outcomes.count { $0 == "refused" } == 5)
        }
    }

    @Test("whatever happens at once, nobody is a friend of whom it blocks, and erased players leave nothing")
    func races() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people((0..<6).map { "P\($0)" }, database)
            var codes: [CodeHash] = []
            for person in people { codes.append(try await person.makeCode(database)) }
            for round in 0..<6 {
                let merge = round == 3 ? ModerationKind.merge(people[4].player, into: people[3].player) : nil
                let erase = round == 5 ? ModerationKind.erase(people[5].player, confirming: "P5") : nil
                _ = try await together(24) { [codes] number in
                    let (one, other) = (people[number % 6], people[(number + 1 + number / 6) % 6])
                    do {
                        switch (number + round) % 6 {
                        case 0, 1: _ = try await one.ask(other, store)
                        case 2: _ = try await one.block(other, store)
                        case 3: _ = try await one.use(codes[(number + 2) % 6], store)
                        case 4: _ = try await one.unblock(other, store)
                        default:
                            if number == 11, let merge { try await database.moderate(merge) }
                            if number == 12 || number == 13, let erase { try await database.moderate(erase) }
                            _ = try await one.end(other, store)
                        }
                    } catch is TestDatabaseError {
                        // It was erased meanwhile.
                    }
                    return true
                }
                #expect(try await database.blockedFriends() == [])
            }
            #expect(
                try await database.owner.ask(
                    "select count(*) from tie t join erasure e on e.player_id in (t.player_id, t.other_id)") == ["0"])
            #expect(try await database.auditComplaints() == [])
        }
    }
}
