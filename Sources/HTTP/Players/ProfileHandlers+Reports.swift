import enum Contract.Keys
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Storage

extension ProfileHandlers {
    /// `POST /v1/players/{player}/report`. It is only kept; the operators judge it.
    func report(_ request: Request, _ named: Player.ID) async throws -> Response {
        let token = try callers.playerToken(request)
        try rates.requireRoom()
        let bytes = min(request.body.readableBytes, Limits.reportBytesMax) + Limits.noteRowBytes
        return try await rates.storing(bytes, of: request, by: rates.owner(of: token)) {
            try await report(request, named, token)
        }
    }

    /// - Returns: The response, and whether it is this reporter's first report of that player.
    private func report(_ request: Request, _ named: Player.ID, _ token: TokenHash) async throws -> (
        Response, stays: Bool
    ) {
        let device = try await callers.writingDevice(token)
        let reporter = device.player
        let fields = try request.fields(Keys.PlayerReport.names)
        // A longer text is no reason, and comparing a hostile one takes long.
        guard let why = try fields.text(Keys.PlayerReport.why.rawValue), why.utf8.count <= 16,
            let reason = Report.Reason(rawValue: why)
        else { throw FieldError.badReason }
        let text = try fields.text(Keys.PlayerReport.text.rawValue) ?? ""
        let report = Report(reason, text.isEmpty ? nil : try ReportWords(text, field: "text"))
        let player = try await rankings.survivor(of: named)
        guard player != reporter else { throw FieldError.ownReport }
        return try await rates.counting(rates.spender(device), in: .playerReports) {
            let source = rates.clientAddress(of: request).map { secret.number(ofReporters: $0.largestBlock.bytes) }
            let isKnown = try await store.add(report, of: player, by: reporter, from: source, now: clock.now)
            guard let isKnown else { throw Problem.noPlayer }
            var response = replies.own(.accepted, .object([]))
            if isKnown { response.headers[.idempotentReplayed] = "true" }
            return (value: (response, stays: !isKnown), counts: !isKnown)
        }
    }
}
