import HTTPTypes
import Testing

@testable import HTTP

@Suite("limits of routes") struct RouteLimitsTests {
    @Test("every write of the table counts in the limits that the contract says") func writes() {
        var counted: [String: [RateLimit?]] = [:]
        for route in Routes.all where route.audience != .admin && route.audience != .console {
            for method in route.methods where ![.get, .head, .options].contains(method) {
                let limits = route.limits
                counted[route.name(method)] = [limits.address(method), limits.player]
            }
        }
        let (registrations, writes) = (RateLimit.addressRegistrations, RateLimit.addressWrites)
        #expect(
            counted == [
                "PUT /customers": [registrations, .playerRenames], "POST /customers": [registrations, .playerRenames],
                "PUT /customers/{id}": [writes, .playerRenames], "PUT /scores": [writes, .playerPosts],
                "POST /scores": [writes, .playerPosts], "PUT /donations": [writes, .playerDonations],
                "POST /donations": [writes, .playerDonations], "POST /high_scores": [writes, .playerPosts],
                "PUT /v1/games/{game}/devices/{device}": [registrations, .playerRenames],
                "PUT /v1/games/{game}/players/{your-id}": [writes, nil], "POST /unsubscribe": [writes, nil],
                "POST /v1/games/{game}/players/{your-id}/codes": [writes, nil],
                "POST /v1/games/{game}/sign-ins": [.addressSignIns, nil],
                "PUT /v1/players/me/identities/{provider}": [writes, .playerIdentities],
                "DELETE /v1/players/me/identities/{provider}": [writes, .playerIdentities],
                "POST /v1/players/me/friends": [writes, .playerFriends],
                "POST /v1/players/me/friends/codes": [writes, .playerFriends],
                "PUT /v1/players/me/friends/{player}": [writes, .playerFriends],
                "DELETE /v1/players/me/friends/{player}": [writes, .playerFriends],
                "PUT /v1/players/me/blocks/{player}": [writes, .playerBlocks],
                "DELETE /v1/players/me/blocks/{player}": [writes, .playerBlocks],
                "PUT /v1/players/me/team": [writes, .playerTeams], "PATCH /v1/players/me/team": [writes, .playerTeams],
                "DELETE /v1/players/me/team": [writes, .playerTeams],
                "PUT /v1/players/me/plan": [writes, .playerPlans],
                "DELETE /v1/players/me/plan": [writes, .playerPlans],
                "PUT /v1/games/{game}/boards/{board}/challenges/{id}": [writes, .playerChallenges],
                "PUT /v1/games/{game}/boards/{board}/challenges/{id}/entry": [writes, nil],
                "DELETE /v1/games/{game}/boards/{board}/challenges/{id}/entry": [writes, nil],
                "PUT /v1/campaigns/{campaign}/entry": [writes, .playerChallenges],
                "PUT /v1/games/{game}/players/{your-id}/awards/{award}": [writes, nil],
                "PUT /v1/games/{game}/teams/{team}": [writes, nil],
                "PUT /v1/games/{game}/teams/{team}/members/{your-id}": [writes, nil],
                "DELETE /v1/games/{game}/teams/{team}/members/{your-id}": [writes, nil],
                "POST /v1/games/{game}/teams/{team}/report": [writes, .playerReports],
                "PATCH /v1/players/me": [writes, .playerRenames], "POST /v1/players/me/codes": [writes, .playerCodes],
                "POST /v1/players/me/recovery": [writes, .playerCodes], "POST /v1/players/me/erasure": [writes, nil],
                "DELETE /v1/players/me/devices/{id}": [writes, nil],
                "PUT /v1/players/me/saves/{slot}": [writes, .playerSaves],
                "DELETE /v1/players/me/saves/{slot}": [writes, .playerSaves],
                "PUT /v1/players/me/token": [writes, .playerCodes],
                "POST /v1/players/{player}/report": [writes, .playerReports],
                "PUT /v1/games/{game}/boards/{board}/scores/{id}": [writes, .playerPosts],
                "PUT /v1/games/{game}/held/{item}": [writes, .playerPosts],
                "PUT /v1/charities/{charity}/donations/{id}": [writes, .playerDonations],
                "PATCH /v1/charities/{charity}/donations/{id}": [writes, .playerDonations],
                "DELETE /v1/charities/{charity}/donations/{id}": [writes, .playerDonations],
            ])
    }

    @Test("everything counts by address, whatever its method, but health and metrics") func addresses() {
        let methods: [HTTPRequest.Method] = [.get, .head, .options, .put, .post, .patch, .delete, .trace]
        for route in Routes.all {
            let isFree = ["/healthz", "/readyz", "/metrics"].contains(route.template.text)
            for method in methods { #expect((route.limits.address(method) == nil) == isFree, "\(route.name(method))") }
            for method in methods.prefix(3) where !isFree {
                #expect(route.limits.address(method) == .addressReads, "\(route.name(method))")
                #expect(route.limits.player(method) == nil, "\(route.name(method))")
            }
        }
    }

    @Test("success confirms an operator's key where the key is asked for, and nowhere else") func operators() {
        let open: Set<String> = ["/admin/sign-in", "/admin/assets/{file}"]
        for route in Routes.all {
            let carrier: RouteLimits.KeyCarrier? =
                switch route.audience {
                case .admin: .token
                case .console: open.contains(route.template.text) ? nil : .session
                default: nil
                }
            #expect(route.limits.operators == carrier, "\(route.template.text)")
        }
    }

    @Test("the routes whose success confirms a game's key are those for which the contract has keys") func keys() {
        var keyed: Set<String> = []
        var path = ""
        for line in String(decoding: OpenAPI.bytes, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("  /"), line.hasSuffix(":") { path = String(line.dropFirst(2).dropLast()) }
            if line.hasPrefix("      security:"), line.contains("gameKey") { keyed.insert(path) }
        }
        #expect(keyed.count == 9)
        for route in Routes.all {
            let isKeyed = keyed.contains { Self.withoutNames($0) == Self.withoutNames(route.template.text) }
            #expect(route.limits.takesKeys == isKeyed, "\(route.template.text)")
        }
    }

    @Test("the contract has 429 wherever requests are counted, and names every limit") func contract() {
        let document = String(decoding: OpenAPI.bytes, as: UTF8.self)
        let free: Set<String> = ["/healthz", "/readyz", "/metrics"]
        var (path, operations, refusals) = ("", 0, 0)
        for line in document.split(separator: "\n") {
            if line.hasPrefix("  /"), line.hasSuffix(":") { path = String(line.dropFirst(2).dropLast()) }
            if line.hasPrefix("components:") { path = "" }
            if line.hasPrefix("      operationId:"), !free.contains(path) { operations += 1 }
            if line.hasPrefix("        '429':") {
                refusals += 1
                #expect(!free.contains(path), "\(path)")
            }
        }
        #expect(operations > 50)
        #expect(refusals == operations)
        let others = [ExceededLimit.streamsOfAddress, .streamsOfPlayer, .exportsOfAddress, .connectionsOfAddress]
        let names = RateLimit.allCases.map(\.name) + others.map(\.name)
        #expect(document.contains("enum: [\(names.joined(separator: ", "))]"))
    }

    private static func withoutNames(_ path: String) -> [Substring] {
        path.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }
    }
}
