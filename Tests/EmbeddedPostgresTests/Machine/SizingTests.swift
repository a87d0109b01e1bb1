import Testing

@testable import EmbeddedPostgres

@Suite struct SizingTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let memory: Int
        /// The disk's size and the room for the log; nil where it is not known.
        let disk: (total: Int, room: Int)?
        let sharedBuffers: String
        let effectiveCache: String
        let wal: String
        let slots: String
        var isTight = false
    }

    static let mebibyte = 1 << 20
    static let gibibyte = 1 << 30
    static let cases = [
        Case(
            testDescription: "512 MB of memory, 10 GB of disk", memory: 512 * mebibyte,
            disk: (10 * gibibyte, 8 * gibibyte), sharedBuffers: "128MB", effectiveCache: "4096MB", wal: "1024MB",
            slots: "2048MB"),
        Case(
            testDescription: "256 MB of memory, 4 GB of disk", memory: 256 * mebibyte,
            disk: (4 * gibibyte, 3 * gibibyte), sharedBuffers: "128MB", effectiveCache: "4096MB", wal: "409MB",
            slots: "819MB"),
        Case(
            testDescription: "2 GB of memory, 40 GB of disk", memory: 2 * gibibyte,
            disk: (40 * gibibyte, 36 * gibibyte), sharedBuffers: "512MB", effectiveCache: "4096MB", wal: "4096MB",
            slots: "8192MB"),
        Case(
            testDescription: "24 GB of memory, 1 TB of disk", memory: 24 * gibibyte,
            disk: (1024 * gibibyte, 900 * gibibyte), sharedBuffers: "6144MB", effectiveCache: "12288MB", wal: "16384MB",
            slots: "32768MB"),
        Case(
            testDescription: "1 TB of memory, 100 TB of disk", memory: 1024 * gibibyte,
            disk: (102_400 * gibibyte, 102_400 * gibibyte), sharedBuffers: "8192MB", effectiveCache: "524288MB",
            wal: "16384MB", slots: "32768MB"),
        Case(
            testDescription: "a large disk that is nearly full: both together take half of what is free",
            memory: 24 * gibibyte, disk: (1024 * gibibyte, 6 * gibibyte), sharedBuffers: "6144MB",
            effectiveCache: "12288MB", wal: "1024MB", slots: "2048MB"),
        Case(
            testDescription: "a full disk: the least that PostgreSQL works with, and a warning", memory: 24 * gibibyte,
            disk: (1024 * gibibyte, 0), sharedBuffers: "6144MB", effectiveCache: "12288MB", wal: "128MB",
            slots: "256MB", isTight: true),
        Case(
            testDescription: "a small disk that is empty is not full", memory: 512 * mebibyte,
            disk: (gibibyte, gibibyte), sharedBuffers: "128MB", effectiveCache: "4096MB", wal: "128MB", slots: "256MB"),
        Case(
            testDescription: "a machine that does not say what it has", memory: 0, disk: nil, sharedBuffers: "128MB",
            effectiveCache: "4096MB", wal: "1024MB", slots: "2048MB"),
        Case(
            testDescription: "numbers that no machine has", memory: .max, disk: (.max, .max), sharedBuffers: "8192MB",
            effectiveCache: "\((Int.max / 2) >> 20)MB", wal: "16384MB", slots: "32768MB"),
    ]

    @Test("shares of memory and disk, within their bounds", arguments: cases) func derives(example: Case) {
        let disk = example.disk.map { Machine.Disk(totalBytes: $0.total, walRoomBytes: $0.room) }
        let sizing = Sizing(Machine(memoryBytes: example.memory, disk: disk))
        let settings = Dictionary(uniqueKeysWithValues: sizing.settings.map { ($0.name, $0.value) })
        #expect(
            settings == [
                "shared_buffers": example.sharedBuffers, "effective_cache_size": example.effectiveCache,
                "max_wal_size": example.wal, "max_slot_wal_keep_size": example.slots, "checkpoint_timeout": "30min",
                "checkpoint_completion_target": "0.9",
            ])
        #expect(sizing.isDiskTight == example.isTight)
    }

    @Test("the log and what is kept for slots never take more than half of the room, unless there is hardly any")
    func leavesRoom() {
        for gibibytes in 1...400 {
            let room = gibibytes << 30
            let disk = Machine.Disk(totalBytes: 400 << 30, walRoomBytes: room)
            let sizing = Sizing(Machine(memoryBytes: 1 << 30, disk: disk))
            #expect(sizing.walBytesMax + sizing.slotWALBytesMax <= room / 2)
        }
    }

    @Test("what the log has now counts as room for it, so that it does not lower its own bound") func stable()
        async throws
    {
        try await Scratch.with { scratch in
            try scratch.fakeCluster(version: "15")
            let log = "\(scratch.paths.cluster)/pg_wal"
            let made = try await Command("/usr/bin/mkdir", ["-p", "\(log)/archive_status"], as: scratch.ourselves).run(
                within: Limits.shortCommand)
            #expect(made.succeeded)
            let before = try #require(Machine(of: scratch.paths).disk)
            // Files without contents take no room, so it is only their size that counts.
            for number in 1...2 {
                let file = "\(log)/00000001000000000000000\(number)"
                let grown = try await Command("/usr/bin/truncate", ["-s", "512G", file], as: scratch.ourselves).run(
                    within: Limits.shortCommand)
                #expect(grown.succeeded, "\(grown.output)")
            }
            let after = try #require(Machine(of: scratch.paths).disk)
            #expect(after.totalBytes == before.totalBytes)
            // Others write to this disk, too, but not that much.
            #expect(abs(after.walRoomBytes - before.walRoomBytes - (1 << 40)) < 1 << 37)
        }
    }

    @Test("this machine says what it has") func thisMachine() async throws {
        try await Scratch.with { scratch in
            try scratch.fakeCluster(version: "15")
            let machine = Machine(of: scratch.paths)
            #expect(machine.memoryBytes > 64 << 20)
            #expect(machine.disk == nil, "there is no pg_wal")
        }
    }
}
