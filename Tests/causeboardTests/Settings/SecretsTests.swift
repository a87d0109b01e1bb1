import Foundation
import Testing

@testable import causeboard

/// Secrets that others on the machine could read: in arguments and in files.
@Suite struct SecretsTests {
    @Test("only the options with a password are named") func arguments() {
        let url = "postgresql://ada:hush@db.invalid/game"
        let cases: [([String], [String])] = [
            (["serve", "--database-url", url], ["--database-url"]),
            (["serve", "--stream-url=\(url)"], ["--stream-url"]),
            (["move", "--to", "host=db.invalid password=hush"], ["--to"]), (["serve", url], ["an argument"]),
            (["serve", "--database-url", "postgresql://ada@db.invalid/game"], []),
            (["serve", "--public-url", "https://ada:hush@scores.example.org"], []),
            (["game", "add", "a=b", "--name", "password"], []), ([], []),
            (["serve", "--database-url", url, "--replica-url=\(url)"], ["--database-url", "--replica-url"]),
        ]
        for (arguments, options) in cases {
            #expect(PasswordArguments.options(in: ["causeboard"] + arguments) == options, "\(arguments)")
        }
    }

    @Test("a secret file may be read by its owner only, or by one group if it is root's") func modes() {
        let cases: [(mode_t, owner: uid_t, group: gid_t, says: String?)] = [
            (0o600, 1_000, 1_000, nil), (0o400, 0, 0, nil), (0o640, 0, 112, nil), (0o440, 0, 112, nil),
            (0o644, 1_000, 1_000, "every user of this machine can read it. Run: chmod 600 f"),
            (0o666, 1_000, 1_000, "every user of this machine can change it. Run: chmod 600 f"),
            (0o644, 0, 112, "every user of this machine can read it. Run: chmod 640 f"),
            (0o644, 0, 0, "every user of this machine can read it. Run: chmod 600 f"),
            (0o640, 1_000, 1_000, "its group can read it. Run: chmod 600 f"),
            (0o660, 0, 112, "its group can change it. Run: chmod 640 f"),
            (0o604, 0, 0, "every user of this machine can read it. Run: chmod 600 f"),
        ]
        for (mode, owner, group, says) in cases {
            let trouble = SecretFiles.trouble("f", mode: S_IFREG | mode, owner: owner, group: group)
            #expect(trouble == says, "\(String(mode, radix: 8)) \(owner):\(group)")
        }
    }

    @Test("a settings file is secret if it has a secret or a password") func settings() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let cases = [
            ("CAUSEBOARD_PORT=8080\nCAUSEBOARD_PUBLIC_URL=https://x.example\n", false),
            ("DATABASE_URL=postgresql://ada@db.invalid/game\n", false), ("CAUSEBOARD_SECRET=\n", false),
            ("#CAUSEBOARD_SECRET=5e\n", false), ("CAUSEBOARD_PORT=1\r\nCAUSEBOARD_SECRET=5e\r\n", true),
            ("CAUSEBOARD_STREAM_URL=postgresql://ada:x@db.invalid/game", true),
        ]
        for (text, isSecret) in cases {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try SettingsFile(file).holdsSecrets == isSecret, "\(text)")
        }
    }

    @Test("browsers are told to use https only if it has its standard port") func standardPort() {
        for (url, isStandard) in [
            ("https://scores.example.org", true), ("https://scores.example.org:443/x", true),
            ("https://[2001:db8::1]", true), ("https://scores.example.org:8443", false),
            ("http://scores.example.org", false), ("http://scores.example.org:443", false),
        ] { #expect(PublicURL.isAtStandardPort(url) == isStandard, "\(url)") }
    }
}
