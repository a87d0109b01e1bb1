import Domain
import Feeds
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Live
import Storage

extension Responder {
    /// `PUT` and `POST /donations`
    func writeDonation(_ request: Request, _ context: ClientContext, suffix: DocumentFormat?) async throws -> Response {
        let form = try await request.form(["phone", "charity", "donated_points", "id"], context)
        let device = try DeviceID(form.required("phone"), field: "phone")
        let charity = CharityName(try form.required("charity"))
        let points = try Points.whole(form.required("donated_points"), field: "donated_points")
        guard points >= 1 else { throw FieldError("donated_points", "A gift is at least 1 point. Give more.") }
        let id = try Self.id(form)
        guard !charity.text.contains("\0") else { throw Self.noCharity }
        let call = try await classicCall(from: secret.hash(of: device, in: .defaultGame))
        guard let player = call.player else { throw Self.unknownDevice }
        let receipt = try await intake.giveClassic(points: points, to: charity, by: player, id: id)
        try Self.check(receipt.outcome)
        let fields = [
            Field("id", .text(receipt.id.uuidString.lowercased())), Field("charity", .text(ifAny: receipt.charity)),
            Field("donated_points", .integer(Int128(receipt.points))), Field("balance", receipt.left.map { .integer(Int128($0)) } ?? .none),
        ]
        return written(to: request, Document("donation", fields), isReplay: receipt.outcome == .retry, suffix: suffix)
    }

    private static let noCharity = Problem(.field, "There is no such charity. Name it by its slug or its name.", field: "charity")

    private static func check(_ outcome: GiftOutcome) throws(Problem) {
        switch outcome {
        case .recorded, .retry: return
        case .conflict: throw idReused
        case .noPlayer: throw unknownDevice
        case .noCharity: throw noCharity
        case .charityClosed: throw Problem(.charityClosed, "The charity takes no gifts now.", field: "charity")
        case .overspent:
            throw Problem(.overspent, "This is more than there is to give. Give at most what was earned.", field: "donated_points")
        }
    }
}
