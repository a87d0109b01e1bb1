import Credentials
import Crypto
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOPosix
import Storage

extension ClassicHandlers {
    /// `PUT` and `POST /customers{.suffix}`
    func registerCustomer(_ request: Request, suffix: DocumentFormat?) async throws -> Response {
        try await writeCustomer(request, as: nil, source: Routes.classic.customers.name(request.method), suffix: suffix)
    }

    /// `PUT /customers/{id}{.suffix}`
    func changeCustomer(_ request: Request, _ id: Player.ID, suffix: DocumentFormat?) async throws -> Response {
        try await writeCustomer(
            request, as: try await rankings.survivor(of: id), source: Routes.classic.customer.name(request.method),
            suffix: suffix)
    }

    private func writeCustomer(_ request: Request, as expected: Player.ID?, source: String, suffix: DocumentFormat?)
        async throws -> Response
    {
        let form = try request.form(["name", "phone", "email", "send_updates", "image", "fb_uid"])
        let device = try DeviceID(form.required("phone"), field: "phone")
        let hash = secret.hash(of: device, in: .defaultGame)
        return try await rates.storing(
            RequestRates.bytesOfProfile(in: request), of: request, by: rates.key(of: hash, request)
        ) { try await writeCustomer(request, form, hash, as: expected, source: source, suffix: suffix) }
    }

    /// - Returns: The response, and whether the request stored anything new.
    private func writeCustomer(
        _ request: Request, _ form: FormBody, _ hash: DeviceHash, as expected: Player.ID?, source: String,
        suffix: DocumentFormat?
    ) async throws -> (Response, stays: Bool) {
        var registration = try Self.registration(form, source: source)
        let call = try await classicCall(from: hash)
        // A picture is decoded for a caller who may send it. The statement below refuses any other one.
        if let image = form["image"], expected == nil || call.player == expected {
            if !image.isEmpty { try rates.requireRoom() }
            registration.avatar = image.isEmpty ? .clear : .set(try await avatars.avatar(fromBase64: image))
        }
        let game = call.game.slug
        let outcome = try await rates.countingRenames(of: { self.rates.key(of: hash, request) }, registration) {
            registration in
            try await store.register(
                registration, device: hash, in: game, as: expected, makesPlayer: rates.hasRoom, now: clock.now)
        }
        switch outcome {
        case .registered(let player): return (reply(to: request, .created, player, suffix: suffix), stays: true)
        case .known(let player), .renamed(let player):
            rankings.forgetSummary(of: player.id)
            return (reply(to: request, .ok, player, suffix: suffix), registration.stays(outcome))
        case .nameMissing where registration.name != nil: throw Problem.full
        case .nameMissing: throw FieldError("name", "name is missing. A new player needs one.")
        case .nameRefused: throw FieldError.looksLikeCharity("name")
        case .tokenNeeded: throw Problem.tokenNeeded
        case .wrongDevice:
            throw FieldError("phone", "There is no such customer with this phone. Send both as they were registered.")
        case .banned: throw Problem.banned
        case .pictureRefused: throw Problem.pictureRefused("image")
        case .noGame, .unauthorized, .labelTaken, .otherLabel, .forbidden, .scope, .tooManyRenames, .noFlags,
            .flagFixed:
            throw Problem.bug
        }
    }

    /// `GET /customers/{id}{.suffix}` shows the public profile.
    func customer(_ request: Request, _ id: Player.ID, suffix: DocumentFormat?) async throws -> Response {
        _ = try await classicCall(from: nil)
        let player = try await rankings.survivor(of: id)
        guard let profile = try await store.findProfile(player, in: .defaultGame) else {
            throw try await store.noPlayer(player, else: Problem.noCustomer)
        }
        var picture = Value.none
        if let hash = profile.avatar, let png = try await store.avatars([hash])[hash] {
            picture = .embeddedBase64(base64Encoded(png))
        }
        let fields = [
            Field("id", .integer(Int128(profile.id.rawValue))), Field("name", .text(profile.name)),
            Field("image", picture),
        ]
        return reply(to: request, .ok, Document("customer", fields), suffix: suffix)
    }

    /// The fields without the picture.
    private static func registration(_ form: FormBody, source: String) throws -> Registration {
        var registration = Registration(source: source)
        if let name = form["name"] { registration.name = try PlayerName(name, field: "name") }
        if let email = form["email"] {
            registration.email = email.isEmpty ? .clear : .set(try EmailAddress(email, field: "email"))
        }
        if let id = form["fb_uid"] { registration.facebookID = try FacebookID(id, field: "fb_uid") }
        registration.wantsUpdates = form["send_updates"].map(FormBoolean.isOn)
        return registration
    }

    private func reply(to request: Request, _ status: HTTPResponse.Status, _ player: Player, suffix: DocumentFormat?)
        -> Response
    {
        let document = Document(
            "customer",
            [
                Field("id", .integer(Int128(player.id.rawValue))), Field("name", .text(player.name)),
                Field("send_updates", .boolean(player.wantsUpdates)),
            ])
        var response = reply(to: request, status, document, suffix: suffix)
        response.headers[.location] = (links.publicURL ?? "") + Routes.classic.customer.path(player.id, nil)
        return response
    }
}
