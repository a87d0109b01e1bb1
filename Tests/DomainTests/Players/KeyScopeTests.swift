import Domain
import Testing

@Suite struct KeyScopeTests {
    private static let admin = ["read", "personal", "moderate", "operate", "charity:trees"]
    private static let game = ["register", "post", "donate", "judge", "groups"]

    private func scopes(_ texts: String..., of kind: KeyKind = .admin) throws -> KeyScopes {
        try KeyScopes(texts, of: kind, field: "scopes")
    }

    @Test("a scope has one text, and is of one kind of keys") func texts() throws {
        for (texts, kind) in [(Self.admin, KeyKind.admin), (Self.game, .game)] {
            for text in texts {
                let scope = try #require(KeyScope(text))
                #expect(scope.description == text && scope.kind == kind)
            }
        }
        for text in [
            "", "Read", "read ", "reads", "charity", "charity:", "charity:Trees", "charity:me", "charity:a b",
            "charity:" + String(repeating: "a", count: 64), "charity:trees:more", "re\u{301}ad",
        ] { #expect(KeyScope(text) == nil, "\(text)") }
        #expect(KeyScope("charity:" + String(repeating: "a", count: 63)) != nil)
    }

    @Test("a key has 1 to 64 scopes of its kind, and equal sets are equal in any order") func sets() throws {
        #expect(try scopes("read", "operate", "read") == scopes("operate", "read"))
        #expect(try scopes("post", "donate", of: .game).texts == ["donate", "post"])
        #expect(KeyScopes.ofGames.texts == ["donate", "post", "register"])
        #expect(throws: FieldError.self) { try scopes() }
        #expect(throws: FieldError.self) { try scopes("read", "post") }
        #expect(throws: FieldError.self) { try scopes("read", of: .game) }
        #expect(throws: FieldError.self) { try scopes("everything") }
        let many = (0..<65).map { "charity:c\($0)" }
        #expect(throws: FieldError.self) { try KeyScopes(many, of: .admin, field: "scopes") }
        #expect(try KeyScopes(Array(many.dropLast()), of: .admin, field: "scopes").all.count == 64)
    }

    @Test("each scope allows itself and nothing else, but read covers the reads of charities") func allows() throws {
        for held in Self.admin {
            for asked in Self.admin + Self.game {
                let expected = held == asked || (held == "read" && asked.hasPrefix("charity:"))
                #expect(try scopes(held).allows(#require(KeyScope(asked))) == expected, "\(held) \(asked)")
            }
        }
        #expect(try !scopes("charity:trees").allows(#require(KeyScope("charity:seas"))))
        #expect(try !scopes("charity:trees").allows(.read))
    }

    @Test("a key grants what it has, and operate grants what keys of games do") func grants() throws {
        for held in Self.admin {
            for given in Self.admin {
                let isGranted = held == given || (held == "read" && given.hasPrefix("charity:"))
                #expect(try (scopes(held).firstNotGranted(of: scopes(given)) == nil) == isGranted, "\(held) \(given)")
            }
            for given in Self.game {
                let lacking = try scopes(held).firstNotGranted(of: scopes(given, of: .game))
                #expect((lacking == nil) == (held == "operate"), "\(held) \(given)")
            }
        }
        let both = try scopes("read", "operate")
        #expect(try both.firstNotGranted(of: scopes("operate", "personal", "read")) == .personal)
        #expect(both.firstNotGranted(of: both) == nil)
    }

    @Test("a stored scope that nobody knows any more allows nothing") func unknown() {
        let stored = KeyScopes(stored: ["fly", "read"], kind: .admin)
        #expect(stored.all == [.read] && stored.allows(.read) && !stored.allows(.operate))
    }
}
