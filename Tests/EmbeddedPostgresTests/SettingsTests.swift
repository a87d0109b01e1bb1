import Glibc
import Logging
import Synchronization
import Testing

@testable import EmbeddedPostgres

extension ClusterTests {
    /// The settings that PostgreSQL has in the end.
    @Suite struct SettingsTests {
        @Test("a cluster starts with the settings of its machine, and with others when the machine has changed")
        func derived() async throws {
            try await Scratch.with { scratch in
                var scratch = scratch
                scratch.settings.extra = [:]
                scratch.settings.machine = machine(memory: 600 << 20, disk: 40 << 30)
                let first = try await scratch.open()
                #expect(try await shown(scratch, first) == "150MB|4GB|4GB|8GB|30min|0.9|off|off|try|off")
                await first.close()

                scratch.settings.machine = machine(memory: 9 << 30, disk: 5 << 30)
                let second = try await scratch.open()
                #expect(try await shown(scratch, second) == "2304MB|4608MB|512MB|1GB|30min|0.9|off|off|try|off")
                await second.close()
            }
        }

        @Test("without a machine of the test's own, the settings are this machine's") func real() async throws {
            try await Scratch.with { scratch in
                var scratch = scratch
                scratch.settings.extra = [:]
                let cluster = try await scratch.open()
                let ours = Sizing(Machine(of: scratch.paths))
                let mebibytes = "select setting::bigint / 128 from pg_settings where name = 'shared_buffers'"
                #expect(try await scratch.ask(mebibytes, cluster) == "\(ours.sharedBuffersBytes >> 20)")
                #expect(Machine(of: scratch.paths).disk != nil)
                await cluster.close()
            }
        }

        @Test("ALTER SYSTEM wins over the machine, at every start, and the log says so") func alterSystem() async throws
        {
            try await Scratch.with { scratch in
                let lines = Lines()
                var scratch = scratch
                scratch.settings.extra = [:]
                scratch.settings.logger = lines.logger
                scratch.settings.machine = machine(memory: 600 << 20, disk: 40 << 30)
                let first = try await scratch.open()
                _ = try await scratch.ask("alter system set max_wal_size = '333MB'", first)
                _ = try await scratch.ask("alter system set shared_buffers = '20MB'", first)
                await first.close()
                let second = try await scratch.open()
                #expect(try await shown(scratch, second).hasPrefix("20MB|4GB|333MB|8GB|"))
                await second.close()
                let said = lines.all.withLock { $0.filter { $0.contains("has settings for this machine") } }
                #expect(said.count == 2)
                #expect(said.first?.contains(" max_wal_size=4096MB memory=600MB ") == true)
                #expect(said.last?.contains(" max_wal_size=333MB (by the operator) memory=600MB ") == true)
                #expect(said.last?.contains(" shared_buffers=20MB (by the operator)") == true)
            }
        }

        @Test("a line of postgresql.conf that ours override is warned of, and one after ours wins") func mainFile()
            async throws
        {
            try await Scratch.with { scratch in
                let lines = Lines()
                var scratch = scratch
                scratch.settings.extra = [:]
                scratch.settings.logger = lines.logger
                scratch.settings.machine = machine(memory: 600 << 20, disk: 40 << 30)
                await (try await scratch.open()).close()
                #expect(lines.all.withLock { $0.filter { $0.contains("no effect") } } == [])
                let path = "\(scratch.paths.cluster)/postgresql.conf"
                let text = try #require(SmallFile.read(path))
                let edited = "checkpoint_timeout = 7min\n\(text)max_wal_size = 222MB\n"
                try SmallFile.replace(path, with: edited, owner: scratch.user)
                let cluster = try await scratch.open()
                #expect(try await shown(scratch, cluster).hasPrefix("150MB|4GB|222MB|8GB|30min|"))
                await cluster.close()
                let said = lines.all.withLock { $0.filter { $0.contains("no effect") } }
                #expect(said.map { $0.hasSuffix(" setting=checkpoint_timeout value=7min") } == [true])
            }
        }

        @Test("a disk that is nearly full is warned of, and the cluster starts all the same") func tight() async throws
        {
            try await Scratch.with { scratch in
                let lines = Lines()
                var scratch = scratch
                scratch.settings.logger = lines.logger
                scratch.settings.machine = Machine(
                    memoryBytes: 1 << 30, disk: Machine.Disk(totalBytes: 40 << 30, walRoomBytes: 99 << 20))
                let cluster = try await scratch.open()
                #expect(try await scratch.ask("show max_wal_size", cluster) == "128MB")
                await cluster.close()
                #expect(lines.all.withLock { $0.filter { $0.contains("nearly full") } }.count == 1)
            }
        }

        private func machine(memory: Int, disk: Int) -> Machine {
            Machine(memoryBytes: memory, disk: Machine.Disk(totalBytes: disk, walRoomBytes: disk))
        }

        private func shown(_ scratch: Scratch, _ cluster: EmbeddedCluster) async throws -> String {
            let names = [
                "shared_buffers", "effective_cache_size", "max_wal_size", "max_slot_wal_keep_size",
                "checkpoint_timeout", "checkpoint_completion_target", "wal_compression", "jit", "huge_pages",
                "log_checkpoints",
            ]
            let values = names.map { "current_setting('\($0)')" }.joined(separator: ", ")
            return try await scratch.ask("select \(values)", cluster)
        }
    }
}

/// Keeps what is logged.
private final class Lines: Sendable {
    let all = Mutex<[String]>([])
    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
            lines.all.withLock { $0.append("\(event.message)\(fields.joined())") }
        }
    }
}
