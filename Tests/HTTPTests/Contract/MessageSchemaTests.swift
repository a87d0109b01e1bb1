import enum Contract.Keys
import protocol Contract.MessageKey
import struct Contract.Ranking
import enum Contract.Reply
import Domain
import Feeds
import FoundationEssentials
import Testing

@testable import HTTP

/// The types in `Contract`, compared with the schemas of the OpenAPI document.
@Suite struct MessageSchemaTests {
    @Test("each reply has the members of its schema, and clients can read what the schema allows") func replies() throws
    {
        try check(Reply.Player.self, Reply.Player.CodingKeys.self, "Player")
        try check(Reply.Registered.self, Reply.Registered.CodingKeys.self, "Registered")
        try check(Reply.Profile.self, Reply.Profile.CodingKeys.self, "OwnProfile")
        try check(
            Reply.Profile.Donations.self, Reply.Profile.Donations.CodingKeys.self, "OwnProfile", "properties", "gifts",
            "items")
        try check(
            Reply.SlotContents.self, Reply.SlotContents.CodingKeys.self, "OwnProfile", "properties", "saves", "items")
        try check(Reply.Device.self, Reply.Device.CodingKeys.self, "Device")
        try check(Reply.OpenCode.self, Reply.OpenCode.CodingKeys.self, "OpenCode")
        try check(Reply.Friend.self, Reply.Friend.CodingKeys.self, "Friend")
        try check(Reply.FriendList.self, Reply.FriendList.CodingKeys.self, "FriendList")
        try check(
            Reply.BlockedPlayer.self, Reply.BlockedPlayer.CodingKeys.self, "FriendList", "properties", "blocked",
            "items")
        try check(Reply.FriendMade.self, Reply.FriendMade.CodingKeys.self, "FriendMade")
        try check(Reply.FriendState.self, Reply.FriendState.CodingKeys.self, "FriendState")
        try check(Reply.LinkedIdentity.self, Reply.LinkedIdentity.CodingKeys.self, "LinkedIdentity")
        try check(Reply.TeamMembership.self, Reply.TeamMembership.CodingKeys.self, "TeamMembership")
        try check(Reply.TeamMember.self, Reply.TeamMember.CodingKeys.self, "TeamMember")
        try check(Reply.OwnTeam.self, Reply.OwnTeam.CodingKeys.self, "OwnTeam")
        try check(Reply.OwnPlan.self, Reply.OwnPlan.CodingKeys.self, "OwnPlan")
        try check(Reply.PlanShare.self, Reply.PlanShare.CodingKeys.self, "PlanShare")
        try check(Reply.PlanRun.self, Reply.PlanRun.CodingKeys.self, "PlanRun")
        try check(Reply.PlanDonation.self, Reply.PlanDonation.CodingKeys.self, "PlanDonation")
        try check(Reply.SkippedShare.self, Reply.SkippedShare.CodingKeys.self, "SkippedShare")
        try check(Reply.PlanPreview.self, Reply.PlanPreview.CodingKeys.self, "PlanPreview")
        try check(Reply.PlanPart.self, Reply.PlanPart.CodingKeys.self, "PlanPart")
        try check(Reply.PlanNotice.self, Reply.PlanNotice.CodingKeys.self, "OwnProfile", "properties", "plan")
        try check(Reply.Team.self, Reply.Team.CodingKeys.self, "Team")
        try check(Reply.Challenge.self, Reply.Challenge.CodingKeys.self, "Challenge")
        try check(Reply.Challenge.Entrant.self, Reply.Challenge.Entrant.CodingKeys.self, "Entrant")
        try check(
            Reply.ChallengeNotice.self, Reply.ChallengeNotice.CodingKeys.self, "OwnProfile", "properties", "challenges",
            "items")
        try check(Reply.Campaign.self, Reply.Campaign.CodingKeys.self, "Campaign")
        try check(
            Reply.Milestone.self, Reply.Milestone.CodingKeys.self, "Campaign", "properties", "milestones", "items")
        try check(Reply.Cohort.self, Reply.Cohort.CodingKeys.self, "Cohort")
        try check(Reply.PastScore.self, Reply.PastScore.CodingKeys.self, "PastScore")
        try check(Reply.PastDonation.self, Reply.PastDonation.CodingKeys.self, "PastGift")
        try check(Reply.ScoreReceipt.self, Reply.ScoreReceipt.CodingKeys.self, "ScoreResult")
        // The receipt of a donation, which GET answers with, tells more of its own.
        try check(Reply.DonationReceipt.self, Reply.DonationReceipt.CodingKeys.self, "DonationResult")
        try check(Reply.RankPosition.self, Reply.RankPosition.CodingKeys.self, "Place")
        try check(Reply.PointsPosition.self, Reply.PointsPosition.CodingKeys.self, "PointsPlace")
        try check(Reply.BoardSettings.self, Reply.BoardSettings.CodingKeys.self, "Board")
        try check(Reply.Charity.self, Reply.Charity.CodingKeys.self, "Charity")
        try check(Reply.SaveSummary.self, Reply.SaveSummary.CodingKeys.self, "SaveVersion")
        try check(Reply.Problem.self, Reply.Problem.CodingKeys.self, "Problem")
    }

