/// The body of PUT `/v1/players/me/team`: one of both.
public struct TeamEntry: Sendable, Hashable, Codable {
    /// The name of a new team.
    public var make: String?
    /// The code of a team that is there.
    public var code: String?

    public init(make name: String) { make = name }
    public init(code: String) { self.code = code }

    public enum CodingKeys: String, MessageKey { case make, code }
}

/// The body of PATCH `/v1/players/me/team`, by the captain.
public struct TeamChange: Sendable, Hashable, Codable {
    public var name: String?
    /// The member who becomes the captain.
    public var captain: Int64?
    /// The member who has to leave.
    public var remove: Int64?
    /// `new` for a new code, which ends the former one.
    public var code: String?

    public init() {}

    public enum CodingKeys: String, MessageKey { case name, captain, remove, code }
}
