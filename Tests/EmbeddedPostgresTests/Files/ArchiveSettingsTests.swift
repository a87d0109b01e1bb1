import Testing

@testable import EmbeddedPostgres

@Suite struct ArchiveSettingsTests {
    @Test("a path with anything in it is one word of the shell, in which PostgreSQL finds nothing of its own")
    func quoting() {
        let settings = ArchiveSettings(program: "/opt/my cause'board", directory: "/mnt/100%f")
        #expect(settings.command == #"'/opt/my cause'\''board' archive-file --to '/mnt/100%%f' %p %f"#)
        #expect(
            ArchiveSettings.restoreCommand(program: "/opt/cb", directory: "/mnt/a b")
                == "'/opt/cb' archive-fetch --from '/mnt/a b' %f %p")
    }

    @Test("a visitor goes on with what the last server archived, and a server without it ends it") func kept()
        async throws
    {
        try await Scratch.with { scratch async throws in
            let paths = Paths(data: scratch.root)
            let wanted = ArchiveSettings(program: "/opt/cb", directory: "/mnt/wal")
            #expect(try ArchiveSettings.kept(nil, as: .visitor, paths) == nil)
            #expect(try ArchiveSettings.kept(wanted, as: .server, paths) == wanted)
            #expect(try ArchiveSettings.kept(nil, as: .visitor, paths) == wanted)
            #expect(try ArchiveSettings.kept(nil, as: .server, paths) == nil)
            #expect(try ArchiveSettings.kept(nil, as: .visitor, paths) == nil)
        }
    }

    @Test("a postmaster that recovers is ready for readers alone") func standby() {
        let file = "42\n/data\n1700000000\n5432\n/run/x\n\n  1 2\n"
        #expect(Postmaster(file: file + "standby \n")?.isStandby == true)
        #expect(Postmaster(file: file + "ready   \n")?.isStandby == false)
    }
}
