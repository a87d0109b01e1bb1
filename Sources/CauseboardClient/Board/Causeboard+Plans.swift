public import Contract
import Foundation

/// The player's plan, as the server had it when it was read.
@dynamicMemberLookup public struct CurrentPlan: Sendable, Hashable {
    public let plan: OwnPlan
    /// The ETag, by which the server knows whether the plan has changed since.
    let etag: String

    public subscript<Value>(dynamicMember member: KeyPath<OwnPlan, Value>) -> Value { plan[keyPath: member] }
}

// Plans. None of these calls is queued: the result is known when the call returns.
extension Causeboard {
    /// How the server donates for the player, and what it gave last; nil without a plan.
    public func plan() async throws(CauseboardError) -> CurrentPlan? {
        do throws(CauseboardError) { return try await sendPlan(Call("GET", Addresses.myPlan.path())) } catch {
            if case .giveUp(let refusal) = error, refusal.problem == .notFound { return nil }
            throw error
        }
    }

    /// Makes the player's plan, or replaces it. The server donates what the player has left beyond `keep`, after each
    /// day in UTC, each Sunday, or the last day of each month. The same plan again changes nothing.
    /// - Parameters:
    ///   - shares: 1 to 20 charities, each once. Only the proportions of the shares matter.
    ///   - interval: How often it donates.
    ///   - keep: Points that stay in the wallet.
    ///   - anonymously: Whether rankings leave the player's name out.
    ///   - former: The plan that is replaced, as ``plan()`` returned it; nil if there must be none.
    /// - Throws: `.giveUp` with `stale` when the plan is another one, such as after a change on another device: read it
    ///   again. With `forbidden` when plans are off in the game, and with `field` when a charity takes no donations.
    @discardableResult public func setPlan(
        _ shares: [PlanShare], every interval: PlanInterval, keep: Int64 = 0, anonymously: Bool = false,
        replacing former: CurrentPlan? = nil
    ) async throws(CauseboardError) -> CurrentPlan {
        let terms = PlanTerms(shares: shares, every: interval, keep: keep, anonymous: anonymously)
        var call = try Call("PUT", Addresses.myPlan.path(), json: terms)
        call.headers = former.map { ["If-Match": $0.etag] } ?? ["If-None-Match": "*"]
        return try await sendPlan(call)
    }

    /// Ends a plan. Donations that the server has already decided are still made.
    /// - Parameter plan: As ``plan()`` returned it.
    /// - Throws: `.giveUp` with `stale` when the plan is another one, and with `notFound` when there is none.
    public func endPlan(_ plan: CurrentPlan) async throws(CauseboardError) {
        var call = Call("DELETE", Addresses.myPlan.path())
        call.headers["If-Match"] = plan.etag
        try await session.sendForNothing(call)
    }

    /// What the player's plan would give of some points now.
    /// - Parameter points: At least 1, whatever the player has.
    /// - Throws: `.giveUp` with `notFound` when the player has no plan.
    public func preview(_ points: Int64) async throws(CauseboardError) -> PlanPreview {
        let call = Call(Addresses.myPlan.path(), query: [("points", String(points))])
        guard let preview = try await session.send(call, as: OwnPlan.self).preview else {
            throw .askAgain(after: nil, .unreachable)
        }
        return preview
    }

    private func sendPlan(_ call: Call) async throws(CauseboardError) -> CurrentPlan {
        let answer = try await session.answer(to: call)
        guard let plan = answer.decoded(as: OwnPlan.self), let etag = answer.etag else {
            throw CauseboardError(answer, now: Date())
        }
        return CurrentPlan(plan: plan, etag: etag)
    }
}
