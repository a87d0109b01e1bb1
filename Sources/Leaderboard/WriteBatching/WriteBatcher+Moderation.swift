package import Domain
package import FoundationEssentials
package import Storage

extension WriteBatcher {
    /// Who does what a player does about itself, as the log has it.
    package static var playerActor: String { "player" }

    /// Does what an operator decided, and returns once this process's standings have it, within the time that a post
    /// waits for that.
    /// - Parameters:
    ///   - actor: The key's id, or ``playerActor``.
    ///   - isDry: Whether it is only tried.
    package func perform(_ action: ModerationAction, by actor: String, isDry: Bool) async throws(StoreError)
        -> ModerationOutcome
    {
        let marker = isDry ? nil : commitBarrier.issue()
        do throws(StoreError) {
            func perform() async throws(StoreError) -> ModerationOutcome {
                try await store.admin.perform(action, by: actor, isDry: isDry, marker: marker?.text, now: clock.now)
            }
            // Whoever leaves keeps no operator waiting.
            let isOwn = actor == Self.playerActor
            let outcome =
                isOwn ? try await gates.change(of: action.kind.player, perform) : try await gates.moderate(perform)
            if case .done = outcome, !isDry {
                await commitBarrier.seen(marker)
                standings.noteCorrection()
                ties.forgetAll()
                holds.forgetAll()
            } else {
                commitBarrier.forget(marker)
                if case .repeated = outcome { standings.noteCorrection() }
            }
            return outcome
        } catch {
            commitBarrier.forget(marker)
            throw error
        }
    }

    /// Takes the verdict of a game about a score that waits for it, and returns once this process's standings have it.
    package func judge(_ item: UUID, of game: Slug, _ verdict: Verdict, by key: TokenHash) async throws(StoreError)
        -> VerdictOutcome
    {
        let marker = commitBarrier.issue()
        do throws(StoreError) {
            let outcome = try await gates.moderate { () async throws(StoreError) in
                try await store.admin.judge(item, of: game, verdict, by: key, marker: marker?.text, now: clock.now)
            }
            if case .done(let state) = outcome, state != .held {
                await commitBarrier.seen(marker)
                standings.noteCorrection()
            } else {
                commitBarrier.forget(marker)
            }
            return outcome
        } catch {
            commitBarrier.forget(marker)
            throw error
        }
    }

    /// Brings a device to the player of a code with everything that its own player has, and returns once this process's
    /// standings have it.
    package func joinMerging(_ joining: Joining) async throws(StoreError) -> JoinOutcome {
        let marker = commitBarrier.issue()
        do throws(StoreError) {
            let outcome = try await gates.change(of: nil) { () async throws(StoreError) in
                try await store.joinMerging(joining, as: UUID(), marker: marker?.text)
            }
            if case .joined = outcome {
                await commitBarrier.seen(marker)
                standings.noteCorrection()
                ties.forgetAll()
                holds.forgetAll()
            } else {
                commitBarrier.forget(marker)
            }
            return outcome
        } catch {
            commitBarrier.forget(marker)
            throw error
        }
    }
}
