import Contract
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// The protocol that games spoke in 2009, for games that still do: the same calls, byte for byte.
///
/// It has no queue and no token: who knows a device's id speaks for the device. A new game uses ``Causeboard``.
public struct ClassicCauseboard: Sendable {
    /// Who plays, as the settings screen of 2009 had it.
    public struct Customer: Sendable, Hashable {
        public var name: String
        public var email: String?
        public var sendsUpdates: Bool?
        /// A PNG, 40x40 as the games made it; it is sent in base64 with nothing escaped.
        public var image: Data?
        public var facebookID: String?

        public init(name: String) { self.name = name }
    }

    /// What the server knows of a customer.
    public struct Registered: Sendable, Hashable {
        public let id: Int64
        public let name: String
        public let sendsUpdates: Bool
    }

    /// What became of a score.
    public struct Score: Sendable, Hashable {
        public let points: Int64
        /// Nil for a server of 2009, which told neither.
        public let best: Int128?
        public let rank: Int?
    }

    /// What became of a donation.
    public struct Donation: Sendable, Hashable {
        public let charity: String
        public let points: Int64
        /// What can still be donated; nil for a server of 2009.
        public let balance: Int64?
    }

    public let phone: String
    private let salt: String?
    private let connection: Connection

    /// - Parameters:
    ///   - server: The server's address.
    ///   - phone: The device's id.
    ///   - salt: What the game and the server share for ``postHighScore(_:name:)``; nil without it.
    ///   - sessionConfiguration: The settings of the requests.
    public init(
        server: URL, phone: String, salt: String? = nil, sessionConfiguration: URLSessionConfiguration = .ephemeral
    ) {
        (self.phone, self.salt) = (phone, salt)
        connection = Connection(server, ServerClock(.system), sessionConfiguration)
    }

    /// Registers the device, or changes what the server knows of it.
    @discardableResult public func register(_ customer: Customer) async throws(CauseboardError) -> Registered {
        var form = ClassicForm()
        form.add("name", customer.name)
        form.add("email", customer.email)
        form.add("send_updates", customer.sendsUpdates.map { $0 ? "1" : "0" })
        form.add("image", customer.image?.base64EncodedString())
        form.add("fb_uid", customer.facebookID)
        form.add("phone", phone)
        let known = ["name", "email", "send_updates", "image", "fb_uid", "phone"]
        let fields = try await send("PUT", Addresses.customers, form, known)
        guard let id = fields["id"].flatMap({ Int64($0) }), let name = fields["name"] else { throw Self.strange }
        return Registered(id: id, name: name, sendsUpdates: fields["send_updates"] == "true")
    }

    /// Posts a score of this device.
    /// - Parameters:
    ///   - points: Within the board's bounds.
    ///   - board: A board's slug; nil is the game's own.
    ///   - id: Makes sending it again harmless.
    @discardableResult public func post(_ points: Int64, to board: String? = nil, id: UUID? = nil)
        async throws(CauseboardError) -> Score
    {
        var form = ClassicForm()
        form.add("phone", phone)
        form.add("points", String(points))
        form.add("board", board)
        form.add("id", id?.uuidString.lowercased())
        let fields = try await send("PUT", Addresses.classicScores, form, ["phone", "points", "board", "id"])
        guard let points = fields["points"].flatMap({ Int64($0) }) else { throw Self.strange }
        return Score(
            points: points, best: fields["best"].flatMap { Int128($0) }, rank: fields["rank"].flatMap { Int($0) })
    }

    /// Donates points of this device to a charity.
    /// - Parameters:
    ///   - points: At least 1.
    ///   - charity: The charity's slug or its name.
    ///   - id: Makes sending it again harmless.
    @discardableResult public func donate(_ points: Int64, to charity: String, id: UUID? = nil)
        async throws(CauseboardError) -> Donation
    {
        var form = ClassicForm()
        form.add("phone", phone)
        form.add("donated_points", String(points))
        form.add("charity", charity)
        form.add("id", id?.uuidString.lowercased())
        let known = ["phone", "donated_points", "charity", "id"]
        let fields = try await send("PUT", Addresses.classicDonations, form, known)
        guard let points = fields["donated_points"].flatMap({ Int64($0) }), let charity = fields["charity"] else {
            throw Self.strange
        }
        return Donation(charity: charity, points: points, balance: fields["balance"].flatMap { Int64($0) })
    }

