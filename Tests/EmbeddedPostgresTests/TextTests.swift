import Glibc
import Logging
import Testing

@testable import EmbeddedPostgres

/// Tests that need no PostgreSQL: parsing, quoting, sentences.
@Suite struct TextTests {
    @Test("postmaster.pid is read as far as it is written") func postmasterFile() {
        let file = "4711\n/data/postgres\n1700000000\n5432\n/run/causeboard/x\n\n 123 456\nready   \n"
        let whole = Postmaster(file: file)
        #expect(whole?.pid == 4711 && whole?.socketDirectory == "/run/causeboard/x" && whole?.status == .ready)
        #expect(Postmaster(file: "4711\n/data")?.status == .starting)
        #expect(Postmaster(file: file.replacing("ready", with: "stopping"))?.status == .stopping)
        for broken in ["", "\n", "x\n", "-4711\n/data\n", "99999999999\n"] { #expect(Postmaster(file: broken) == nil) }
    }

    @Test("libpq reads back what was quoted") func conninfo() {
        #expect(
            Conninfo.text(["host": "/a b", "user": "o'neil", "dbname": #"c:\d"#])
                == #"host='/a b' user='o\'neil' dbname='c:\\d'"#)
        #expect(Conninfo.quoted("") == "''")
    }

    @Test("settings are quoted for postgresql.conf, extra ones win, and the demands come last") func configuration() {
        var settings = ClusterSettings(dataDirectory: "/d", logger: Logger(label: "test"))
        settings.extra = [
            "max_connections": "7", "wal_level": "minimal", "cluster_name": #"it's\"#, "shared_buffers": "9MB",
        ]
        let sizing = Sizing(Machine(memoryBytes: 4 << 30, disk: nil))
        let text = Configuration(settings: settings, sizing: sizing, socketDirectory: "/s").text
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first { $0.hasPrefix("shared_buffers ") } == "shared_buffers = '1024MB'")
        #expect(lines.last { $0.hasPrefix("shared_buffers ") } == "shared_buffers = '9MB'")
        #expect(lines.contains(#"cluster_name = 'it''s\\'"#))
        #expect(lines.last { $0.hasPrefix("max_connections ") } == "max_connections = '7'")
        #expect(lines.last { $0.hasPrefix("wal_level ") } == "wal_level = 'logical'")
        #expect(!lines.contains { $0.hasPrefix("fsync") })
    }

    @Test("a socket directory is short for any data directory, and differs from one to the next")
    func socketDirectories() {
        let long = Paths(data: "/" + String(repeating: "x", count: 4000))
        let paths = [long, Paths(data: "/a"), Paths(data: "/b")].map {
            SocketDirectory.path(for: $0, runtimeDirectory: "/nowhere/at/all")
        }
        #expect(Set(paths).count == 3)
        let place = geteuid() == 0 ? "/run/causeboard/" : "/tmp/causeboard-\(geteuid())-"
        #expect(paths.allSatisfy { $0.hasPrefix(place) && SocketDirectory.socket(in: $0).utf8.count <= 107 })
    }

    @Test(
        "root's own runtime directory is no place for the socket, because the cluster's user cannot enter it",
        .enabled(if: geteuid() == 0)) func runtimeDirectoryOfRoot() throws
    {
        var pattern = Array("/tmp/causeboard-runtime-XXXXXX".utf8CString)
        let closed = String(cString: try #require(mkdtemp(&pattern)))  // 0700
        defer { rmdir(closed) }
        #expect(SocketDirectory.path(for: Paths(data: "/a"), runtimeDirectory: closed).hasPrefix("/run/causeboard/"))
    }

    @Test("a database of a version that is not here is told how to come to a newer one, and never to an older one")
    func upgrade() {
        let other = MajorVersionMismatch(
            cluster: "/it's/postgres", made: 15, installed: [17: "/usr/lib/postgresql/17/bin"], user: "postgres")
        #expect(other.description.contains("apt-get install postgresql-15"))
        #expect(other.description.contains("To move to PostgreSQL 17 instead"))
        #expect(other.description.contains("`causeboard upgrade`"))
        let older = MajorVersionMismatch(
            cluster: "/d/postgres", made: 18, installed: [15: "/usr/lib/postgresql/15/bin"], user: "postgres")
        #expect(older.description.contains("postgresql-18") && !older.description.contains("upgrade"))
    }

    @Test("a disk that is full is called so") func fullDisk() {
        let error = ClusterError.programFailed(
            program: "initdb", lines: "initdb: error: could not write: No space left on device")
        #expect("\(error)".contains("The disk is full"))
        let said = "Cannot write /d/x: No space left on device. Make room on that disk and start again."
        #expect("\(ClusterError.file("write", "/d/x", code: ENOSPC))" == said)
    }

    @Test("shared memory that is full is no full disk") func fullSharedMemory() {
        let segment = #"could not resize shared memory segment "/PostgreSQL.3871" to 1048576 bytes"#
        let line = "FATAL:  \(segment): No space left on device"
        let error = "\(ClusterError.startFailed(log: "/d/postgres.log", lines: line))"
        #expect(error.contains("/dev/shm is full or too small") && error.contains("--shm-size"))
        #expect(!error.contains("The disk is full"))
        // With dynamic_shared_memory_type = mmap the segments are files of the data directory.
        let file = line.replacing("/PostgreSQL.3871", with: "pg_dynshmem/mmap.3871")
        #expect("\(ClusterError.startFailed(log: "/d/postgres.log", lines: file))".contains("The disk is full"))
    }

    @Test("a log that grows too large is moved aside, and an open writer goes on at the new end") func boundedLog()
        async throws
    {
        try await Scratch.with { scratch in
            let log = ServerLog(path: "\(scratch.root)/log")
            let writer = try log.open()
            defer { close(writer) }
            for line in 1...100 { _ = write(writer, "line \(line)\n", "line \(line)\n".utf8.count) }
            log.bound(bytesMax: 1_000)
            #expect(log.bytes == 792)
            log.bound(bytesMax: 200)
            #expect(log.bytes == 0)
            #expect(SmallFile.read("\(log.path).1")?.hasSuffix("line 100\n") == true)
            _ = write(writer, "new\n", 4)
            #expect(log.lines(since: 0) == "  new")
        }
    }

    @Test("locks exclude each other inside one process too, and are free when their holder is gone") func locks()
        async throws
    {
        try await Scratch.with { scratch in
            let path = "\(scratch.root)/lock"
            let other = try FileLock(path: path)
            do {
                let role = try FileLock(path: path)
                #expect(role.attempt(.exclusive))
                role.sign()
                #expect(!other.attempt(.shared) && other.signature == getpid())
            }
            #expect(other.attempt(.exclusive))
        }
    }

    @Test("a program that takes too long is ended, and a daemon that keeps its output open is not waited for")
    func commands() async throws {
        let ourselves = ClusterUser(name: "", id: geteuid(), group: getegid(), isAnother: false)
        let slow = try await Command("/usr/bin/sleep", ["60"], as: ourselves).run(within: .milliseconds(100))
        #expect(!slow.succeeded && slow.output.contains("stopped after"))
        let daemon = try await Command("/bin/sh", ["-c", "sleep 5 & echo said; exit 3"], as: ourselves).run(
            within: .seconds(4))
        #expect(!daemon.succeeded && daemon.output == "said\n")
    }
}
