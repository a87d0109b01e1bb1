import Contract

/// One try to send an item: the requests that it takes, and what the queue does then.
struct Delivery {
    let session: Session

    func verdict(on write: PendingWrite) async -> Verdict {
        do {
            if let outcome = try await session.ensureRegistered() {
                return SendingRules.verdict(onRegistration: outcome)
            }
            var verdict = await put(write)
            if case .signAnew(let refusal) = verdict {
                if let outcome = try await session.renewSignKey() {
                    return SendingRules.verdict(onRegistration: outcome)
                }
                verdict = await put(write)
                if case .signAnew = verdict { return .settled(.refused(refusal)) }
            }
            guard verdict == .lookUp else { return verdict }
            let receipt = await session.send(Call("GET", write.path), isSigned: false)
            return SendingRules.verdict(onReceipt: receipt, of: write)
        } catch { return .stop(error) }
    }

    private func put(_ write: PendingWrite) async -> Verdict {
        SendingRules.verdict(on: await session.send(write.call, isSigned: write.isScore), of: write)
    }
}
