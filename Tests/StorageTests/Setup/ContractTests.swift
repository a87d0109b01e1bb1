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

    /// All queries of the server.
    static let queries: [any Query.Type] = [
        ActionNewest.self, CorrectionNewest.self, DeviceUseNote.self, ExportMembers.self, LogActions.self,
        AuditCaps.self, AuditCharityTotals.self, CapsAdd.self, CapsDonated.self, CapsLock.self, CapsReverse.self,
        CapsReversedLock.self, DonationAnonymise.self, DonationChangeable.self, RepairCaps.self,
        AuditDonationStandings.self, AuditDonationTallies.self, AuditLedgers.self, AuditStates.self, AuditFunding.self,
        AuditStandings.self, AuditTallies.self, AuditWallets.self, AvatarPNG.self, AvatarsPNG.self, BestPosts.self,
        BestPostsForget.self, BestPostsNote.self, BestPostsUnread.self, AuditBestPosts.self, RepairBestPosts.self,
        DonationShown.self, BoardAdd.self, BoardFind.self, BoardList.self, BoardSet.self, TalliesLock.self,
        BoardPage.self, BoardPositions.self, BoardPointsPosition.self, BoardReset.self, BoardSeasons.self,
        BoardSize.self, CallerFind.self, CallersIdentify.self, CallersLock.self, PlayerSummaries.self,
        PrimaryPositionRead.self, ReplicaReached.self, PlayerSummariesPage.self, ScoreDetails.self, GamesListed.self,
        CharitiesTop.self, CharityDays.self, CharityGames.self, CharityLargest.self, DonationsNewest.self,
        PlayerGame.self, PlayersNamed.self, CharityAdd.self, CharityClose.self, CharityList.self, CharitySet.self,
        ClassicCaller.self, DemoAvatars.self, DemoBoards.self, DemoCharities.self, DemoCharityTotals.self,
        DemoDonations.self, DemoCopyPlayers.self, DemoScores.self, DemoCopyScoreNotes.self, DemoDonationStandings.self,
        DemoDonationTallies.self, DemoPrecheck.self, DemoStandings.self, DemoTallies.self, DemoWallets.self,
        CodeFind.self, CodeLogNote.self, LogKeyFind.self, CodeMake.self, DeviceClaim.self, DeviceCut.self,
        DeviceJoin.self, DeviceOfToken.self, DeviceRelabel.self, DeviceSeen.self, DevicesOwn.self, ExportCodes.self,
        ExportDonations.self, ExportPlayer.self, ExportReports.self, ExportScores.self, ReportAdd.self,
        TokenRotate.self, UpdatesEnd.self, ForfeitNewest.self, SurvivorsFind.self, PlayersLock.self, QueueItemFind.self,
        QueuePage.self, NameApprove.self, ReportsDismiss.self, ReportsRestore.self, PlayerErase.self,
        LogWordsErase.self, ErasureOfToken.self, ErasureFind.self, ErasuresPage.self, PlayersIdle.self,
        PlayersErased.self, MembersFind.self, MergeFind.self, PlayerMerge.self, PlayerPart.self, WalletRecompute.self,
        HistoryExceeds.self, ActionPatience.self, PlayersMerged.self, ActionFind.self, ActionRead.self,
        PlayerActions.self, ActionUndoable.self, ActionAdd.self, ActionFunding.self, ActionOwners.self,
        DonatedByNameOf.self, MembersThen.self, ActionMovements.self, BansOver.self, HeldFind.self, HeldJudge.self,
        HeldPage.self, HeldOverdue.self, HeldLet.self, BoardsMeasure.self, StandingsCount.self, TalliesCount.self,
        OwnBefore.self, PostsBefore.self, WalletsTime.self, SettlingBefore.self, ScoresHold.self, OwnStanding.self,
        BoardOwnPosition.self, WindowOwnPosition.self, PlayerFound.self, WalletSumsOf.self, ScoresRestate.self,
        ScoreFound.self, ScoreReplace.self, DonationFound.self, DonationReverse.self, PlayerHide.self,
        PlayerRename.self, PictureRefuse.self, ScoreNoteRemove.self, StandingsRecompute.self, TalliesRecompute.self,
        DonationsFund.self, DonationStandingsRecompute.self, DonationTalliesRecompute.self, CharityTotalsLock.self,
        CharityTotalsDate.self, RepairWallets.self, RepairScoreStates.self, RepairDonationStates.self,
        RepairStandings.self, RepairTallies.self, RepairCharityTotals.self, LogLock.self, LogLast.self, LogAdd.self,
        LogWordsAdd.self, LogPage.self, LogChain.self, DeviceRelease.self, GameAdd.self, DonationReceiptFind.self,
        KeyAdd.self, KeyGame.self, KeyList.self, KeyRevoke.self, OwnProfileRow.self, GameList.self, GameSet.self,
        GamesOpen.self, DonationBoardFind.self, MigrationRecord.self, MigrationsApplied.self, MigrationsExist.self,
        MigrationsLock.self, MigrationPatience.self, LockHolders.self, SchemaCompatible.self, RolesMake.self,
        GrantsMake.self, PublicationMake.self, MigrationsTable.self, PlayerBests.self, PlayerDonations.self,
        PlayerDonationsNewer.self, PlayerDonationTotals.self, PlayerProfile.self, PlayerRegister.self,
        PlayerScores.self, PlayerScoresNewer.self, ScoreReceiptFind.self, SecretClaim.self, SecretFingerprint.self,
        DatabaseClockRead.self, DatabaseSettingsRead.self, DatabaseStateRead.self, DatabaseVitalsRead.self,
        DurabilityRead.self, ServerRoleCheck.self, ServerVersion.self, StatisticsRefresh.self, TableSizesRead.self,
        Subscribers.self, BackupSnapshotExport.self, LedgerSums.self, RelationsPresent.self, ArchiverStateRead.self,
        ContentsRead.self, SessionsPresent.self, WindowSize.self, BoardAnonymousSize.self, WindowAnonymousSize.self,
        WindowSpan.self, WindowPointsPosition.self, WindowRows.self, BoardsFollowed.self, PlayersHidden.self,
        SnapshotParameters.self, SnapshotShown.self, SnapshotCommitsOpen.self, MarkerEmit.self, CallersPublished.self,
        TalliesShare.self, WalletsLock.self, LockPatience.self, BoardsRules.self, ScoresBefore.self, ScoresRecall.self,
        DonationsBefore.self, DonationsRecall.self, ScoresAdd.self, ScoreNotesAdd.self, WalletsEarn.self,
        WalletsDonate.self, StandingsPost.self, StandingsDonate.self, TalliesPost.self, TalliesDonate.self,
        WalletsJudged.self, DonationsAdd.self, CharityTotalsAdd.self, AddressesCount.self, AddressesRemove.self,
        PlayersAwait.self, GameLock.self, CharityLock.self, CodeMakePlayer.self, KeySame.self, KeyUseNote.self,
        AdminKeyFind.self, AdminPlayers.self, AdminPlayer.self, AdminLedger.self, AdminDonations.self,
        AdminSubscribers.self, StatsDays.self, SavesOwn.self, SaveVersions.self, SaveFind.self, SavePut.self,
        SaveDelete.self, SavesExported.self, SavesIdle.self, SavesSweep.self, OwnVersions.self, AuditBooks.self,
        BookLock.self, DemoHoldBooks.self, BookPatience.self, BookSpan.self, BookClose.self, BookFind.self,
        BookCharities.self, BookGames.self, SweepLock.self, SweepPatience.self, PicturesIdle.self, PicturesHold.self,
        PicturesSweep.self, CodesSweep.self, ErasedTokensSweep.self, TimedPostsTrim.self, PastPlayers.self,
        PastMove.self,
    ]
}
