import CauseboardClient
import Contract

/// Offers the player to donate what was earned to a charity.
struct Donating {
    let causeboard: Causeboard
    let terminal: Terminal

    private static let charitiesMax = 6

    /// - Parameter left: What the player can donate.
    func offer(_ left: Int64) async throws(CauseboardError) {
        guard left > 0, let charities = try? await causeboard.charities().rows.filter({ !$0.final }) else { return }
        let offered = Array(charities.prefix(Self.charitiesMax))
        guard !offered.isEmpty else { return }
        terminal.say("You have \(left) to donate.")
        terminal.say(offered.enumerated().map { "  \($0 + 1)  \($1.name)" })
        guard let choice = ask("Which charity (Enter gives nothing)?", 1...Int64(offered.count)),
            let points = ask("How many points (Enter gives nothing)?", 1...left)
        else { return }
        try await donate(points, to: offered[Int(choice) - 1])
    }

    private func donate(_ points: Int64, to charity: Charity) async throws(CauseboardError) {
        let events = await causeboard.watchQueue()
        let donation = try await causeboard.donate(points, to: charity.slug)
        switch await causeboard.progress(of: donation, events) {
        case .settled(.donation(let receipt)):
            terminal.say("\(points) donated to \(charity.name). Thank you. You have \(receipt.left) left.")
        case .settled(.refused(let refusal)):
            terminal.say("The server refused it: \(refusal.sentence)")
            try await causeboard.dismissRefused()
        case .settled(.score): break
        case .waits(let why): terminal.say(why, "Your donation waits on this device, and is sent later.")
        }
    }

    /// - Returns: Nil when the player donates nothing.
    private func ask(_ question: String, _ numbers: ClosedRange<Int64>) -> Int64? {
        while let text = terminal.ask(question), !text.isEmpty {
            if let number = Int64(text), numbers.contains(number) { return number }
            terminal.say("A number from \(numbers.lowerBound) to \(numbers.upperBound), please.")
        }
        return nil
    }
}
