import Domain
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// What players change of what they donated.
extension LedgerHandlers {
    /// `PATCH /v1/charities/{charity}/donations/{id}` turns a donation anonymous, for good.
    func anonymiseDonation(_ request: Request, to charity: Slug, _ id: ClientID) async throws -> Response {
        let credential = try callers.credential(request)
        let uuid = try id.uuid()
        let fields = try request.fields(["anonymous", "player", "external"])
        let caller = try await callers.caller(credential, fields, in: nil)
        guard try fields.boolean("anonymous") == true else {
            throw FieldError("anonymous", "anonymous is true here: an anonymous donation stays so. Send true.")
        }
        return try await changed(uuid, to: charity, by: caller, .anonymise)
    }

    /// `DELETE /v1/charities/{charity}/donations/{id}` takes a donation back.
    func takeDonationBack(_ request: Request, to charity: Slug, _ id: ClientID) async throws -> Response {
        let credential = try callers.credential(request)
        let uuid = try id.uuid()
        return try await changed(uuid, to: charity, by: try await owner(request, credential, in: nil), .takeBack)
    }

    /// The player for whom a caller donates.
    private func donor(_ caller: Caller) async throws -> Player.ID {
        let found = try await store.findDonor(caller, now: clock.now)
        if let player = found.player { return player }
        switch found.refusal {
        case .unauthorized: throw Problem.unauthorized
        case .forbidden: throw Problem.forbidden(caller)
        case .scope: throw Problem.missing(.donate)
        default: throw Problem.noPlayerInGame
        }
    }

    /// Changes a donation, and answers with its receipt.
    private func changed(_ id: UUID, to charity: Slug, by caller: Caller, _ change: DonationChange) async throws
        -> Response
    {
        let player = try await donor(caller)
        if case .token(let token, _) = caller { try rates.count(player, beside: token, in: .playerDonations) }
        let outcome = try await writeBatcher.change(id, to: charity, of: player, change)
        switch outcome {
        case .done, .repeated: break
        case .noDonation: throw Problem.noReceipt
        case .banned: throw Problem.banned
        case .tooLate: throw Problem.coolingOffOver
        }
        var response = try await receipt(of: id, by: player, to: charity)
        if outcome == .repeated { response.headers[.idempotentReplayed] = "true" }
        return response
    }
}
