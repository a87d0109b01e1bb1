public import Contract
public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What app stores want of each game that makes players: to leave, to have all that is kept, to report others.
extension Causeboard {
    /// Erases the player for good, on the server and on this device, with all that waits, its boards and its saves.
    /// Rows of rankings stay on the server, as those of `A former player`. A call that failed may be made again.
    /// - Parameter name: The player's name, exactly, as the player has typed it.
    /// - Returns: The receipt, by which the operators find that it was done.
    /// - Throws: `.giveUp` with `confirm` when it is not the name.
    @discardableResult public func erase(confirming name: String) async throws(CauseboardError) -> String {
        let call = try Call("POST", Addresses.myErasure.path(), json: ErasureRequest(confirm: name))
        try await session.registerIfUnknown()
        let outcome = await session.send(call, isSigned: false)
        let receipt: String
        if case .answer(let answer) = outcome, answer.problem?.name == .gone, let known = answer.problem?.receipt {
            // An answer that was lost is told again.
            receipt = known
        } else {
            receipt = try Session.reply(to: outcome, as: ErasureReceipt.self).receipt
        }
        try await outbox.discardAll()
        try await boards.forgetAll()
        try await signOut()
        return receipt
    }

    /// Reports another player's name, picture or play to the operators.
    /// - Parameters:
    ///   - player: The id in a row or a profile.
    ///   - reason: What the report is about.
    ///   - text: In the player's own words, at most 500 characters.
    public func report(_ player: Int64, for reason: PlayerReport.Reason, text: String? = nil)
        async throws(CauseboardError)
    {
        let report = PlayerReport(why: reason, text: text)
        let call = try Call("POST", Addresses.report.path(String(player)), json: report)
        _ = try await session.send(call, as: ReportTaken.self)
    }

    /// Writes all that the server keeps of the player into a file, as JSON, for the player to have; once an hour.
    /// - Parameter file: It is made, or replaced, when the document has come whole, and only its owner reads it.
    public func exportData(to file: URL) async throws(CauseboardError) {
        try await session.registerIfUnknown()
        var call = Call("GET", Addresses.myExport.path())
        call.headers = ["Authorization": "Bearer \(await session.identity?.token ?? "")"]
        let opened: (response: HTTPURLResponse, chunks: BodyChunks)
        do { opened = try await session.connection.open(call) } catch { throw .askAgain(after: nil, .unreachable) }
        let timer = Task {
            try await Task.sleep(for: Limits.exportTimeMax)
            opened.chunks.cancel()
        }
        defer {
            timer.cancel()
            opened.chunks.cancel()
        }
        guard opened.response.statusCode == 200 else {
            let body = (try? await opened.chunks.next()) ?? Data()
            throw CauseboardError(Answer(opened.response, body: body), now: Date())
        }
        try await DurableFiles.write(to: file, bytesMax: Limits.exportBytesMax) { () async throws(CauseboardError) in
            do { return try await opened.chunks.next() } catch { throw .askAgain(after: nil, .unreachable) }
        }
    }
}
