import Glibc
import Logging

extension Engine {
    /// Makes the cluster under another name and renames it when it is complete. First it removes what an earlier
    /// attempt has left.
    func make() async throws(ClusterError) {
        logger.info(
            "making the embedded database",
            metadata: ["directory": "\(paths.cluster)", "postgresql": "\(binaries.major)"])
        try await removeTree(paths.unfinished)
        try user.makeDirectory(paths.unfinished)
        let options = InitdbOptions.all(directory: paths.unfinished, durable: settings.durable)
        let outcome = try await Command(binaries.program("initdb"), options, as: user).run(within: Limits.initdb)
        guard outcome.succeeded else { throw .programFailed(program: "initdb", lines: ServerLog.last(outcome.output)) }
        if Task.isCancelled { throw .cancelled }

        guard rename(paths.unfinished, paths.cluster) == 0 else { throw .file("rename", paths.unfinished) }
        if settings.durable { SmallFile.synchronizeDirectory(paths.data) }
    }

    /// Writes the configuration for the next start, for the machine as it is now.
    func configure(socketDirectory: String) throws(ClusterError) {
        let machine = settings.machine ?? Machine(of: paths)
        let configuration = Configuration(settings: settings, sizing: Sizing(machine), socketDirectory: socketDirectory)
        try SmallFile.replace("\(paths.cluster)/\(Configuration.name)", with: configuration.text, owner: user)
        try SmallFile.replace("\(paths.cluster)/pg_hba.conf", with: Configuration.access, owner: user)
        // A base backup and an operator may bring another postgresql.conf, so this is checked every time.
        let main = "\(paths.cluster)/postgresql.conf"
        guard var lines = SmallFile.read(main) else { throw .file("read", main) }
        if !SmallFile.lines(lines).contains(Substring(Configuration.include)) {
            lines += "\n\(Configuration.include)\n"
            try SmallFile.replace(main, with: lines, owner: user)
        }
        let automatic = SmallFile.read("\(paths.cluster)/postgresql.auto.conf") ?? ""
        report(configuration, for: machine, beside: OperatorSettings(main: lines, automatic: automatic))
    }

    /// Logs the derived settings, those that the operator has replaced, and the operator's that have no effect.
    private func report(_ configuration: Configuration, for machine: Machine, beside given: OperatorSettings) {
        var about: Logger.Metadata = ["memory": "\(machine.memoryBytes >> 20)MB"]
        if let disk = machine.disk {
            about["disk"] = "\(disk.totalBytes >> 20)MB"
            about["room_for_log"] = "\(disk.walRoomBytes >> 20)MB"
        }
        if configuration.sizing.isDiskTight {
            logger.warning(
                "the disk of the embedded database is nearly full; make room, because a full disk stops all writes",
                metadata: about)
        }
        for (name, value) in configuration.sizing.settings {
            about[name] = "\(given.winning[name].map { "\($0) (by the operator)" } ?? value)"
        }
        logger.info("the embedded database has settings for this machine", metadata: about)
        for (name, _) in configuration.defaults {
            guard let value = given.overridden[name] else { continue }
            logger.warning(
                "a line of postgresql.conf has no effect; set it with `alter system` instead, which wins",
                metadata: ["setting": "\(name)", "value": "\(value)"])
        }
    }

    /// Makes the database when it does not exist.
    func ensureDatabase(_ name: String, socketDirectory: String) async throws(ClusterError) {
        let target = EmbeddedCluster.conninfo(
            socketDirectory: socketDirectory, login: EmbeddedCluster.owner, database: name)
        let probe = try await Command(
            binaries.program("psql"), ["--no-psqlrc", "--dbname=\(target)", #"--command=\q"#], as: user
        ).run(within: Limits.shortCommand)
        if probe.succeeded { return }
        let options = [
            "--host=\(socketDirectory)", "--port=\(SocketDirectory.port)", "--username=\(EmbeddedCluster.owner)", "--",
            name,
        ]
        let creation = try await Command(binaries.program("createdb"), options, as: user).run(
            within: Limits.shortCommand)
        guard creation.succeeded else {
            throw .programFailed(program: "createdb", lines: ServerLog.last(probe.output + "\n" + creation.output))
        }
    }
}

/// The options of `initdb`.
enum InitdbOptions {
    /// The options that stay fixed for a cluster's life.
    ///
    /// Text sorts by bytes, which is fast, and no update of the system's locales can corrupt an index. Upper and lower
    /// case follow Unicode.
    static let fixed = ["--data-checksums", "--encoding=UTF8", "--locale=C", "--lc-ctype=C.UTF-8"]

    /// - Parameter durable: false leaves out the `fsync` of every file.
    static func all(directory: String, durable: Bool) -> [String] {
        ["--pgdata=\(directory)", "--username=\(EmbeddedCluster.owner)", "--auth=trust"] + fixed
            + (durable ? [] : ["--no-sync"])
    }
}
