import Credentials
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

extension ClassicHandlers {
    /// `PUT` and `POST /donations{.suffix}`
    func donateClassic(_ request: Request, suffix: DocumentFormat?) async throws -> Response {
        let form = try request.form(["phone", "charity", "donated_points", "anonymous", "id"])
        let device = try DeviceID(form.required("phone"), field: "phone")
        let charity = try CharityName(form.required("charity"), field: "charity")
        let points = try Points.whole(form.required("donated_points"), field: "donated_points")
        guard points >= 1 else { throw FieldError("donated_points", "A donation is at least 1 point. Donate more.") }
        let isAnonymous = try form["anonymous"].map { text throws(FieldError) in
            try FormBoolean.read(text, field: "anonymous")
        }
        let id = try Self.id(form)
        guard !charity.text.utf8.contains(0) else { throw Problem.unknownCharity }
        let hash = secret.hash(of: device, in: .defaultGame)
        try rates.count(hash, in: .playerDonations, of: request)
        let caller = Caller.device(hash)
        let receipt = try await writeBatcher.donate { arrival in
            NewDonation(
                points, by: caller, to: charity, in: .defaultGame, id: id, isAnonymous: isAnonymous ?? false,
                reachedAt: arrival)
        }.receipt
        try await check(receipt)
        let fields = [
            Field("id", .text(receipt.id.text)), Field("charity", .text(ifAny: receipt.charity)),
            Field("donated_points", .integer(Int128(receipt.points))),
            Field("balance", receipt.balance.map { .integer(Int128($0)) } ?? .none),
        ]
        return written(to: request, Document("donation", fields), isReplay: receipt.outcome == .retry, suffix: suffix)
    }

    private func check(_ receipt: DonationReceipt) async throws {
        switch receipt.outcome {
        case .recorded, .retry: return
        case .conflict: throw Problem.idReused
        case .protocolClosed: throw Problem.classicClosed
        case .tokenNeeded: throw Problem.tokenNeeded
        case .noPlayer: throw Problem.unknownPhone
        case .banned: throw Problem.banned
        case .noCharity: throw Problem.unknownCharity
        case .charityClosed:
            throw try await rankings.charityClosed(receipt.charity.flatMap { Slug($0) } ?? .overall, now: clock.now)
        case .overspent: throw Problem.overspent("donated_points")
        case .settling: throw Problem.settling("donated_points", readyAt: receipt.readyAt, now: clock.now)
        case .capReached: throw receipt.cap.map { Problem.capReached($0, "donated_points") } ?? Problem.bug
        case .deferred, .unauthorized, .forbidden, .scope: throw Problem.bug
        }
    }
}
