/// An address of the server: a template in which `{word}` stands for a value and `{.format}` for a suffix.
public struct Address: Sendable, Hashable {
    public let template: String

    public init(_ template: String) { self.template = template }

    /// The path with its values, percent-escaped, in the order of the template.
    /// - Parameters:
    ///   - values: One for each `{word}`; another count is a bug and traps.
    ///   - format: The suffix, without its dot, in place of `{.format}`; nil leaves it out.
    public func path(_ values: String..., format: String? = nil) -> String {
        var path = ""
        var rest = template[...]
        var remaining = values[...]
        while let open = rest.firstIndex(of: "{") {
            path += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}") else { break }
            if rest[rest.index(after: open)] == "." {
                path += format.map { "." + $0 } ?? ""
            } else {
                guard let value = remaining.popFirst() else { preconditionFailure("too few values for \(template)") }
                path += Self.escaped(value)
            }
            rest = rest[rest.index(after: close)...]
        }
        precondition(remaining.isEmpty, "too many values for \(template)")
        return path + rest
    }

    /// A text as one segment of a path or one value of a query: all but letters, digits and `-._~` is escaped
    /// (RFC 3986, 2.3).
    public static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                escaped += hex.count == 1 ? "%0" + hex : "%" + hex
            }
        }
        return escaped
    }
}

/// The addresses that players' devices call.
public enum Addresses {
    // Players.
    public static let device = Address("/v1/games/{game}/devices/{device}")
    public static let me = Address("/v1/players/me")
    public static let myScores = Address("/v1/players/me/scores")
    public static let myDonations = Address("/v1/players/me/donations")
    public static let myCodes = Address("/v1/players/me/codes")
    public static let myRecovery = Address("/v1/players/me/recovery")
    public static let myDevices = Address("/v1/players/me/devices")
    public static let myDevice = Address("/v1/players/me/devices/{id}")
    public static let myToken = Address("/v1/players/me/token")
    public static let signIns = Address("/v1/games/{game}/sign-ins")
    public static let myIdentities = Address("/v1/players/me/identities")
    public static let myIdentity = Address("/v1/players/me/identities/{provider}")
    public static let myFriends = Address("/v1/players/me/friends")
    public static let myFriendCodes = Address("/v1/players/me/friends/codes")
    public static let myFriend = Address("/v1/players/me/friends/{player}")
    public static let myBlock = Address("/v1/players/me/blocks/{player}")
    public static let myTeam = Address("/v1/players/me/team")
    public static let myChallenges = Address("/v1/players/me/challenges")
    public static let team = Address("/v1/games/{game}/teams/{team}")
    public static let gameAwards = Address("/v1/games/{game}/awards")
    public static let myAwards = Address("/v1/players/me/awards")
    public static let teamReport = Address("/v1/games/{game}/teams/{team}/report")
    public static let myPlan = Address("/v1/players/me/plan")
    public static let myErasure = Address("/v1/players/me/erasure")
    public static let myExport = Address("/v1/players/me/export")
    public static let report = Address("/v1/players/{player}/report")
    public static let avatar = Address("/v1/avatars/{sha256}.png")

    // Saves.
    public static let mySaves = Address("/v1/players/me/saves")
    public static let mySave = Address("/v1/players/me/saves/{slot}")
    public static let mySaveVersions = Address("/v1/players/me/saves/{slot}/versions")
    public static let myLive = Address("/v1/players/me/live")

    // Boards.
    public static let board = Address("/v1/games/{game}/boards/{board}")
    public static let score = Address("/v1/games/{game}/boards/{board}/scores/{id}")
    public static let boardTop = Address("/v1/games/{game}/boards/{board}/top{.format}")
    public static let myTeamTop = Address("/v1/games/{game}/boards/{board}/players/me/team{.format}")
    public static let boardTeams = Address("/v1/games/{game}/boards/{board}/teams/top{.format}")
    public static let winners = Address("/v1/games/{game}/boards/{board}/winners{.format}")
    public static let countriesTop = Address("/v1/games/{game}/boards/{board}/countries/top{.format}")
    public static let myPosition = Address("/v1/games/{game}/boards/{board}/players/me")
    public static let aroundMe = Address("/v1/games/{game}/boards/{board}/players/me/around{.format}")
    public static let friendsTop = Address("/v1/games/{game}/boards/{board}/players/me/friends{.format}")
    public static let rankOfPoints = Address("/v1/games/{game}/boards/{board}/rank")

    public static let challenge = Address("/v1/games/{game}/boards/{board}/challenges/{id}")
    public static let challengeEntry = Address("/v1/games/{game}/boards/{board}/challenges/{id}/entry")

    // Charities.
    public static let donation = Address("/v1/charities/{charity}/donations/{id}")
    public static let charities = Address("/v1/charities{.format}")
    public static let charity = Address("/v1/charities/{charity}")
    public static let charityTop = Address("/v1/charities/{charity}/top{.format}")
    public static let contributorsTop = Address("/v1/contributors/top{.format}")
    public static let charityFriends = Address("/v1/charities/{charity}/players/me/friends{.format}")
    public static let contributorsFriends = Address("/v1/contributors/players/me/friends{.format}")
    public static let charityTeams = Address("/v1/charities/{charity}/teams/top{.format}")
    public static let contributorTeams = Address("/v1/contributors/teams/top{.format}")

    // Campaigns.
    public static let campaigns = Address("/v1/campaigns{.format}")
    public static let campaign = Address("/v1/campaigns/{campaign}")
    public static let campaignTop = Address("/v1/campaigns/{campaign}/top{.format}")
    public static let campaignTeams = Address("/v1/campaigns/{campaign}/teams/top{.format}")
    public static let campaignEntry = Address("/v1/campaigns/{campaign}/entry")
    public static let cohort = Address("/v1/campaigns/{campaign}/players/me/cohort{.format}")

    // The classic protocol.
    public static let customers = Address("/customers{.suffix}")
    public static let classicScores = Address("/scores{.suffix}")
    public static let classicDonations = Address("/donations{.suffix}")
    public static let highScores = Address("/high_scores{.format}")
    public static let topScores = Address("/TopScores{.format}")

    /// All of them.
    public static let all = [
        device, me, myScores, myDonations, myCodes, myRecovery, myDevices, myDevice, myToken, signIns, myIdentities,
        myIdentity, myFriends, myFriendCodes, myFriend, myBlock, myTeam, myChallenges, team, gameAwards, myAwards,
        teamReport, myPlan, myErasure, myExport, report, avatar, mySaves, mySave, mySaveVersions, myLive, board, score,
        boardTop, boardTeams, winners, countriesTop, myPosition, aroundMe, friendsTop, myTeamTop, rankOfPoints,
        challenge, challengeEntry, donation, charities, charity, charityTop, charityTeams, contributorsTop,
        contributorTeams, charityFriends, contributorsFriends, campaigns, campaign, campaignTop, campaignTeams,
        campaignEntry, cohort, customers, classicScores, classicDonations, highScores, topScores,
    ]
}
