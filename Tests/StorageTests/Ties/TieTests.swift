import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// What players say of each other, by asking, by codes and by blocks.
@Suite struct TieTests {
    private static func people(_ names: [String], _ database: TestDatabase) async throws -> [TiePerson] {
        var people: [TiePerson] = []
        for name in names { people.append(try await TiePerson(name, database)) }
        return people
    }

    private static func later(_ seconds: Int64) -> Instant { .noon.advanced(bySeconds: seconds) }

    @Test("who says yes to each other are friends, until one says no") func asking() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Bob"], database)
            let (ada, bob) = (people[0], people[1])
            #expect(try await ada.ask(bob, store) == "said")
            #expect(try await ada.ask(bob, store, now: Self.later(1)) == "known")
            #expect(try await ada.lists(store) == "asking Bob")
            #expect(try await bob.lists(store) == "asked Ada")
            #expect(try await bob.ask(ada, store, now: Self.later(2)) == "said friends")
            #expect(try await bob.ask(ada, store, now: Self.later(3)) == "known friends")
            #expect(try await ada.lists(store) == "friend Bob")
            #expect(try await bob.lists(store) == "friend Ada")
            #expect(try await store.ties(of: ada.player).first?.at == Self.later(2), "since the later yes")
            #expect(try await store.friends(of: ada.player) == [bob.player])
            #expect(try await bob.end(ada, store, now: Self.later(4)) == "said")
            #expect(try await bob.end(ada, store, now: Self.later(5)) == "known")
            // Ada's yes stays, and is not shown to Bob again.
            #expect(try await ada.lists(store) == "asking Bob")
            #expect(try await bob.lists(store) == "")
            #expect(try await store.friends(of: ada.player).isEmpty)
            #expect(try await ada.ask(ada, store) == "no-player")
            #expect(try await bob.ask(ada, store, now: Self.later(6)) == "said friends")
        }
    }

    @Test("nothing is written for who ends what is not there, and an ask that is refused is not shown again")
    func ending() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Bob"], database)
            let (ada, bob) = (people[0], people[1])
            #expect(try await ada.end(bob, store) == "known")
            #expect(try await ada.unblock(bob, store) == "known")
            #expect(try await database.owner.ask("select count(*) from tie") == ["0"])
            #expect(try await ada.ask(bob, store) == "said")
            #expect(try await bob.end(ada, store) == "said")
            #expect(try await bob.lists(store) == "")
            #expect(try await ada.ask(bob, store) == "known")
            #expect(try await bob.lists(store) == "")
            #expect(try await ada.end(bob, store) == "said")
            #expect(try await database.owner.ask("select says from tie") == ["no", "no"])
        }
    }

    @Test("a request writes the same whether the other waits, accepts none, or has blocked") func silence() async throws
    {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Wait", "None", "Block"], database)
            let ada = people[0]
            #expect(try await database.change(people[2].token) { $0.takesAsks = false }.word == "known")
            #expect(try await people[3].block(ada, store) == "said")
            for other in people.dropFirst() {
                #expect(try await ada.ask(other, store) == "said")
                #expect(try await ada.ask(other, store) == "known")
            }
            #expect(
                try await database.owner.ask(
                    "select count(*), min(says), max(says), min(at) = max(at) from tie where player_id = \(ada.player.rawValue)"
                ).first?.hasPrefix("3") == true)
            #expect(try await ada.lists(store).components(separatedBy: "asking").count == 4)
            #expect(try await people[1].lists(store) == "asked Ada")
            #expect(try await people[2].lists(store) == "")
            #expect(try await people[3].lists(store) == "blocked Ada")
            // What was asked meanwhile is there again.
            #expect(try await database.change(people[2].token) { $0.takesAsks = true }.word == "known")
            #expect(try await people[2].lists(store) == "asked Ada")
            #expect(try await store.ownProfile(of: people[2].player, now: .noon).profile.takesAsks)
            try await database.allowFriends(.codes)
            #expect(try await people[2].lists(store) == "")
            #expect(try await ada.ask(people[1], store) == "off")
        }
    }

    @Test("a block ends a friendship, and only who made it ends it") func blocking() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Bob"], database)
            let (ada, bob) = (people[0], people[1])
            #expect(try await ada.ask(bob, store) == "said")
            #expect(try await bob.ask(ada, store) == "said friends")
            let code = try await ada.makeCode(database)
            #expect(try await ada.block(bob, store) == "said")
            #expect(try await ada.block(bob, store) == "known")
            #expect(try await ada.lists(store) == "blocked Bob")
            #expect(try await bob.lists(store) == "asking Ada")
            #expect(try await bob.ask(ada, store) == "known")
            #expect(try await bob.use(code, store) == "refused")
            #expect(try await ada.end(bob, store) == "known")
            #expect(try await ada.lists(store) == "blocked Bob", "no is less than a block")
            #expect(try await ada.unblock(bob, store) == "said")
            #expect(try await ada.lists(store) == "", "what was asked before is not shown")
            #expect(try await bob.use(code, store) == "refused", "a no is later than the code")
            let next = try await ada.makeCode(database, now: Self.later(1))
            #expect(try await bob.use(next, store, now: Self.later(1)) == "said")
            #expect(try await ada.lists(store) == "friend Bob")
            // Asking somebody ends the player's own block.
            #expect(try await bob.block(ada, store) == "said")
            #expect(try await bob.ask(ada, store) == "said friends")
            #expect(try await database.blockedFriends() == [])
        }
    }

    @Test("a code makes twenty players friends within a day, and a new one ends it") func codes() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends(.codes)
            let store = database.store
            let people = try await Self.people((0..<23).map { "P\($0)" }, database)
            let maker = people[0]
            let former = try await maker.makeCode(database)
            let code = try await maker.makeCode(database)
            #expect(try await people[1].use(former, store) == "refused")
            #expect(try await maker.use(code, store) == "refused", "one's own")
            #expect(try await people[1].use(code, store) == "said")
            #expect(try await people[1].use(code, store) == "known")
            for person in people[2...20] { #expect(try await person.use(code, store) == "said") }
            #expect(try await people[21].use(code, store) == "refused", "it is used up")
            #expect(try await store.friends(of: maker.player).count == 20)
            let next = try await maker.makeCode(database)
            #expect(try await people[21].use(next, store, now: Self.later(86_399)) == "said")
            #expect(try await people[22].use(next, store, now: Self.later(86_400)) == "refused")
            // A friend code joins no device, and a join code makes no friend.
            let word = try await database.join("pad", by: next)
            #expect(word == "refused")
            #expect(try await people[22].use(try await database.joinCode(of: maker.token), store) == "refused")
            try await database.moderate(.ban(maker.player, until: nil))
            #expect(try await people[22].use(next, store) == "refused")
            try await database.allowFriends(.off)
            #expect(try await people[22].use(next, store) == "off")
        }
    }

    @Test("hidden players are in no list, and their ties stay") func hidden() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Bob", "Cleo"], database)
            let (ada, bob, cleo) = (people[0], people[1], people[2])
            #expect(try await ada.ask(bob, store) == "said")
            #expect(try await bob.ask(ada, store) == "said friends")
            #expect(try await bob.ask(cleo, store) == "said")
            let hiding = try await database.moderate(.hide(bob.player))
            #expect(try await ada.lists(store) == "")
            #expect(try await cleo.lists(store) == "")
            #expect(try await cleo.ask(bob, store) == "no-player")
            #expect(try await ada.end(bob, store) == "said", "what is there may end")
            try await database.moderate(.undo(hiding))
            #expect(try await ada.lists(store) == "")
            #expect(try await cleo.lists(store) == "asked Bob")
        }
    }

    private static func expectNobody(_ other: Player.ID, for person: TiePerson, _ database: TestDatabase) async throws {
        let (store, token) = (database.store, person.token)
        let device = try #require(try await store.findDevice(ofToken: token))
        #expect(try await store.befriend(other, device: device, with: token, now: .noon).outcome == .noPlayer)
        #expect(try await store.block(other, by: device, with: token, now: .noon) == .noPlayer)
        #expect(try await store.end(with: other, by: device, with: token, now: .noon) == .noPlayer)
        #expect(try await store.unblock(other, by: device, with: token, now: .noon) == .noPlayer)
    }

    @Test("another game's player is nobody, and a hidden one to whom there is no tie") func nobody() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let ada = try await TiePerson("Ada", database)
            let stranger = try await database.addPlayer("Zoe", in: database.addGame("maze"))
            for other in [stranger, Player.ID(rawValue: 1)] { try await Self.expectNobody(other, for: ada, database) }
            let hidden = try await TiePerson("Hidden", database)
            try await database.moderate(.hide(hidden.player))
            try await Self.expectNobody(hidden.player, for: ada, database)
            // What the hidden player says of others is as unknown as the player, unless it is yes.
            #expect(try await hidden.block(ada, database.store) == "said")
            try await Self.expectNobody(hidden.player, for: ada, database)
            #expect(try await hidden.ask(ada, database.store) == "said")
            #expect(try await ada.ask(hidden, database.store) == "no-player")
            #expect(try await ada.block(hidden, database.store) == "said")
            #expect(try await ada.unblock(hidden, database.store) == "said")
            #expect(try await ada.block(hidden, database.store) == "said")
        }
    }

    @Test("a player has 500 friends and requests, 1,000 blocks and 1,000 refusals") func bounds() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let store = database.store
            let people = try await Self.people(["Ada", "Bob", "Cleo", "Dan"], database)
            let (ada, bob) = (people[0], people[1])
            let id = ada.player.rawValue
            func fill(_ says: String, to count: Int) async throws {
                try await database.owner.script(
                    """
                    insert into tie (player_id, other_id, says, at)
                    select \(id), 20000 + \(says.count) * 10000 + n, '\(says)', timestamptz '2026-10-01Z' + n * interval '1 s'
                      from generate_series(1, \(count) - (select count(*)::int from tie where says = '\(says)')) n;
                    """)
            }
            try await fill("yes", to: 499)
            #expect(try await ada.ask(bob, store) == "said")
            #expect(try await ada.ask(people[2], store) == "full")
            #expect(try await ada.use(people[2].makeCode(database), store) == "full")
            #expect(try await people[2].use(ada.makeCode(database), store) == "refused", "the maker is full")
            #expect(try await ada.end(bob, store) == "said")
            #expect(try await ada.ask(people[2], store) == "said")

            try await fill("block", to: 999)
            #expect(try await ada.block(bob, store) == "said")
            #expect(try await ada.block(people[3], store) == "full")
            #expect(try await ada.unblock(bob, store) == "said")

            try await fill("no", to: 1_000)
            let oldest = try await database.owner.ask(
                "select other_id from tie where player_id = \(id) and says = 'no' order by at limit 1")
            #expect(try await people[3].ask(ada, store) == "said")
            #expect(try await ada.end(people[3], store) == "said")
            #expect(
                try await database.owner.ask("select count(*) from tie where player_id = \(id) and says = 'no'") == [
                    "1000"
                ])
            #expect(try await database.owner.ask("select count(*) from tie where other_id = \(oldest[0])") == ["0"])
        }
    }

    @Test("of many who ask the newest 500 are shown, and the newest 3,000 kept, whatever the asked player says")
    func manyAsks() async throws {
        try await withTestDatabase { database in
            try await database.allowFriends()
            let ada = try await TiePerson("Ada", database)
            try await database.owner.script(
                """
                insert into player (id, game_id, name, registered_at)
                select 1000000 + n, (select game_id from player where id = \(ada.player.rawValue)), 'p' || n, now()
                  from generate_series(1, 5000) n;
                insert into wallet (player_id) select 1000000 + n from generate_series(1, 5000) n;
                insert into tie (player_id, other_id, says, at)
                select 1000000 + n, \(ada.player.rawValue), 'yes', timestamptz '2026-11-01Z' + n * interval '1 s'
                  from generate_series(1, 5000) n;
                insert into tie (player_id, other_id, says, at)
                select \(ada.player.rawValue), 1000000 + n, 'no', now() from generate_series(4501, 5000) n;
                """)
            let asked = try await database.store.ties(of: ada.player)
            #expect(asked.count == 500 && asked.allSatisfy { $0.list == .asked })
            #expect(asked.map(\.other.id.rawValue) == (4_001...4_500).reversed().map { 1_000_000 + Int64($0) })
            // The oldest is a friend; of the others some were declined and some blocked.
            try await database.owner.script(
                """
                insert into tie (player_id, other_id, says, at)
                select \(ada.player.rawValue), 1000000 + n,
                       case when n = 1 then 'yes' when n % 3 = 0 then 'no' when n % 3 = 1 then 'block' end, now()
                  from generate_series(1, 2500) n
                 where n = 1 or n % 3 < 2;
                """)
            let bob = try await TiePerson("Bob", database)
            #expect(try await bob.ask(ada, database.store) == "said")
            let kept = try await database.owner.ask(
                "select player_id - 1000000 from tie where other_id = \(ada.player.rawValue) and says = 'yes' "
                    + "and player_id between 1000000 and 1005000 order by 1")
            #expect(kept == ["1"] + (2_002...5_000).map { "\($0)" })
            #expect(try await ada.lists(database.store).contains("asked Bob"))
            #expect(try await bob.lists(database.store) == "asking Ada")
        }
    }
}
