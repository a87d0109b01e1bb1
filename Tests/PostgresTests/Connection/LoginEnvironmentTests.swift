import Testing

@testable import Postgres

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
