/// A key of a message on the wire. The client codes by these, and the server reads and writes by them.
public protocol MessageKey: CodingKey, CaseIterable, RawRepresentable where RawValue == String {}

/// The keys of the requests that both sides know. The server has types of its own with the messages' names, so it
/// reaches the keys through this enum and does not import the messages.
public enum Keys {
    public typealias ScorePost = Contract.ScorePost.CodingKeys
    public typealias Donation = Contract.Donation.CodingKeys
    public typealias DeviceRegistration = Contract.DeviceRegistration.CodingKeys
    public typealias IdentityProof = Contract.IdentityProof.CodingKeys
    public typealias ProfileChange = Contract.ProfileChange.CodingKeys
    public typealias FriendCodeUse = Contract.FriendCodeUse.CodingKeys
    public typealias TeamEntry = Contract.TeamEntry.CodingKeys
    public typealias TeamChange = Contract.TeamChange.CodingKeys
    public typealias PlanShare = Contract.PlanShare.CodingKeys
    public typealias PlanTerms = Contract.PlanTerms.CodingKeys
    public typealias ChallengeMaking = Contract.ChallengeMaking.CodingKeys
    public typealias ChallengeEntry = Contract.ChallengeEntry.CodingKeys
    public typealias TokenRotation = Contract.TokenRotation.CodingKeys
    public typealias ErasureRequest = Contract.ErasureRequest.CodingKeys
    public typealias PlayerReport = Contract.PlayerReport.CodingKeys
}

/// The replies that both sides know, under names that the server imports. It makes each reply from its type, so a reply
/// that clients could not read does not compile.
package enum Reply {
    package typealias ScoreReceipt = Contract.ScoreReceipt
    package typealias DonationReceipt = Contract.DonationReceipt
    package typealias Player = Contract.Player
    package typealias Registered = Contract.Registered
    package typealias Profile = Contract.Profile
    package typealias Device = Contract.Device
    package typealias DeviceList = Contract.DeviceList
    package typealias OpenCode = Contract.OpenCode
    package typealias DeviceCode = Contract.DeviceCode
    package typealias SignInNonce = Contract.SignInNonce
    package typealias LinkedIdentity = Contract.LinkedIdentity
    package typealias IdentityList = Contract.IdentityList
    package typealias FriendCode = Contract.FriendCode
    package typealias FriendMade = Contract.FriendMade
    package typealias FriendState = Contract.FriendState
    package typealias Friend = Contract.Friend
    package typealias BlockedPlayer = Contract.BlockedPlayer
    package typealias FriendList = Contract.FriendList
    package typealias TeamMembership = Contract.TeamMembership
    package typealias TeamMember = Contract.TeamMember
    package typealias OwnTeam = Contract.OwnTeam
    package typealias Team = Contract.Team
    package typealias Challenge = Contract.Challenge
    package typealias ChallengeAnswer = Contract.ChallengeAnswer
    package typealias ChallengeNotice = Contract.ChallengeNotice
    package typealias Campaign = Contract.Campaign
    package typealias Milestone = Contract.Milestone
    package typealias Cohort = Contract.Cohort
    package typealias Award = Contract.Award
    package typealias AwardList = Contract.AwardList
    package typealias GivenAward = Contract.GivenAward
    package typealias OwnAward = Contract.OwnAward
    package typealias OwnAwardList = Contract.OwnAwardList
    package typealias AwardCount = Contract.AwardCount
    package typealias RotatedToken = Contract.RotatedToken
    package typealias ErasureReceipt = Contract.ErasureReceipt
    package typealias PastScore = Contract.PastScore
    package typealias PastDonation = Contract.PastDonation
    package typealias HistoryPage = Contract.HistoryPage
    package typealias RankPosition = Contract.RankPosition
    package typealias PointsPosition = Contract.PointsPosition
    package typealias BoardSettings = Contract.BoardSettings
    package typealias Charity = Contract.Charity
    package typealias SaveSummary = Contract.SaveSummary
    package typealias PlanInterval = Contract.PlanInterval
    package typealias PlanShare = Contract.PlanShare
    package typealias OwnPlan = Contract.OwnPlan
    package typealias PlanRun = Contract.PlanRun
    package typealias PlanDonation = Contract.PlanDonation
    package typealias SkippedShare = Contract.SkippedShare
    package typealias PlanPreview = Contract.PlanPreview
    package typealias PlanPart = Contract.PlanPart
    package typealias PlanNotice = Contract.PlanNotice
    package typealias SlotContents = Contract.SlotContents
    package typealias SaveList = Contract.SaveList
    package typealias Problem = Contract.ProblemReply
}

extension MessageKey {
    /// The names of all of them.
    public static var names: Set<String> { Set(allCases.map(\.rawValue)) }
}
