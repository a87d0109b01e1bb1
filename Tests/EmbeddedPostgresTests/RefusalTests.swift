import Glibc
import Testing

@testable import EmbeddedPostgres

extension ClusterTests {
    @Suite struct RefusalTests {
        @Test("a cluster of a major version that is not installed is refused with the ways out") func otherMajor()
            async throws
        {
            try await Scratch.with { scratch in
                try scratch.fakeCluster(version: "14\n")
                let said = await sentence { _ = try await scratch.open() }
                #expect(said.contains("PostgreSQL 14") && said.contains("apt-get install postgresql-14"))
                #expect(said.contains("`causeboard upgrade`"))
            }
        }

        @Test("what is not a cluster is not overwritten") func notACluster() async throws {
            try await Scratch.with { scratch in
                try scratch.fakeCluster(version: "letters\n")
                #expect(await sentence { _ = try await scratch.open() }.contains("is not a PostgreSQL cluster"))
            }
        }

        @Test("a fresh volume that is mounted at the cluster's own path is refused with the path to mount it at")
        func mountPoint() async throws {
            try await Scratch.with { scratch in
                try scratch.fakeCluster(version: nil)
                try #require(mkdir("\(scratch.paths.cluster)/lost+found", 0o700) == 0)
                let said = await sentence { _ = try await scratch.open() }
                #expect(said.contains("empty mount point") && said.contains("at \(scratch.paths.data) instead"))
            }
        }

        @Test("a fresh volume that is mounted at the data directory is taken") func freshVolume() async throws {
            try await Scratch.with { scratch in
                try #require(mkdir(scratch.settings.dataDirectory, 0o711) == 0)
                try #require(mkdir("\(scratch.settings.dataDirectory)/lost+found", 0o700) == 0)
                await (try scratch.open()).close()
            }
        }

        @Test("no programs: the sentence says where it looked and what to install") func noBinaries() async throws {
            try await Scratch.with { scratch in
                var settings = scratch.settings
                settings.binariesDirectory = scratch.root
                let said = await sentence { _ = try await EmbeddedCluster.open(settings, as: .visitor) }
                #expect(said.contains(scratch.root) && said.contains("apt-get install postgresql"))
            }
        }

        @Test("a data directory that others may write into is refused") func wrongMode() async throws {
            try await Scratch.with { scratch in
                try #require(mkdir(scratch.settings.dataDirectory, 0o711) == 0)
                chmod(scratch.settings.dataDirectory, 0o777)
                #expect(await sentence { _ = try await scratch.open() }.contains("chmod go-w"))
            }
        }

        @Test(
            "a data directory that is a file, has no name, or breaks the line is refused",
            arguments: ["file", "", "a\nb"]) func unusable(name: String) async throws
        {
            try await Scratch.with { scratch in
                var settings = scratch.settings
                settings.dataDirectory = name.isEmpty ? "" : "\(scratch.root)/\(name)"
                try SmallFile.replace("\(scratch.root)/file", with: "", owner: scratch.ourselves)
                #expect(
                    await sentence { _ = try await EmbeddedCluster.open(settings, as: .server) }.contains(
                        "cannot be used"))
            }
        }

        @Test("root is told which directory PostgreSQL's user cannot enter", .enabled(if: geteuid() == 0))
        func unreachable() async throws {
            try await Scratch.with("closed/data") { scratch in
                try #require(mkdir("\(scratch.root)/closed", 0o700) == 0)
                let said = await sentence { _ = try await scratch.open() }
                #expect(
                    said.contains("cannot enter \(scratch.root)/closed, so") && said.contains("/var/lib/causeboard"))
            }
        }

        @Test("a data directory of somebody else is refused", .enabled(if: geteuid() == 0)) func wrongOwner()
            async throws
        {
            try await Scratch.with { scratch in
                try #require(mkdir(scratch.settings.dataDirectory, 0o755) == 0)
                let other = scratch.user
                try #require(chown(scratch.settings.dataDirectory, other.id, other.group) == 0)
                #expect(
                    await sentence { _ = try await scratch.open() }.contains(
                        "belongs to \(other.name) and has to belong to root"))
            }
        }

        @Test("a planted socket directory is refused", arguments: ["link", "file", "mode", "owner"]) func planted(
            how: String
        ) async throws {
            try await Scratch.with { scratch in
                let path = SocketDirectory.path(for: scratch.paths, runtimeDirectory: nil)
                if geteuid() == 0 { mkdir("/run/causeboard", 0o755) }
                switch how {
                case "link": try #require(symlink(scratch.root, path) == 0)
                case "file": try SmallFile.replace(path, with: "", owner: scratch.ourselves)
                case "mode":
                    try #require(mkdir(path, 0o700) == 0)
                    chmod(path, 0o755)
                default:
                    if geteuid() != 0 { return }  // only root can give a directory away
                    try #require(mkdir(path, 0o700) == 0 && chown(path, 65_534, 65_534) == 0)
                }
                let said = await sentence { _ = try await scratch.open() }
                unlink(path)
                #expect(said.contains(path) && said.contains("is not safe to use"))
                #expect(scratch.postmaster == nil)
            }
        }

        @Test("a postmaster on a socket that is not ours is named, not used") func foreignPostmaster() async throws {
            try await Scratch.with { scratch in
                let cluster = try await scratch.open()
                await cluster.close()
                let port = 40_000 + getpid() % 20_000
                let options = ["-D", scratch.paths.cluster, "-c", "unix_socket_directories=/tmp", "-c", "port=\(port)"]
                let log = try cluster.engine.log.open()
                defer { close(log) }
                let program = cluster.engine.binaries.program("postgres")
                let foreign = try Child.spawn(scratch.user.arguments(for: program, options), output: log)
                #expect(await eventually { Postmaster.find(scratch.paths, user: scratch.user)?.status == .ready })
                #expect(
                    await sentence { _ = try await scratch.open() }.contains(
                        "pid \(foreign.pid)), but not as Causeboard starts it"))
                kill(foreign.pid, SIGINT)
                #expect(await eventually { foreign.ending() != nil })
            }
        }

        @Test("a name that is no setting is refused before anything starts") func invalidSetting() async throws {
            try await Scratch.with { scratch in
                var settings = scratch.settings
                settings.extra["a = 1\nlisten_addresses"] = "*"
                #expect(
                    await sentence { _ = try await EmbeddedCluster.open(settings, as: .server) }.contains(
                        "is not the name of"))
            }
        }
    }
}
