import ArgumentParser
import Configuration
import HTTP

/// The options of `serve` about the database's disk space.
struct RoomOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Space on the database's disk that only scores and donations may use, in MiB; 0 for none. \
            CAUSEBOARD_DISK_RESERVE; a tenth of the disk, 2048 at most.
            """, valueName: "MiB")) var diskReserve: Int?

    @Option(
        help: ArgumentHelp(
            """
            How large the database may get, in MiB. A server cannot see the disk of a database elsewhere, so without \
            this option there is no reserve there. CAUSEBOARD_DATABASE_MAX.
            """, valueName: "MiB")) var databaseMax: Int?
}

/// The values of ``RoomOptions``, or else of the environment or the settings file.
struct RoomSettings: Sendable {
    let reserve: DiskReserveRule
    /// Nil for no bound.
    let databaseBytesMax: Int64?

    init(_ settings: Settings, _ options: RoomOptions?) throws {
        func bytes(_ flag: Int?, _ key: ConfigKey, _ label: String) throws -> Int64? {
            guard flag != nil || settings.text(nil, key) != nil else { return nil }
            return Int64(try settings.number(flag, key, named: label, in: 0...1 << 30, standard: 0)) << 20
        }
        reserve = DiskReserveRule(
            bytes: try bytes(
                options?.diskReserve, "causeboard.disk.reserve", "--disk-reserve (CAUSEBOARD_DISK_RESERVE)"))
        databaseBytesMax = try bytes(
            options?.databaseMax, "causeboard.database.max", "--database-max (CAUSEBOARD_DATABASE_MAX)")
    }
}
