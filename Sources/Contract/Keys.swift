/// A key of a message on the wire. The client codes by these, and the server reads and writes by them.
public protocol MessageKey: CodingKey, CaseIterable, RawRepresentable where RawValue == String {}

/// The keys of the messages that both sides know. The server has types of its own with the messages' names, so it names
/// the keys by this and imports nothing else of them.
public enum Keys {
    // Requests.
    public typealias ScorePost = Contract.ScorePost.CodingKeys
    public typealias Donation = Contract.Donation.CodingKeys
    public typealias DeviceRegistration = Contract.DeviceRegistration.CodingKeys
    public typealias ProfileChange = Contract.ProfileChange.CodingKeys
    public typealias TokenRotation = Contract.TokenRotation.CodingKeys
    public typealias ErasureRequest = Contract.ErasureRequest.CodingKeys
    public typealias PlayerReport = Contract.PlayerReport.CodingKeys

    // Replies.
    public typealias ScoreReceipt = Contract.ScoreReceipt.CodingKeys
    public typealias DonationReceipt = Contract.DonationReceipt.CodingKeys
    public typealias Player = Contract.Player.CodingKeys
    public typealias Registered = Contract.Registered.CodingKeys
    public typealias Profile = Contract.Profile.CodingKeys
    public typealias DonatedTo = Contract.Profile.Donations.CodingKeys
    public typealias Device = Contract.Device.CodingKeys
    public typealias DeviceList = Contract.DeviceList.CodingKeys
    public typealias OpenCode = Contract.OpenCode.CodingKeys
    public typealias DeviceCode = Contract.DeviceCode.CodingKeys
    public typealias RotatedToken = Contract.RotatedToken.CodingKeys
    public typealias ErasureReceipt = Contract.ErasureReceipt.CodingKeys
    public typealias PastScore = Contract.PastScore.CodingKeys
    public typealias PastDonation = Contract.PastDonation.CodingKeys
    public typealias HistoryPage = Contract.HistoryPage<Contract.PastScore>.CodingKeys
    public typealias RankPosition = Contract.RankPosition.CodingKeys
    public typealias PointsPosition = Contract.PointsPosition.CodingKeys
    public typealias BoardSettings = Contract.BoardSettings.CodingKeys
    public typealias Charity = Contract.Charity.CodingKeys
    public typealias SaveSummary = Contract.SaveSummary.CodingKeys
    public typealias SlotContents = Contract.SlotContents.CodingKeys
    public typealias SaveList = Contract.SaveList.CodingKeys
    public typealias Problem = Contract.ProblemReply.CodingKeys
}

extension MessageKey {
    /// The names of all of them.
    public static var names: Set<String> { Set(allCases.map(\.rawValue)) }
}