    /// Posts a score under a name, with the token that the salt makes.
    public func postHighScore(_ score: Int64, name: String) async throws(CauseboardError) {
        guard let salt else { throw .giveUp(nil, "A high score needs the salt that the game and the server share.") }
        var form = ClassicForm()
        form.add("high_score[auth_token]", ClassicToken.text(score: score, salt: salt, phone: phone))
        form.add("high_score[player_name]", name)
        form.add("high_score[total_score]", String(score))
        form.add("high_score[iphone_udid]", phone)
        let known = ["auth_token", "player_name", "total_score", "iphone_udid"].map { "high_score[\($0)]" }
        _ = try await answer("POST", Addresses.highScores, form, known)
    }

    /// Who donated most, with their pictures, as rows that come while the answer arrives.
    public func topScores() -> FeedRows<ContributorRow> {
        FeedRows(connection, Call("GET", Addresses.topScores.path(format: "xml")))
    }

    /// The best posts, as rows that come while the answer arrives.
    public func highScores() -> FeedRows<HighScoreRow> {
        FeedRows(connection, Call("GET", Addresses.highScores.path(format: "xml")))
    }
}

// MARK: - Sending

extension ClassicCauseboard {
    private static let strange = CauseboardError.askAgain(after: nil, .unreachable)

    /// - Returns: The fields of the document that is answered, with `_` for `-`.
    private func send(_ method: String, _ address: Address, _ form: ClassicForm, _ known: [String])
        async throws(CauseboardError) -> [String: String]
    {
        let answer = try await answer(method, address, form, known)
        guard let fields = Self.record(answer.body) else { throw Self.strange }
        return fields
    }

    private func answer(_ method: String, _ address: Address, _ form: ClassicForm, _ known: [String])
        async throws(CauseboardError) -> Answer
    {
        var call = Call(method, address.path(), body: try form.body(known: known))
        call.contentType = "application/x-www-form-urlencoded"
        guard case .answer(let answer) = await connection.send(call) else { throw Self.strange }
        if answer.isSuccess { return answer }
        guard (400..<500).contains(answer.status), ![408, 429].contains(answer.status), answer.problem == nil else {
            throw CauseboardError(answer, now: Date())
        }
        // High scores are refused without a word.
        let sentence = Self.record(answer.body)?["error"] ?? "The server refused it without a word."
        throw .giveUp(RequestRefusal(nil, sentence, status: answer.status))
    }

    /// Nil for what is no document with one row.
    private static func record(_ body: Data) -> [String: String]? {
        var parser = FeedRowParser(isRecord: true)
        guard let rows = try? parser.take(body), (try? parser.end()) != nil else { return nil }
        return rows.first
    }
}

/// A body as the games of 2009 built it: fields put together by string format, with nothing escaped.
struct ClassicForm: Sendable {
    private var fields: [(name: String, value: String)] = []

    /// Adds a field; nil adds none.
    mutating func add(_ name: String, _ value: String?) { if let value { fields.append((name, value)) } }

    /// - Parameter known: All fields of the address, by which a server finds where a value ends.
    /// - Throws: `.giveUp` when a value would be taken for another field, or is no line of text.
    func body(known: [String]) throws(CauseboardError) -> Data {
        for (name, value) in fields {
            let isForeign = known.contains { value.contains("&\($0)=") }
            let hasControls = value.unicodeScalars.contains { $0.properties.generalCategory == .control }
            if isForeign || hasControls || value == "(null)" {
                throw .giveUp(.field, "\(name) has a text that the classic protocol cannot send.")
            }
        }
        return Data(fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&").utf8)
    }
}

/// The `auth_token` of a high score: the hex MD5 of `total_score:salt:iphone_udid`, in capitals as the games sent it.
enum ClassicToken {
    static func text(score: Int64, salt: String, phone: String) -> String {
        Hex.text(Insecure.MD5.hash(data: Data("\(score):\(salt):\(phone)".utf8))).uppercased()
    }
}
