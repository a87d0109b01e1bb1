import Credentials
import Domain
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Logging
import NIOHTTP1
import Synchronization
import TestDatabases
import Testing

@testable import HTTP

@Suite("the disk's reserve") struct DiskReserveTests {
    private final class Disk: Sendable { let freeBytes = Mutex<Int64>(1_000) }

    @Test("the default is a tenth of the disk, and at most 2 GiB", arguments: [(1_000, 100), (1 << 40, 2 << 30)])
    func standard(size: Int64, reserve: Int64) {
        let rule = DiskReserveRule()
        #expect(rule.bytes(of: DiskUse(bytes: size, freeBytes: 0)) == reserve)
        #expect(rule.isReached(on: DiskUse(bytes: size, freeBytes: reserve - 1)))
        #expect(!rule.isReached(on: DiskUse(bytes: size, freeBytes: reserve)))
        #expect(!DiskReserveRule(bytes: 0).isReached(on: DiskUse(bytes: size, freeBytes: 0)))
    }

    @Test("the fuller disk decides, and unknown disks change nothing") func look() {
        let free = Mutex<[Int64]>([])
        let reserve = DiskReserve(DiskReserveRule(bytes: 100), logger: .none) {
            free.withLock { $0.map { DiskUse(bytes: 1_000, freeBytes: $0) } }
        }
        let looks: [([Int64], Bool)] = [([], false), ([200, 99], true), ([], true), ([200, 100], false)]
        for (frees, isReached) in looks {
            free.withLock { $0 = frees }
            reserve.look()
            #expect(reserve.isReached == isReached, "\(frees)")
        }
        #expect(reserve.bytes == 100)
    }

    @Test("a directory and an open file have a disk, and a pipe has none") func disks() throws {
        let disk = try #require(DiskUse(of: "/tmp"))
        #expect(disk.bytes > 0 && disk.freeBytes >= 0 && disk.freeBytes <= disk.bytes)
        #expect(DiskUse(of: "/tmp/there is no such directory") == nil)
    }

    @Test("with a nearly full disk, scores and donations are stored and new players, saves and pictures are refused")
    func full() async throws {
        let disk = Disk()
        let reserve = DiskReserve(DiskReserveRule(bytes: 100), logger: .none) {
            [DiskUse(bytes: 1_000, freeBytes: disk.freeBytes.withLock { $0 })]
        }
        try await RatedServer.with([:], reserve: reserve) { server in
            reserve.look()
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            #expect(await server.save("one", bearer: ada).status == 201)
            let id = try await server.id(bearer: bob)

            disk.freeBytes.withLock { $0 = 99 }
            reserve.look()
            func isFull(_ answer: RatedServer.Answer) -> Bool {
                answer.status == 503 && answer.text.contains(#""type":"/problems/full""#)
                    && answer.retryAfter == Limits.fullRetryAfterSeconds
            }
            let score = "/v1/games/default/boards/lap/scores/"
            #expect(await server.post(bearer: ada).status == 201)
            let donation = "/v1/charities/trees/donations/\(RatedServer.newID())"
            #expect(await server.send(.put, donation, #"{"points": 1}"#, bearer: ada).status == 201)
            #expect(await isFull(server.save("two", after: "one", bearer: ada)))
            let detailed = #"{"points": 1, "detail": 1}"#
            #expect(await server.send(.put, score + RatedServer.newID(), detailed, bearer: ada).status == 201)
            #expect(await isFull(server.send(.post, "/v1/players/\(id)/report", #"{"why": "name"}"#, bearer: ada)))
            #expect(await isFull(server.send(.patch, "/v1/players/me", #"{"image": "aaaa"}"#, bearer: ada)))
            #expect(await isFull(server.send(.put, "/v1/games/default/devices/Cy", #"{"name": "Cy"}"#)))
            let customer = await server.send(.put, "/customers.json", "phone=abc&name=Tim")
            #expect(isFull(customer), "\(customer.text)")
            let known = await server.send(.put, "/v1/games/default/devices/Ada", #"{"name": "Ada"}"#, bearer: ada)
            #expect(known.status == 200, "known devices still register")
            #expect(await server.send(.put, "/v1/games/default/devices/Cy", "{}").status == 422, "a name is missing")
            let etag = SaveETag(of: Array("one".utf8)).text
            let deleted = await server.send(
                .delete, "/v1/players/me/saves/journey", bearer: ada, headers: ["If-Match": etag])
            #expect(deleted.status == 204, "deleting frees space")
            let ready = await server.send(.get, "/readyz", on: .admin)
            #expect(ready.text.contains(#""disk-reserve""#))
            let metrics = await server.send(.get, "/metrics", on: .admin).text
            #expect(metrics.contains("causeboard_disk_reserve_reached 1\n"))
            #expect(metrics.contains("causeboard_disk_reserve_bytes 100\n"))

            disk.freeBytes.withLock { $0 = 100 }
            reserve.look()
            #expect(await server.save("two", bearer: ada).status == 201)
            #expect(await server.send(.put, "/v1/games/default/devices/Cy", #"{"name": "Cy"}"#).status == 201)
        }
    }
}
