import Glibc

// Copies of the cluster's files, from which the archived write-ahead log leads on.
extension EmbeddedCluster {
    /// Prepares an archive's directories: they belong to the user who runs PostgreSQL, and nobody else can read them.
    /// - Parameters:
    ///   - directory: An absolute path; it is made when it is not there.
    ///   - subdirectories: Their names.
    ///   - program: What archives, which that user has to be able to run.
    package static func prepareArchive(
        _ directory: String, _ subdirectories: [String], program: String, _ settings: ClusterSettings
    ) async throws(ClusterError) {
        let user = try ClusterUser.resolve(unprivileged: settings.operatingSystemUser)
        _ = try await DataDirectory.prepare(directory, for: user)
        for name in subdirectories { try user.makeDirectory("\(directory)/\(name)", mayExist: true) }
        guard try await Command("/usr/bin/test", ["-x", program], as: user).run(within: Limits.shortCommand).succeeded
        else { throw .notRunnable(program: program, user: user.name) }
    }

    /// Copies the cluster's files while it runs, compressed, with the part of the log that the copy itself needs.
    /// - Parameter directory: Is made, in a directory of PostgreSQL's user, and holds the copy when this returns. When
    ///   it throws, what is there is to be removed.
    package func copyFiles(to directory: String) async throws {
        let options = [
            "--pgdata=\(directory)", "--format=tar", "--gzip", "--wal-method=stream", "--checkpoint=fast",
            "--manifest-checksums=SHA256", "--host=\(socketDirectory)", "--port=\(SocketDirectory.port)",
            "--username=\(Self.owner)", "--no-password",
        ]
        let program = engine.binaries.program("pg_basebackup")
        guard access(program, X_OK) == 0 else {
            throw ClusterError.noProgram(
                name: "pg_basebackup", major: engine.binaries.major, package: "postgresql-client")
        }
        let arguments = engine.user.arguments(for: program, options)
        try await PipedProgram(name: "pg_basebackup", arguments: arguments).run(.none) { _ in }
    }

    /// Removes a directory of copies and all that is in it.
    package func remove(_ directory: String) async { try? await removeTree(directory, as: engine.user) }

    /// Makes a cluster of a copy of another one's files, and checks every one of them first. It does not start it.
    /// - Parameter copy: What ``copyFiles(to:)`` has made.
    /// - Throws: `.copyDamaged` when the copy is not what it was; nothing is left behind then.
    package static func unpack(_ copy: String, _ settings: ClusterSettings) async throws {
        let user = try ClusterUser.resolve(unprivileged: settings.operatingSystemUser)
        let paths = try await DataDirectory.prepare(settings.dataDirectory, for: user)
        do {
            try user.makeDirectory(paths.unfinished)
            try await unpackFiles(copy, paths, user, settings)
            guard rename(paths.unfinished, paths.cluster) == 0 else {
                throw ClusterError.file("rename", paths.unfinished)
            }
            SmallFile.synchronizeDirectory(paths.data)
        } catch {
            try? await removeTree(paths.unfinished)
            throw error
        }
    }

    private static func unpackFiles(_ copy: String, _ paths: Paths, _ user: ClusterUser, _ settings: ClusterSettings)
        async throws
    {
        let target = paths.unfinished
        for (file, place) in [("base.tar.gz", target), ("pg_wal.tar.gz", "\(target)/pg_wal")] {
            let arguments = user.arguments(
                for: "/usr/bin/tar", ["--extract", "--gzip", "--file=-", "--directory=\(place)", "--no-same-owner"])
            try await feed("\(copy)/\(file)", to: arguments, copy)
        }
        try await feed(
            "\(copy)/backup_manifest",
            to: user.arguments(for: "/usr/bin/dd", ["of=\(target)/backup_manifest", "status=none"]), copy)
        guard let text = SmallFile.read("\(target)/PG_VERSION"), let major = Int(text.prefix(while: \.isNumber)) else {
            throw ClusterError.copyDamaged(directory: copy, lines: "  (it has no readable PG_VERSION)")
        }
        let binaries = try await Binaries.choose(major: major, paths: paths, settings: settings, user: user)
        let check = Command(binaries.program("pg_verifybackup"), ["--quiet", "--exit-on-error", target], as: user)
        let outcome = try await check.run(within: Limits.copying)
        guard outcome.succeeded else {
            throw ClusterError.copyDamaged(directory: copy, lines: ServerLog.last(outcome.output))
        }
        // Without it PostgreSQL would not read the archive.
        try SmallFile.replace("\(target)/recovery.signal", with: "", owner: user)
    }

    /// Runs a program with a file as its input. We open the file, because PostgreSQL's user may not be able to.
    private static func feed(_ file: String, to arguments: [String], _ copy: String) async throws {
        let source = Glibc.open(file, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw ClusterError.file("read", file) }
        defer { Glibc.close(source) }
        do {
            try await PipedProgram(name: arguments.last ?? "", arguments: arguments).run(.input) { input in
                try pump(source, to: input, file)
            }
        } catch ClusterError.programFailed(_, let lines) {
            throw ClusterError.copyDamaged(directory: copy, lines: "  \(file)\n\(lines)")
        }
    }
}

extension EmbeddedCluster {
    /// What tells a cluster from all others, and from itself before it was restored.
    package struct Identity: Sendable, Equatable {
        /// PostgreSQL's number of the cluster, which copies of it share.
        package let system: String
        /// It grows each time a copy is restored from an archive.
        package let timeline: Int
    }

    /// Reads it from the cluster's files, also while no PostgreSQL runs.
    /// - Returns: Nil when there is no cluster yet.
    package static func identity(_ settings: ClusterSettings) async throws(ClusterError) -> Identity? {
        let user = try ClusterUser.resolve(unprivileged: settings.operatingSystemUser)
        let paths = try await DataDirectory.prepare(settings.dataDirectory, for: user)
        guard let major = try Binaries.majorOfCluster(in: paths) else { return nil }
        let binaries = try await Binaries.choose(major: major, paths: paths, settings: settings, user: user)
        let command = Command(binaries.program("pg_controldata"), ["-D", paths.cluster], as: user)
        let outcome = try await command.run(within: Limits.shortCommand)
        func field(_ name: String) -> String? {
            outcome.output.split(separator: "\n").first { $0.hasPrefix("\(name):") }?.split(separator: ":").last?.filter
            { $0 != " " }
        }
        guard let system = field("Database system identifier"),
            let timeline = field("Latest checkpoint's TimeLineID").flatMap({ Int($0) })
        else { throw .programFailed(program: "pg_controldata", lines: ServerLog.last(outcome.output)) }
        return Identity(system: system, timeline: timeline)
    }
}
