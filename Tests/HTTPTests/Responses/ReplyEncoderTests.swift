import enum Contract.Reply
import struct Contract.Timestamp
import Domain
import Feeds
import HTTPTypes
import NIOCore
import NIOHTTP1
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct ReplyEncoderTests {
    private let time = Timestamp(microsecondsSince1970: 0)

    private func text(_ tree: JSONTree) -> String { String(decoding: tree.bytes(links: FeedLinks()), as: UTF8.self) }

    @Test("a reply has its members in the order of its keys, without those that are nil") func order() {
        let device = Reply.Device(id: "d", name: nil, joinedAt: time, seenOn: "1970-01-01", this: true, joinedBy: nil)
        let code = Reply.OpenCode(kind: "join", madeAt: time, expiresAt: nil, by: "device")
        #expect(
            text(JSONTree(Reply.DeviceList(devices: [device], codes: [code])))
                == #"{"devices":[{"id":"d","joined_at":"1970-01-01T00:00:00.000000Z","seen_on":"1970-01-01","#
                + #""this":true}],"codes":[{"kind":"join","made_at":"1970-01-01T00:00:00.000000Z","by":"device"}]}"#
                + "\n")
    }

    @Test("numbers of all widths, and with a decimal, are written exactly") func numbers() {
        let position = Reply.RankPosition(
            player: .max, rank: 1, points: -(1 << 100), of: 3, percentile: 88.9, toNext: 1 << 70)
        #expect(
            text(JSONTree(position))
                == #"{"player":9223372036854775807,"rank":1,"points":-1267650600228229401496703205376,"of":3,"#
                + #""percentile":88.9,"to_next":1180591620717411303424}"# + "\n")
    }

    @Test("the progress of a charity that is far past its goal has every digit") func progress() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees") { $0.goal = .set(1) }
            let ada = try await database.addPlayer("Ada", points: Limits.walletPointsMax)
            try await database.donate(Limits.walletPointsMax, by: ada, to: "trees")
            let answer = await Exchange.responder(database.store, database.secret).respond(
                to: Request(
                    method: .get, target: "/v1/charities/trees", headers: RequestHeaders(HTTPHeaders()),
                    body: ByteBuffer()))
            #expect(String(buffer: answer.body).contains(#""progress":900719925474099100.0,"#))
        }
    }

    @Test("other trees are written for members that are nil, and only for those") func others() {
        let nobody = Reply.RankPosition(player: 7, rank: nil, points: nil, of: 3, percentile: nil, toNext: nil)
        let somebody = Reply.RankPosition(player: 7, rank: 2, points: 9, of: 3, percentile: nil, toNext: nil)
        let nulls: KeyValuePairs<Reply.RankPosition.CodingKeys, JSONTree> = [.rank: .null, .points: .null]
        #expect(text(JSONTree(nobody, nulls)) == #"{"player":7,"rank":null,"points":null,"of":3}"# + "\n")
        #expect(text(JSONTree(somebody, nulls)) == #"{"player":7,"rank":2,"points":9,"of":3}"# + "\n")
        let score = Reply.PastScore(
            id: "i", game: "g", board: "b", season: 1, points: 2, earned: 3, playedAt: nil, detail: nil,
            reachedAt: time, voided: nil, state: nil)
        let detail: KeyValuePairs<Reply.PastScore.CodingKeys, JSONTree> = [.detail: .value(.json(#"{"b":1,"a":2}"#))]
        #expect(
            text(JSONTree(score, detail))
                == #"{"id":"i","game":"g","board":"b","season":1,"points":2,"earned":3,"detail":{"b":1,"a":2},"#
                + #""reached_at":"1970-01-01T00:00:00.000000Z"}"# + "\n")
    }

    @Test("a page holds trees as they are") func trees() {
        let page = Reply.HistoryPage(rows: [JSONTree.value(.integer(1)), .null], next: "n", prev: nil)
        #expect(text(JSONTree(page)) == #"{"rows":[1,null],"next":"n"}"# + "\n")
    }
}