    @Test("each reply whose schema is inside its operation agrees with it") func operations() throws {
        func answer(_ path: String, _ method: String, _ status: String) throws -> ServedDocument {
            try #require(
                ServedDocument.whole[
                    "paths", path, method, "responses", status, "content", "application/json", "schema"])
        }
        try check(
            Reply.DeviceList.self, Reply.DeviceList.CodingKeys.self, try answer("/v1/players/me/devices", "get", "200"))
        for path in [
            "/v1/players/me/codes", "/v1/games/{game}/players/{yours}/codes", "/v1/admin/players/{player}/codes",
        ] { try check(Reply.DeviceCode.self, Reply.DeviceCode.CodingKeys.self, try answer(path, "post", "201")) }
        try check(
            Reply.FriendCode.self, Reply.FriendCode.CodingKeys.self,
            try answer("/v1/players/me/friends/codes", "post", "201"))
        try check(
            Reply.SignInNonce.self, Reply.SignInNonce.CodingKeys.self,
            try answer("/v1/games/{game}/sign-ins", "post", "200"))
        try check(
            Reply.IdentityList.self, Reply.IdentityList.CodingKeys.self,
            try answer("/v1/players/me/identities", "get", "200"))
        try check(
            Reply.RotatedToken.self, Reply.RotatedToken.CodingKeys.self,
            try answer("/v1/players/me/token", "put", "200"))
        try check(
            Reply.ErasureReceipt.self, Reply.ErasureReceipt.CodingKeys.self,
            try answer("/v1/players/me/erasure", "post", "200"))
        try check(Reply.SaveList.self, Reply.SaveList.CodingKeys.self, try answer("/v1/players/me/saves", "get", "200"))
        try check(
            Reply.HistoryPage<Reply.PastScore>.self, Reply.HistoryPage<Reply.PastScore>.CodingKeys.self,
            try answer("/v1/players/me/scores", "get", "200"))
        try check(
            Reply.HistoryPage<Reply.PastDonation>.self, Reply.HistoryPage<Reply.PastDonation>.CodingKeys.self,
            try answer("/v1/players/me/donations", "get", "200"))
    }

    @Test("each request has the members of its schema") func requests() throws {
        // A game's own server says for whom it speaks.
        let ofGames: Set<String> = ["player", "external"]
        for (names, schema) in [
            (Keys.ScorePost.names.union(ofGames), "ScorePost"), (Keys.Donation.names.union(ofGames), "NewDonation"),
            (Keys.DeviceRegistration.names, "DeviceRegistration"), (Keys.ProfileChange.names, "OwnChange"),
            (Keys.PlanTerms.names, "PlanTerms"),
            // Where the path does not name the provider, the proof does.
            (Keys.IdentityProof.names.subtracting(["provider"]), "IdentityProof"),
        ] { #expect(names == Set(try #require(ServedDocument.schema(schema)).properties.map(\.key)), "\(schema)") }
        let bodies = try #require(ServedDocument.whole["components", "requestBodies"])
        for (names, body) in [(Keys.TokenRotation.names, "NewToken"), (Keys.PlayerReport.names, "Report")] {
            let schema = try #require(bodies[body, "content", "application/json", "schema"])
            #expect(names == Set(schema.properties.map(\.key)), "\(body)")
        }
    }

    @Test("the words of a board's settings are those of the contract") func words() {
        for ties in Board.Ties.allCases { #expect(Ranking.Ties(rawValue: ties.rawValue) != nil) }
        for trust in Board.Trust.allCases { #expect(Reply.BoardSettings.Trust(rawValue: trust.rawValue) != nil) }
        for details in Board.Details.allCases {
            #expect(Reply.BoardSettings.Details(rawValue: details.rawValue) != nil)
        }
        for form in PointsDisplay.Form.allCases { #expect(Reply.BoardSettings.Display(rawValue: form.rawValue) != nil) }
    }

    private func check<Message: Codable & Equatable, Key: MessageKey>(
        _ message: Message.Type, _ keys: Key.Type, _ path: String...
    ) throws {
        var schema = try #require(ServedDocument.schema(path[0]))
        for step in path.dropFirst() { schema = try #require(schema[step]) }
        try check(message, keys, schema)
    }

    /// The names of the members are those of the properties. What has all of them can be decoded and is encoded as the
    /// same, and so is what has only those that are required.
    private func check<Message: Codable & Equatable, Key: MessageKey>(
        _ message: Message.Type, _ keys: Key.Type, _ schema: ServedDocument
    ) throws {
        #expect(keys.names == Set(schema.properties.map(\.key)), "\(message)")
        for requiredOnly in [false, true] {
            let json = schema.sample(requiredOnly: requiredOnly)
            #expect(throws: Never.self, "\(message): \(json)") {
                let reply = try JSONDecoder().decode(message, from: Data(json.utf8))
                // The server writes a score's detail as it was sent, and so never encodes one.
                if json.contains("\"detail\":{") { return }
                let encoded = Data(JSONTree(reply).bytes(links: FeedLinks()))
                #expect(try JSONDecoder().decode(message, from: encoded) == reply, "\(message): \(json)")
            }
        }
    }
}

extension ServedDocument {
    private var required: Set<String> {
        let inherited = (self["allOf"]?.list ?? []).flatMap { $0.resolved?.required ?? [] }
        return Set(inherited).union((self["required"]?.list ?? []).compactMap(\.text))
    }

    /// JSON that fits the schema.
    fileprivate func sample(requiredOnly: Bool) -> String {
        guard let schema = resolved else { return "null" }
        if let first = schema["anyOf", "0"] { return first.sample(requiredOnly: requiredOnly) }
        if let const = schema["const"]?.text { return const == "true" || const == "false" ? const : "\"\(const)\"" }
        if let word = schema["enum", "0"]?.text { return "\"\(word)\"" }
        switch schema["type"]?.text ?? schema["type", "0"]?.text {
        case "object":
            let members = schema.properties.filter { !requiredOnly || schema.required.contains($0.key) }
            return "{"
                + members.map { "\"\($0.key)\":\($0.value.sample(requiredOnly: requiredOnly))" }.joined(separator: ",")
                + "}"
        case "array": return "[\(schema["items"]?.sample(requiredOnly: requiredOnly) ?? "")]"
        case "integer": return schema["minimum"]?.text ?? "7"
        case "number": return "1.5"
        case "boolean": return "true"
        case "string": return schema["format"]?.text == "date-time" ? "\"2026-11-21T06:40:52.677996Z\"" : "\"text\""
        default: return #"{"level":3}"#
        }
    }
}
