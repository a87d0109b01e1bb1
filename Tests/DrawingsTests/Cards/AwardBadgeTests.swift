import Domain
import TestXML
import Testing

@testable import Drawings

@Suite struct AwardBadgeTests {
    @Test("an award has the same badge for ever, with its name on it, and others look different") func badges() throws {
        let slugs = try ["first", "first-hundred", "cave", "streak-7"].map { try #require(Slug($0)) }
        let pictures = slugs.map { String(decoding: AwardBadge(name: "Same", slug: $0).svg(), as: UTF8.self) }
        #expect(Set(pictures).count == slugs.count)
        #expect(pictures.allSatisfy { $0.contains("<title>Same</title>") })
        #expect(AwardBadge(name: "Same", slug: slugs[0]).svg() == Array(pictures[0].utf8))
    }

    @Test(
        "whatever an award is called, its SVG is well-formed and has the same elements",
        arguments: Samples.hostileIndices) func hostile(_ index: Int) throws
    {
        let badge = AwardBadge(name: Samples.hostile[index], slug: try #require(Slug("first")))
        let elements = try #require(XMLReader.elements(of: badge.svg()))
        #expect(Set(elements.map(\.name)).isSubset(of: ["svg", "title", "rect", "circle", "path", "text", "g"]))
        #expect(elements.allSatisfy { $0.attributes.keys.allSatisfy { !$0.hasPrefix("on") } })
        if let png = badge.png(.two) { #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47])) }
    }
}
