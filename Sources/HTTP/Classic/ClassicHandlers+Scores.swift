import Credentials
import Crypto
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

extension ClassicHandlers {
    /// `PUT` and `POST /scores{.suffix}`
    func postClassicScore(_ request: Request, suffix: DocumentFormat?) async throws -> Response {
        let form = try request.form(["phone", "points", "board", "id"])
        let device = try DeviceID(form.required("phone"), field: "phone")
        let points = try Points.whole(form.required("points"), field: "points")
        let id = try Self.id(form)
        guard let board = Slug(form["board"] ?? Slug.highScores.description) else { throw Problem.unknownBoard }
        let hash = secret.hash(of: device, in: .defaultGame)
        try rates.count(hash, in: .playerPosts, of: request)
        let caller = Caller.device(hash)
        let recorded = try await writeBatcher.record(includesTotal: false) { arrival in
            NewScore(points, by: caller, on: board, in: .defaultGame, id: id, isClassic: true, reachedAt: arrival)
        }
        let receipt = recorded.receipt
        try await check(receipt, on: board)
        let fields = [
            Field("id", .text(receipt.id.text)), Field("points", .integer(Int128(receipt.points))),
            Field("best", receipt.best.map { .integer(Int128($0)) } ?? .none),
            Field("rank", recorded.currentRank?.rank.map { .integer(Int128($0)) } ?? .none),
        ]
        return written(to: request, Document("score", fields), isReplay: receipt.outcome == .retry, suffix: suffix)
    }

    /// `POST /high_scores{.format}` records a score that is signed by a classic token and needs no registration. Its
    /// response is a status without a body.
    func postHighScore(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        guard [nil, .xml, .json].contains(suffix) else { throw Problem.noPostHere }
        do {
            let form = try request.form([Self.nameField, Self.scoreField, Self.deviceField, Self.tokenField])
            try await recordHighScore(form, of: request)
            return Response(
                status: .ok, headers: [.contentType: DocumentFormat.xml.contentType, .cacheControl: "no-store"])
        } catch let problem as Problem
            where problem.name.status == .unprocessableContent
            || [.tokenNeeded, .classicUnsigned, .serverOnly].contains(problem)
        { return Self.refusedHighScore } catch is FieldError { return Self.refusedHighScore }
    }

    private func recordHighScore(_ form: FormBody, of request: Request) async throws {
        let device = try DeviceID(form.required(Self.deviceField), field: Self.deviceField)
        let points = try Points.whole(form.required(Self.scoreField), field: Self.scoreField)
        let name = try PlayerName(form.required(Self.nameField), field: Self.nameField)
        let token = try form.required(Self.tokenField)
        let hash = secret.hash(of: device, in: .defaultGame)
        try rates.count(hash, in: .playerPosts, of: request)
        guard let call = try await store.findClassicCall(from: hash, in: .defaultGame, name: name),
            call.game.classic != .off, let salt = call.game.salt,
            Self.isToken(token, of: points, salt: salt, device: device)
        else {
            throw FieldError(
                Self.tokenField,
                "The token does not fit. Make it from the score, the salt of the game and the device id.")
        }
        if call.isNameRefused { throw FieldError.looksLikeCharity(Self.nameField) }
        if let player = call.player {
            let recorded = try await writeBatcher.record(includesTotal: false) { arrival in
                NewScore(
                    points, by: .player(player), on: .highScores, in: .defaultGame, id: nil, name: name,
                    isClassic: true, reachedAt: arrival)
            }
            try await check(recorded.receipt, on: .highScores)
            return
        }
        // A post may register an unknown device, and never renames a known one.
        try rates.countRegistration(of: request)
        switch try await writeBatcher.recordFirstClassic(
            points: points, on: .highScores, in: call.game, by: hash, name: name,
            source: Routes.classic.highScores.name(.post))
        {
        case .recorded(let receipt), .refused(let receipt): try await check(receipt, on: .highScores)
        case .unregistered: throw FieldError.looksLikeCharity(Self.nameField)
        }
    }

    private func check(_ receipt: ScoreReceipt, on board: Slug) async throws {
        switch receipt.outcome {
        case .recorded, .retry: return
        case .conflict: throw Problem.idReused
        case .protocolClosed: throw Problem.classicClosed
        case .tokenNeeded: throw Problem.tokenNeeded
        case .noPlayer: throw Problem.unknownPhone
        case .noBoard: throw Problem.unknownBoard
        case .banned: throw Problem.banned
        case .unsigned: throw Problem.classicUnsigned
        case .serverOnly: throw Problem.serverOnly
        case .boardClosed: throw try await rankings.boardClosed(board, in: .defaultGame, now: clock.now)
        case .outOfBounds: throw try await rankings.outOfBounds(receipt.points, on: board, in: .defaultGame)
        case .tooManyHeld: throw rates.limiter.refusal(asIfOver: .playerPosts)
        case .deferred, .unauthorized, .forbidden, .scope: throw Problem.bug
        }
    }

    /// Whether the token is the hexadecimal MD5 of `score:salt:device`, in either case, as the clients of the 2009
    /// tutorial compute it. A digest compares in constant time, so that the time of a refusal tells nothing about the
    /// token that would fit.
    private static func isToken(_ token: String, of points: Int64, salt: String, device: DeviceID) -> Bool {
        guard token.utf8.count == 2 * Insecure.MD5.byteCount, let bytes = Hex.bytes(token) else { return false }
        return Insecure.MD5.hash(data: Array("\(points):\(salt):\(device.text)".utf8)) == bytes
    }

    private static let nameField = "high_score[player_name]"
    private static let scoreField = "high_score[total_score]"
    private static let deviceField = "high_score[iphone_udid]"
    private static let tokenField = "high_score[auth_token]"
    private static let refusedHighScore = Response(
        status: .unprocessableContent,
        headers: [.contentType: DocumentFormat.xml.contentType, .cacheControl: "no-store"])
}
