import Crypto
import Domain
import Feeds
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Live
import Storage

extension Responder {
    /// `PUT` and `POST /scores`
    func writeScore(_ request: Request, suffix: DocumentFormat?) async throws -> Response {
        let form = try await request.form(["phone", "points", "board", "id"])
        let device = try DeviceID(form.required("phone"), field: "phone")
        let points = try Points.whole(form.required("points"), field: "points")
        let id = try Self.id(form)
        guard let board = Slug(form["board"] ?? Slug.highScores.description) else { throw Self.noBoard }
        let caller = try await classicGame(secret.hash(of: device, in: .defaultGame))
        guard let player = caller.player else { throw Self.unknownDevice }
        let (receipt, rank) = try await intake.recordClassic(points: points, on: board, in: caller.game.id, by: player.id, id: id)
        try Self.check(receipt.outcome)
        let fields = [
            Field("id", .text(receipt.id.uuidString.lowercased())), Field("points", .integer(Int128(receipt.points))),
            Field("best", receipt.best.map { .integer(Int128($0)) } ?? .none), Field("rank", rank.map { .integer(Int128($0)) } ?? .none),
        ]
        return written(to: request, Document("score", fields), isReplay: receipt.outcome == .retry, suffix: suffix)
    }

    /// `POST /high_scores`: a score with a token instead of a registration. Its answer is a status and nothing else.
    func writeHighScore(_ request: Request) async throws -> Response {
        do {
            let form = try await request.form([Self.nameField, Self.scoreField, Self.deviceField, Self.tokenField])
            try await recordHighScore(form)
            return Response(status: .ok, headers: [.contentType: DocumentFormat.xml.contentType, .cacheControl: "no-store"])
        } catch let problem as Problem where problem.name.status == .unprocessableContent {
            return Self.refusedHighScore
        } catch is FieldError {
            return Self.refusedHighScore
        }
    }

    private func recordHighScore(_ form: FormBody) async throws {
        let device = try DeviceID(form.required(Self.deviceField), field: Self.deviceField)
        let points = try Points.whole(form.required(Self.scoreField), field: Self.scoreField)
        let name = try PlayerName(form.required(Self.nameField), field: Self.nameField)
        let token = try form.required(Self.tokenField)
        let hash = secret.hash(of: device, in: .defaultGame)
        guard let caller = try await store.findClassicCaller(hash, in: .defaultGame), caller.game.classic != .off, let salt = caller.game.salt,
            Self.isToken(token, of: points, salt: salt, device: device)
        else { throw FieldError(Self.tokenField, "The token does not fit. Make it from the score, the salt of the game and the device id.") }
        let player: Player.ID
        if let known = caller.player {
            player = known.id
        } else {
            // It registers a device that is not known yet, and never renames one that is.
            let registration = Registration(name: name, source: "POST /high_scores")
            switch try await store.register(registration, device: hash, in: caller.game, updatesKnown: false, now: clock.now) {
            case .registered(let made), .known(let made): player = made.id
            case .nameMissing, .nameRefused, .wrongDevice: throw FieldError(Self.nameField, kind: .nameRefused, "The name looks like a charity's.")
            }
        }
        let (receipt, _) = try await intake.recordClassic(points: points, on: .highScores, in: caller.game.id, by: player, id: nil, name: name)
        try Self.check(receipt.outcome)
    }

    /// 201, or 200 with `Idempotent-Replayed` for what was recorded before.
    func written(to request: Request, _ document: Document, isReplay: Bool, suffix: DocumentFormat?) -> Response {
        var response = reply(to: request, isReplay ? .ok : .created, document, suffix: suffix)
        if isReplay { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    /// The client's own id of a post or gift, if it sent one.
    static func id(_ form: FormBody) throws(Problem) -> UUID? {
        guard let text = form["id"], !text.isEmpty else { return nil }
        guard let id = UUID(uuidString: text) else {
            throw Problem(.malformed, "id is no UUID. Send one like 0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e, or none.", field: "id")
        }
        return id
    }

    static let unknownDevice = Problem(.field, "No player has this phone. Register it with PUT /customers first.", field: "phone")
    static let idReused = Problem(.idReused, "This id was used for something else. Make a new one for each post.", field: "id")
    private static let noBoard = Problem(.field, "There is no such board. Name it by its slug.", field: "board")

    private static func check(_ outcome: ScoreOutcome) throws(Problem) {
        switch outcome {
        case .recorded, .retry: return
        case .conflict: throw idReused
        case .noPlayer: throw unknownDevice
        case .noBoard: throw noBoard
        case .boardClosed: throw Problem(.boardClosed, "The board is closed.", field: "board")
        case .outOfBounds: throw Problem(.outOfBounds, "The points are outside the board's bounds.", field: "points")
        }
    }

    /// `score:salt:device` in hexadecimal MD5, in either case, as the clients of the 2009 tutorial compute it.
    private static func isToken(_ token: String, of points: Int64, salt: String, device: DeviceID) -> Bool {
        Hex.bytes(token) == Array(Insecure.MD5.hash(data: Array("\(points):\(salt):\(device.text)".utf8)))
    }

    private static let nameField = "high_score[player_name]"
    private static let scoreField = "high_score[total_score]"
    private static let deviceField = "high_score[iphone_udid]"
    private static let tokenField = "high_score[auth_token]"
    private static let refusedHighScore = Response(
        status: .unprocessableContent, headers: [.contentType: DocumentFormat.xml.contentType, .cacheControl: "no-store"])
}

extension HTTPField.Name {
    /// The answer says again what was recorded before.
    static let idempotentReplayed: HTTPField.Name = {
        guard let name = HTTPField.Name("Idempotent-Replayed") else { preconditionFailure("Idempotent-Replayed is a field name by RFC 9110") }
        return name
    }()
}
