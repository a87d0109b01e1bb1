import CauseboardClient
import Contract
import Foundation
import Synchronization

// The code of the article, as it is printed there. The test that compares both also plays it.

struct Journey: Mergeable {
    var level = Greatest(1)
    var coins = DeviceSum()
    var badges = GrowingSet<String>()

    func merged(with other: Journey) -> Journey {
        Journey(
            level: level.merged(with: other.level), coins: coins.merged(with: other.coins),
            badges: badges.merged(with: other.badges))
    }
}

/// What the game kept in an earlier version.
struct FormerJourney: Codable { var stage: Int }

struct Sound: Codable, Equatable, Sendable { var volume = 5 }

/// What a reader of the article would do with its texts.
final class Screen: Sendable {
    let texts = Mutex<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

struct GettingStarted: Sendable {
    let server: URL
    let screen = Screen()

    func show(_ text: String) { screen.add(text) }
    func ask(_ text: String) { screen.add(text) }
    func report(_ text: String) { screen.add(text) }

    func threeLines() async throws {
        let board = try await Causeboard(server: server, game: "maze")
        try await board.signIn(as: "Ada")
        try await board.post(61_500, to: "lap")
    }

    func signIn(_ board: Causeboard, _ name: String) async {
        do throws(CauseboardError) { try await board.signIn(as: name) } catch {
            switch error {
            case .chooseAnotherName(let sentence): ask("Choose another name. \(sentence)")
            case .askAgain: break  // The name is kept, and the queue registers by it.
            case .signInAgain(let reason): ask("This device is not taken for the player any more: \(reason).")
            case .giveUp(let refusal): report(refusal.sentence)
            case .queueFull, .storage: report("\(error)")
            }
        }
    }

    func post(_ board: Causeboard) async throws {
        let post = try await board.post(58_250, to: "lap")
        switch await board.settlement(of: post) {
        case .score(let receipt): show("Rank \(receipt.rank ?? 0), and \(receipt.earned) points to donate.")
        case .refused(let refusal): report(refusal.sentence)
        case .donation, nil: break
        }
    }

    func detail(_ board: Causeboard) async throws {
        try await board.post(60_900, to: "lap", detail: ["car": "red", "gears": 5])
    }

    func rankings(_ board: Causeboard) async throws {
        let mine = try await board.localBoard("lap")
        for entry in mine.entries { show("\(entry.name) \(entry.points) \(entry.state)") }
        let rows = try await board.topWithPending(of: "lap")
        for row in rows { show("\(row.rank). \(row.name) \(row.points)\(row.isPending ? " (not sent yet)" : "")") }
    }

    func listen(_ save: Save<Journey>, _ board: Causeboard) async {
        for await journey in save.changes(on: board) { show("Level \(journey.level.value)") }
    }

    func settings() async throws -> Causeboard {
        var options = Options()
        options.localBoards["lap"] = LocalBoard.Settings(entriesMax: 25, order: .lowest)
        let board = try await Causeboard(server: server, game: "maze", options: options)
        return board
    }

    func donate(_ board: Causeboard) async throws {
        let charities = try await board.charities()
        if let charity = charities.rows.first { try await board.donate(6, to: charity.slug) }
    }

    func bring(_ board: Causeboard, _ otherDevice: Causeboard) async throws {
        let code = try await board.makeDeviceCode().code
        try await otherDevice.join(code: code, deviceName: "Tablet")
    }

    func signIn(_ board: Causeboard, as name: String, _ idToken: (String) async throws -> String) async throws {
        let nonce = try await board.signInNonce().nonce
        let token = try await idToken(nonce)  // The provider's library.
        try await board.signIn(with: IdentityToken(provider: "apple", nonce: nonce, token: token), as: name)
    }

    func friends(_ board: Causeboard, _ typedCode: String) async throws {
        show("Your code: \(try await board.makeFriendCode().code)")
        let friend = try await board.befriend(code: typedCode)
        show("\(friend.name) is your friend now.")
        let ranking = try await board.friendsTop(of: "lap", window: "week")
        for row in ranking.rows { show("\(row.among ?? row.rank). \(row.name) \(row.points)") }
    }

