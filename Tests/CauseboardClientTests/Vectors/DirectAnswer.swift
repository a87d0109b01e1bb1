import Contract
import Foundation

/// What the contract answers to calls that are not queued, and what the vectors call their requests.
enum DirectAnswer {
    private static let time = "2026-11-21T10:00:00.000000Z"
    private static let bob = #""player":12,"name":"Bob""#
    private static let board = "/v1/games/maze/boards/lap"
    private static let team = "/v1/players/me/team"
    private static let myPlan = "/v1/players/me/plan"
    private static let membership = #""id":5,"name":"Red","role":"captain","first_day":"2026-11-21""#
    private static let none = FakeReply(status: 204)

    /// - Returns: Nil for a request of another kind.
    static func to(_ request: FakeRequest) -> (String, FakeReply)? {
        let call = "\(request.method) \(request.path)"
        return friends(call, request) ?? teams(call, request) ?? flags(call, request) ?? challenges(call, request)
            ?? plans(call, request) ?? awards(call) ?? campaigns(call, request)
    }

    private static func friends(_ call: String, _ request: FakeRequest) -> (String, FakeReply)? {
        let friend = #"{\#(bob),"since":"2026-11-21"}"#
        switch call {
        case "GET /v1/players/me/friends":
            let list = #"{"friends":[\#(friend)],"asked":[],"asking":[],"blocked":[{\#(bob),"at":"\#(time)"}]}"#
            return ("friends", .json(list))
        case "POST /v1/players/me/friends/codes":
            return ("friend-code", .json(#"{"code":"7K3MP2QX","expires_at":"\#(time)"}"#, status: 201))
        case "POST /v1/players/me/friends":
            return ("befriend \(body(FriendCodeUse.self, request)?.code ?? "")", .json("{\(bob)}", status: 201))
        case "PUT /v1/players/me/friends/12": return ("ask", .json(#"{"state":"friends"}"#))
        case "DELETE /v1/players/me/friends/12": return ("unfriend", none)
        case "PUT /v1/players/me/blocks/12": return ("block", none)
        case "DELETE /v1/players/me/blocks/12": return ("unblock", none)
        case "GET \(board)/players/me/friends.json": return ("friends-top", among("friends"))
        case "GET /v1/charities/tree-fund/players/me/friends.json": return ("charity-friends", among("friends"))
        case "GET /v1/contributors/players/me/friends.json": return ("contributor-friends", among("friends"))
        default: return nil
        }
    }

    private static func teams(_ call: String, _ request: FakeRequest) -> (String, FakeReply)? {
        let members = #"[{"player":7,"name":"Ada","role":"captain"}]"#
        let own = FakeReply.json(#"{\#(membership),"members":\#(members),"code":"7K3MP2QX"}"#)
        let sums = sums(#""team":5,"name":"Red""#)
        switch call {
        case "GET \(team)": return ("my-team", own)
        case "PUT \(team)":
            let entry = body(TeamEntry.self, request)
            let what = entry?.make.map { "make-team \($0)" } ?? "join-team \(entry?.code ?? "")"
            return (what, .json("{\(membership)}", status: 201))
        case "PATCH \(team)":
            let change = body(TeamChange.self, request)
            let members = [
                change?.name.map { "name \($0)" }, change?.captain.map { "captain \($0)" },
                change?.remove.map { "remove \($0)" }, change?.code.map { "code \($0)" },
            ]
            return ((["change-team"] + members.compactMap(\.self)).joined(separator: " "), own)
        case "DELETE \(team)": return ("leave-team", none)
        case "GET /v1/games/maze/teams/5":
            return ("team", .json(#"{"id":5,"name":"Red","members":1,"made_at":"\#(time)"}"#))
        case "POST /v1/games/maze/teams/5/report":
            return ("report-team \(body(PlayerReport.self, request)?.why.rawValue ?? "")", .json("{}", status: 202))
        case "GET \(board)/teams/top.json": return ("teams-top", sums)
        case "GET \(board)/players/me/team.json": return ("my-team-top", among("team"))
        case "GET /v1/charities/tree-fund/teams/top.json": return ("charity-teams", sums)
        case "GET /v1/contributors/teams/top.json": return ("contributor-teams", sums)
        default: return nil
        }
    }

    private static func flags(_ call: String, _ request: FakeRequest) -> (String, FakeReply)? {
        switch call {
        case "PATCH /v1/players/me":
            let flag = body(ProfileChange.self, request)?.flag ?? ""
            let shown = flag.isEmpty ? "" : #""flag":"\#(flag)","#
            let points = #""earned":0,"held":0,"left":0,"settling":0,"given":0,"gifts":[]"#
            let more = #""saves":[],"awards":{"count":0},"challenges":[]"#
            let rest = #""send_updates":false,"devices":1,"unlisted":false,"asks":true,\#(more)"#
            let words = flag.isEmpty ? "flag" : "flag \(flag)"
            return (words, .json(#"{"id":7,"name":"Ada",\#(shown)\#(points),\#(rest)}"#))
        case "GET \(board)/top.json":
            if let team = request.query("team") { return ("team-board \(team)", among(team)) }
            let country = request.query("country") ?? ""
            return ("country-board \(country)", among(country))
        case "GET \(board)/countries/top.json":
            let country = request.query("of").map { " \($0)" } ?? ""
            return ("countries-top\(country)", sums(#""country":"DE""#))
        default: return nil
        }
    }

    /// The challenge that the vectors are about, as lists have it.
    static let challenge = Challenge(
        id: "0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00", game: "maze", board: "lap", season: 1, by: 7,
        from: Timestamp(microsecondsSince1970: 1_795_219_200_000_000),
        until: Timestamp(microsecondsSince1970: 1_795_478_400_000_000), firstDay: "2026-11-21", lastDay: "2026-11-23",
        state: .open, stake: 0, answer: .entered, corrected: nil, entrants: nil)

    /// The same as it stands.
    static let standings = Challenge(
        id: challenge.id, game: challenge.game, board: challenge.board, season: challenge.season, by: challenge.by,
        from: challenge.from, until: challenge.until, firstDay: challenge.firstDay, lastDay: challenge.lastDay,
        state: challenge.state, stake: challenge.stake, answer: challenge.answer, corrected: nil,
        entrants: [
            Challenge.Entrant(
                player: 12, name: "Bob", avatar: nil, state: .entered, rank: 1, tied: false, points: 9, charity: nil,
                gave: nil),
            Challenge.Entrant(
                player: 7, name: "Ada", avatar: nil, state: .entered, rank: nil, tied: nil, points: nil,
                charity: "tree-fund", gave: nil),
        ])

    private static func challenges(_ call: String, _ request: FakeRequest) -> (String, FakeReply)? {
        let path = "\(board)/challenges/\(challenge.id)"
        switch call {
        case "PUT \(path)":
            guard let making = body(ChallengeMaking.self, request) else { return nil }
            let players = making.players.map(String.init).joined(separator: " ")
            let stake = making.stake.map { " stake \($0) \(making.charity ?? "")" } ?? ""
            return ("challenge \(players) \(making.days)\(stake)", json(standings, status: 201))
        case "GET \(path)": return ("standings", json(standings))
        case "PUT \(path)/entry":
            let charity = body(ChallengeEntry.self, request)?.charity.map { " \($0)" } ?? ""
            return ("enter\(charity)", json(standings))
        case "DELETE \(path)/entry": return ("decline", none)
        case "GET /v1/players/me/challenges":
            let state = request.query("state").map { " \($0)" } ?? ""
            return ("challenges\(state)", json(HistoryPage(rows: [challenge], next: nil, prev: nil)))
        default: return nil
        }
    }

    private static func awards(_ call: String) -> (String, FakeReply)? {
        let (slug, name, picture) = ("first-lap", "First lap", "/games/maze/awards/first-lap.png")
        switch call {
        case "GET /v1/players/me/awards":
            let award = OwnAward(
                award: slug, name: name, text: "Post a lap.", secret: false, picture: picture, givenAt: nil,
                occasion: nil, times: 0, have: 3, need: 5)
            return ("awards", json(OwnAwardList(awards: [award])))
        case "GET /v1/games/maze/awards":
            let award = Award(
                award: slug, name: name, text: "Post a lap.", secret: false, picture: picture, givenTo: 12)
            return ("game-awards", json(AwardList(awards: [award])))
        default: return nil
        }
    }

    /// The campaign that the vectors are about.
    static let campaign = winter(
        points: 1_200, progress: 12, contributors: 3,
        milestones: [
            Milestone(
                points: 1_000, name: "A well", reachedAt: Timestamp(microsecondsSince1970: 1_796_162_400_000_000)),
            Milestone(points: 5_000, name: "A pump", reachedAt: nil),
        ], toNext: 3_800)

    /// The same as lists have it.
    static let listedCampaign = winter(points: nil, progress: nil, contributors: nil, milestones: nil, toNext: nil)

    private static func winter(
        points: Int128?, progress: Double?, contributors: Int?, milestones: [Milestone]?, toNext: Int128?
    ) -> Campaign {
        Campaign(
            slug: "winter", name: "Winter of wells", text: nil, charity: "tree-fund", game: nil, board: nil,
            season: nil, firstDay: "2026-12-01", lastDay: "2026-12-24",
            from: Timestamp(microsecondsSince1970: 1_796_083_200_000_000),
            until: Timestamp(microsecondsSince1970: 1_798_156_800_000_000), state: .open, final: false, cohort: 20,
            goal: 10_000, points: points, progress: progress, contributors: contributors, milestones: milestones,
            toNext: toNext)
    }

    private static func campaigns(_ call: String, _ request: FakeRequest) -> (String, FakeReply)? {
        let path = "/v1/campaigns/winter"
        switch call {
        case "GET /v1/campaigns.json":
            let first = request.query("from").map { " \($0)" } ?? ""
            return ("campaigns\(first)", json(CampaignPage(of: 1, rows: [listedCampaign])))
        case "GET \(path)": return ("campaign", json(campaign))
        case "GET \(path)/top.json":
            let row = #"{"rank":1,"tied":false,\#(bob),"points":5,"reached_at":"\#(time)"}"#
            return ("campaign-top", .json(#"{"board":"tree-fund","of":1,"rows":[\#(row)]}"#))
        case "GET \(path)/teams/top.json": return ("campaign-teams", sums(#""team":5,"name":"Red""#))
        case "PUT \(path)/entry": return ("enter-campaign", json(Cohort(cohort: 3, of: 20), status: 201))
        case "GET \(path)/players/me/cohort.json":
            let first = request.query("from").map { " \($0)" } ?? ""
            return ("cohort\(first)", among("cohort"))
        default: return nil
        }
    }

    static let plan = ownPlan(nil)

    private static func ownPlan(_ preview: PlanPreview?) -> OwnPlan {
        OwnPlan(
            shares: [PlanShare(charity: "books", share: 40), PlanShare(charity: "tree-fund", share: 60)], every: .week,
            keep: 5, anonymous: false, since: Timestamp(microsecondsSince1970: 1_795_255_200_000_000),
            nextOn: "2026-11-22", last: nil, preview: preview)
    }

    private static func plans(_ call: String, _ request: FakeRequest) -> (String, FakeReply)? {
        let etag = ["ETag": #""7-1""#]
        let isNew = request.headers["if-none-match"] == "*"
        let seen = isNew ? "new" : (request.headers["if-match"] ?? "anything").filter { $0 != "\"" }
        switch call {
        case "GET \(myPlan)":
            guard let points = request.query("points") else { return ("plan", json(plan, headers: etag)) }
            let parts = [PlanPart(charity: "books", points: 40), PlanPart(charity: "tree-fund", points: 60)]
            let preview = PlanPreview(points: 100, gifts: parts, skipped: nil)
            return ("preview \(points)", json(ownPlan(preview), headers: etag))
        case "PUT \(myPlan)":
            let terms = body(PlanTerms.self, request)
            let isMeant = terms?.shares == plan.shares.reversed() && terms?.every == .week && terms?.keep == 5
            return ("set-plan \(isMeant ? seen : request.text)", json(plan, headers: etag))
        case "DELETE \(myPlan)": return ("end-plan \(seen)", none)
        default: return nil
        }
    }

    static func json(_ value: some Encodable, status: Int = 200, headers: [String: String] = [:]) -> FakeReply {
        let data = try? JSONEncoder().encode(value)
        return .json(String(decoding: data ?? Data(), as: UTF8.self), status: status, headers: headers)
    }

    private static func among(_ players: String) -> FakeReply {
        let row = #"{"rank":9,"among":1,"tied":false,\#(bob),"points":5,"reached_at":"\#(time)","flag":"DE-BE"}"#
        return .json(#"{"board":"lap","among":"\#(players)","of":2,"rows":[\#(row)]}"#)
    }

    private static func sums(_ whose: String) -> FakeReply {
        let row = #"{"rank":1,"tied":false,\#(whose),"points":9,"members":2,"reached_at":"\#(time)"}"#
        return .json(#"{"board":"lap","of":1,"rows":[\#(row)]}"#)
    }

    private static func body<Body: Decodable>(_: Body.Type, _ request: FakeRequest) -> Body? {
        try? JSONDecoder().decode(Body.self, from: request.body)
    }
}

extension FakeRequest {
    /// The value of a member of the query.
    fileprivate func query(_ name: String) -> String? {
        URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
    }
}
