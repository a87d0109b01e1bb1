import Testing

@testable import Postgres

@Suite struct SeparatedLoginTests {
    @Test(
        "passwords go to the environment, and everything else stays as it was",
        arguments: [
            ("postgresql://ada:s%27ecret@db.invalid/game", "user='ada' dbname='game' host='db.invalid'", ["s'ecret"]),
            ("host=/run/x user=ada", "user='ada' host='/run/x'", []),
            (#"host='/a b\'c' password='x y' sslpassword=hush"#, #"host='/a b\'c'"#, ["x y"]),
            (
                "postgresql://ada@one,two/game?password=p",
                "user='ada' dbname='game' host='one,two' port=',' target_session_attrs=read-write", ["p"]
            ),
        ]) func separates(text: String, conninfo: String, passwords: [String]) throws
    {
        let login = try #require(SeparatedLogin(text))
        #expect(Set(login.conninfo.split(separator: "' ")) == Set(conninfo.split(separator: "' ")))
        #expect(login.environment == passwords.map { "PGPASSWORD=\($0)" })
        #expect(!login.conninfo.contains("hush"))
    }

    @Test("a password is found anywhere in a connection string") func passwords() {
        for text in [
            "postgresql://ada:x@db.invalid/game", "postgres://ada@db.invalid/game?password=x", "user=ada password=x",
            "postgresql:///game?sslpassword=x",
        ] { #expect(SeparatedLogin(text)?.hasPassword == true, "\(text)") }
        for text in ["postgresql://ada@db.invalid/game", "postgresql://ada:@db.invalid/game", "user=password", ""] {
            #expect(SeparatedLogin(text)?.hasPassword == false, "\(text)")
        }
    }

    @Test("what libpq does not take is none") func refuses() {
        #expect(SeparatedLogin("postgresql://[") == nil)
        #expect(SeparatedLogin("no such=thing") == nil)
    }
}

/// The environment itself stays as it is, because other tests connect meanwhile.
@Suite struct LoginEnvironmentTests {
    @Test("variables of libpq count, but for the places of files") func names() {
        let entries = [
            "PGSERVICE=x", "HOME=/root", "PGSERVICEFILE=/x", "PGOPTIONS=-c a=b", "CAUSEBOARD_PG_BIN=/x",
            "PGSYSCONFDIR=/x", "PAGER=less", "PGAPPNAME",
        ]
        #expect(LoginEnvironment.names(in: entries) == ["PGAPPNAME", "PGOPTIONS", "PGSERVICE"])
    }

    @Test("a connection string takes along what the environment adds, and its own words win") func completed() throws {
        func completed(_ text: String) -> String {
            LoginEnvironment.completed(text) { ["PGKRBSRVNAME": "it's", "PGPASSWORD": "hush", "PGUSER": "eve"][$0] }
        }
        let login = try #require(SeparatedLogin(completed("postgresql://ada@db.invalid/game")))
        #expect(login.environment == ["PGPASSWORD=hush"])
        #expect(login.conninfo.contains(#"krbsrvname='it\'s'"#))
        #expect(login.conninfo.contains("user='ada'") && login.conninfo.contains("host='db.invalid'"))
        #expect(completed("krbsrvname=own").contains("krbsrvname='own'"))
        #expect(completed("no such = option") == "no such = option")
    }
}
