import enum Contract.Keys
import enum Contract.Reply
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Players who leave.
extension OwnDataHandlers {
    /// `POST /v1/players/me/erasure` takes the player's name as a confirmation.
    func erase(_ request: Request) async throws -> Response {
        let device = try await callers.verifiedDevice(callers.playerToken(request))
        let fields = try request.fields(Keys.ErasureRequest.names)
        // A longer text is no name, and comparing a hostile one takes long.
        guard let name = try fields.text(Keys.ErasureRequest.confirm.rawValue), name.utf8.count <= Limits.nameBytesMax
        else { throw Problem(.notConfirmed) }
        let action = ModerationAction(.erase(device.player, confirming: name), id: UUID(), reason: .left)
        switch try await writeBatcher.perform(action, by: "player", isDry: false) {
        case .done(let receipt), .repeated(let receipt):
            rankings.forgetSummary(of: device.player)
            rankings.forgetCallers(of: device.player)
            return replies.own(.ok, Reply.ErasureReceipt(receipt: receipt.id.text))
        case .notConfirmed: throw Problem(.notConfirmed)
        // Another device of the player was quicker.
        case .conflict, .noPlayer: throw Problem.unauthorized
        default: throw Problem.bug
        }
    }
}