    func teams(_ captain: Causeboard, _ member: Causeboard) async throws {
        try await captain.makeTeam(named: "Red")
        if let code = try await captain.myTeam()?.code { try await member.joinTeam(code: code) }
        let teams = try await captain.teamsTop(of: "lap", window: "week")
        for row in teams.rows { show("\(row.rank). \(row.name) \(row.points), by \(row.members)") }
    }

    func flags(_ board: Causeboard) async throws {
        try await board.setFlag("DE-BE")
        let neighbours = try await board.top(of: "lap", country: "DE")
        for row in neighbours.rows { show("\(row.among ?? row.rank). \(row.name) \(row.flag ?? "")") }
        let countries = try await board.countriesTop(of: "lap")
        for row in countries.rows { show("\(row.rank). \(row.country) \(row.points)") }
    }

    func challenge(_ board: Causeboard, _ friend: Int64) async throws {
        let challenge = try await board.challenge([friend], on: "lap", days: 2)
        let standings = try await board.standings(of: challenge)
        for entrant in standings.entrants ?? [] { show("\(entrant.rank ?? 0). \(entrant.name) \(entrant.points ?? 0)") }
    }

    func listenForChallenges(_ board: Causeboard) async throws {
        for await profile in await board.watchProfile() {
            guard profile.challenges.contains(where: { $0.answer == .invited }) else { continue }
            for challenge in try await board.challenges(in: .open).rows where challenge.answer == .invited {
                try await board.enter(challenge)
            }
        }
    }

    func awards(_ board: Causeboard) async throws {
        for award in try await board.awards() {
            if award.times > 0 { show("\(award.name): yours") }
            if award.times == 0, let have = award.have, let need = award.need {
                show("\(award.name): \(have) of \(need)")
            }
        }
    }

    func campaigns(_ board: Causeboard) async throws {
        let list = try await board.campaigns()
        for open in list.rows where open.state == .open {
            let campaign = try await board.campaign(open.slug)
            for milestone in campaign.milestones ?? [] {
                show("\(milestone.name), \(milestone.points): \(milestone.reachedAt == nil ? "not yet" : "reached")")
            }
            if let missing = campaign.toNext { show("\(missing) points to go.") }
        }
    }

    func cohort(_ board: Causeboard) async throws {
        try await board.enterCampaign("winter")
        let rows = try await board.cohort(of: "winter").rows
        for row in rows { show("\(row.among ?? row.rank). \(row.name) \(row.points)") }
    }

    func plan(_ board: Causeboard) async throws {
        let former = try await board.plan()
        let shares = [PlanShare(charity: "tree-fund", share: 60), PlanShare(charity: "books", share: 40)]
        let plan = try await board.setPlan(shares, every: .week, keep: 5, replacing: former)
        show("Donates next after \(plan.nextOn).")
        for part in try await board.preview(100).gifts { show("\(part.charity) would get \(part.points).") }
    }

    func save(_ board: Causeboard) async throws {
        let save = try board.save("journey", as: Journey.self)
        let device = await board.deviceName ?? "this device"
        try await save.update(startingWith: Journey()) { journey in
            journey.level.raise(to: 7)
            journey.coins.add(25, device: device)
        }
        try await save.sync()
    }

    func plainSave(_ board: Causeboard) async throws {
        let sound = try board.save("sound", as: Sound.self)
        try await sound.storeValue(Sound(volume: 3))
        try await sound.sync()
    }

    func migratedSave(_ board: Causeboard) throws -> Save<Journey> {
        let save = try board.save("journey", as: Journey.self) { bytes in
            let former = try? JSONDecoder().decode(FormerJourney.self, from: bytes)
            return former.map { Journey(level: Greatest($0.stage)) }
        }
        return save
    }

    func leave(_ board: Causeboard, _ player: Player, _ file: URL, _ typedName: String) async throws {
        try await board.report(player.id, for: .name, text: "It is an insult.")
        try await board.exportData(to: file)
        show("Erased: \(try await board.erase(confirming: typedName))")
    }

    func feed(_ board: Causeboard) async throws {
        for try await row in board.topScoresRows() {
            show("\(row.name) donated \(row.points)\(row.picture == nil ? "" : ", with a picture")")
        }
    }
}
