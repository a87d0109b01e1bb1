import Domain
import Logging
import Postgres
import Statements
import TestDatabases
import Testing

@testable import Storage

@Suite struct ContractTests {
    @Test("every statement prepares and takes the parameters that its header says") func headers() async throws {
        try await withTestDatabase { database async throws in
            let violations = try await StatementContract.violations(database.owner, logger: .none)
            #expect(violations == [])
            #expect(StatementContract.count == SQL.all.count)
        }
    }

    @Test("a header is read in the order of its numbers, and prose that mentions a parameter is none")
    func readsHeaders() {
        let text = """
            -- example: what it is for; it costs no $ and ends with $2.
            -- $1 bigint board   $2 date first day, as in $1   $3 text[] names
            select $1, $2, $3
            -- $4 int is no header any more
            """
        #expect(StatementContract.parameters(ofHeader: text) == ["bigint", "date", "text[]"])
    }

    @Test(
        "a header that is wrong does not say what PostgreSQL says",
        arguments: ["-- x: none", "-- x: $1 int", "-- x: $1 bigint   $2 int", "-- x: $2 bigint", "-- x: $1 bigint[]"])
    func wrongHeader(header: String) {
        #expect(StatementContract.parameters(ofHeader: "\(header)\nselect $1::bigint") != ["bigint"])
    }

    @Test("every statement has one query, or two queries would differ in their binds") func queries() {
        // The copies of the standings have rows of their own kind.
        let texts = Self.queries.map { $0.sql.description } + [SQL.seasonCopy, SQL.windowCopy].map(\.description)
        #expect(Set(texts).count == texts.count)
        let known = Set(texts)
        #expect(SQL.all.filter { !known.contains($0.text.description) }.map(\.name) == [])
        #expect(texts.count == SQL.all.count)
    }

    /// All queries of the server: those made of the headers, and those that are written by hand.
    static let queries: [any Query.Type] =
        GeneratedQueries.all + [
            DeviceUseNote.self, CapsAdd.self, CapsDonated.self, CapsReverse.self, CapsReversedLock.self,
            DonationAnonymise.self, DonationChangeable.self, AvatarImage.self, BestPostsForget.self, DonationShown.self,
            BoardPage.self, CallerFind.self, CallersIdentify.self, CallersLock.self, ReplicaReached.self,
            ScoreDetails.self, ClassicCaller.self, DemoAvatars.self, DemoDonations.self, DemoScores.self,
            DeviceClaim.self, DeviceCut.self, DeviceJoin.self, DeviceSeen.self, ExportReports.self, ReportAdd.self,
            TokenRotate.self, TeamRows.self, QueuePage.self, PlayerErase.self, ErasuresPage.self, PlayerActions.self,
            ActionAdd.self, DonatedByNameOf.self, HeldJudge.self, HeldPage.self, HeldOverdue.self, HeldLet.self,
            ResultsCount.self, WalletsTime.self, ScoresHold.self, OwnStanding.self, BoardOwnPosition.self,
            WindowOwnPosition.self, PlayerFound.self, ScoresRestate.self, ScoreFound.self, ScoreReplace.self,
            DonationReverse.self, PlayerRename.self, ScoreNoteRemove.self, LogLast.self, LogAdd.self, LogWordsAdd.self,
            LogPage.self, LogChain.self, KeyAdd.self, KeyGame.self, MigrationRecord.self, PlayerDonations.self,
            PlayerRegister.self, PlayerScores.self, SecretClaim.self, WindowSize.self, WindowAnonymousSize.self,
            WindowSpan.self, WindowPointsPosition.self, WindowRows.self, CountryRows.self, SnapshotParameters.self,
            BoardsRules.self, ScoresBefore.self, ScoresRecall.self, DonationsBefore.self, DonationsRecall.self,
            ScoresAdd.self, ScoreNotesAdd.self, WalletsEarn.self, WalletsDonate.self, StandingsPost.self,
            StandingsDonate.self, TalliesPost.self, TalliesDonate.self, WalletsJudged.self, DonationsAdd.self,
            CharityTotalsAdd.self, KeySame.self, AdminPlayers.self, AdminLedger.self, AdminDonations.self,
            StatsDays.self, SaveFind.self, SavePut.self, SaveDelete.self, SavesExported.self, OwnVersions.self,
            BookSpan.self, BookClose.self, PicturesIdle.self, PlanPut.self, PlanEnd.self, SeasonWinners.self,
        ]
}
