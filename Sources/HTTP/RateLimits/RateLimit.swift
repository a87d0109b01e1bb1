package import HTTPServer

/// The limits on how often callers may do something. A new one is a case and its row.
package enum RateLimit: Int, CaseIterable, Sendable {
    case addressRegistrations
    case addressWrites
    case addressReads
    case addressStoredBytes
    case addressSignIns
    case playerPosts
    case playerDonations
    case playerSaves
    case playerStoredBytes
    case playerCodes
    case playerRenames
    case playerReports
    case playerExports
    case playerIdentities
    case playerFriends
    case playerBlocks
    case playerTeams
    case playerPlans
    case playerChallenges
    case failedCredentials
    case failedCodes
    case gameFailedCodes
    case keyRequests

    /// Its name on the wire and in settings, its standard rate, and who is told to slow down.
    private var row: (name: String, count: Int, unit: Rate.Unit, burst: Int, subject: Subject) {
        switch self {
        case .addressRegistrations: ("address-registrations", 60, .minute, 200, .address)
        case .addressWrites: ("address-writes", 600, .minute, 1_200, .address)
        case .addressReads: ("address-reads", 6_000, .minute, 12_000, .address)
        case .addressStoredBytes: ("address-stored-bytes", 64 << 20, .hour, 16 << 20, .addressBytes)
        case .addressSignIns: ("address-sign-ins", 60, .hour, 60, .address)
        case .playerPosts: ("player-posts", 60, .minute, 300, .player)
        case .playerDonations: ("player-donations", 20, .minute, 40, .player)
        case .playerSaves: ("player-saves", 30, .minute, 60, .player)
        case .playerStoredBytes: ("player-stored-bytes", 16 << 20, .hour, 4 << 20, .playerBytes)
        case .playerCodes: ("player-codes", 5, .hour, 5, .player)
        case .playerRenames: ("player-renames", 3, .day, 3, .player)
        case .playerReports: ("player-reports", 10, .day, 10, .player)
        case .playerExports: ("player-exports", 1, .hour, 1, .player)
        case .playerIdentities: ("player-identities", 20, .day, 20, .player)
        case .playerFriends: ("player-friends", 30, .hour, 60, .player)
        case .playerBlocks: ("player-blocks", 120, .hour, 240, .player)
        case .playerTeams: ("player-teams", 10, .day, 10, .player)
        case .playerPlans: ("player-plans", 10, .day, 10, .player)
        case .playerChallenges: ("player-challenges", 20, .day, 20, .player)
        case .failedCredentials: ("failed-credentials", 20, .hour, 20, .credentials)
        case .failedCodes: ("failed-codes", 20, .hour, 20, .codes)
        case .gameFailedCodes: ("game-failed-codes", 600, .hour, 600, .gameCodes)
        case .keyRequests: ("key-requests", 60_000, .minute, 10_000, .key)
        }
    }

    enum Subject { case address, addressBytes, player, playerBytes, credentials, codes, gameCodes, key }

    package var name: String { row.name }
    var subject: Subject { row.subject }

    /// The rate of a server whose operator sets none.
    package var standard: Rate {
        let row = row
        guard let rate = Rate(row.count, per: row.unit, burst: row.burst) else {
            preconditionFailure("the standard rate of \(row.name) is one that a setting could have")
        }
        return rate
    }

    package init?(name: some StringProtocol) {
        guard let limit = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = limit
    }
}
