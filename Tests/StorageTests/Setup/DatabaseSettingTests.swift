import TestDatabases
import Testing

@testable import Storage

@Suite struct DatabaseSettingTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let value: String
        var amount: Int64?
        var inUse: Int64?
        /// Words of the advice; empty where there is none.
        var says: [String] = []
        var testDescription: String { "\(name) = \(value), \(inUse.map { "\($0) in use" } ?? "")" }
    }

    static let cases = [
        Case(name: "shared_buffers", value: "128MB", amount: 128 << 20, says: ["35 to 60 us", "a quarter", "restart"]),
        Case(name: "shared_buffers", value: "1023MB", amount: 1023 << 20, says: ["a quarter"]),
        Case(name: "shared_buffers", value: "1GB", amount: 1 << 30),
        Case(name: "max_wal_size", value: "1GB", amount: 1 << 30, says: ["20 KB", "16GB", "reload"]),
        Case(name: "max_wal_size", value: "4GB", amount: 4 << 30),
        Case(name: "checkpoint_timeout", value: "5min", amount: 300_000, says: ["20 KB", "30min", "recovery"]),
        Case(name: "checkpoint_timeout", value: "15min", amount: 900_000),
        Case(name: "wal_compression", value: "lz4", says: ["30 to 46 us", "set off", "slow"]),
        Case(name: "wal_compression", value: "pglz", says: ["set off"]), Case(name: "wal_compression", value: "off"),
        Case(name: "max_slot_wal_keep_size", value: "-1", amount: -1 << 20, says: ["disk is full", "max_wal_size"]),
        Case(name: "max_slot_wal_keep_size", value: "0", amount: 0),
        Case(name: "max_slot_wal_keep_size", value: "8GB", amount: 8 << 30),
        Case(name: "max_replication_slots", value: "10", amount: 10, inUse: 8),
        Case(name: "max_replication_slots", value: "10", amount: 10, inUse: 9, says: ["9 in use", "set 11 or more"]),
        Case(name: "max_replication_slots", value: "0", amount: 0, inUse: 0, says: ["0 in use", "set 2 or more"]),
        Case(name: "max_wal_senders", value: "10", amount: 10, inUse: 10, says: ["10 in use", "set 12 or more"]),
        Case(name: "max_wal_senders", value: "32", amount: 32, inUse: 3),
        Case(name: "max_wal_senders", value: "32", amount: 32),
        Case(name: "autovacuum", value: "off", says: ["every table grows", "set on"]),
        Case(name: "autovacuum", value: "on"),
        Case(name: "jit", value: "on", says: ["pooler", "off for role and database"]), Case(name: "jit", value: "off"),
        Case(name: "shared_buffers", value: "unknown"), Case(name: "work_mem", value: "4MB", amount: 4 << 20),
    ]

    @Test("a value that costs something is told with the cost and what to set; others are not", arguments: cases)
    func advice(example: Case) {
        let setting = DatabaseSetting(
            name: example.name, value: example.value, amount: example.amount, inUse: example.inUse)
        #expect((setting.advice == nil) == example.says.isEmpty)
        for words in example.says { #expect(setting.advice?.contains(words) == true, "\(setting.advice ?? "")") }
    }

    @Test("the settings are read in bytes and milliseconds, by the server's own role") func read() async throws {
        try await withTestDatabase { database in
            let settings = try await database.store.databaseSettings()
            #expect(
                settings.map(\.name) == [
                    "autovacuum", "checkpoint_timeout", "jit", "max_replication_slots", "max_slot_wal_keep_size",
                    "max_wal_senders", "max_wal_size", "shared_buffers", "wal_compression",
                ])
            let named = Dictionary(uniqueKeysWithValues: settings.map { ($0.name, $0) })
            #expect(named["shared_buffers"]?.amount == 64 << 20)
            #expect(named["checkpoint_timeout"]?.amount == 1_800_000)
            #expect(named["max_replication_slots"]?.amount == 32)
            #expect(named["max_replication_slots"]?.inUse != nil && named["max_wal_senders"]?.inUse != nil)
            #expect(named["max_wal_size"]?.inUse == nil)
            #expect(named["jit"].map { [$0.value, "\($0.amount ?? 0)"] } == ["off", "0"])
            #expect(named["autovacuum"]?.advice != nil, "the tests' server has it off")
        }
    }
}
