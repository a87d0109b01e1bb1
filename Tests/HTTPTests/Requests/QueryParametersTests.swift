import Testing

@testable import HTTP

@Suite struct QueryParametersTests {
    @Test("values are percent-decoded, and of two the last counts") func values() throws {
        let query = try QueryParameters("/x?a=1&b=%C3%A9%20x&a=2")
        #expect(query["a"] == "2")
        #expect(query["b"] == "é x")
        #expect(query["c"] == nil)
        #expect(query.all.map(\.name) == ["a", "b", "a"])
    }

    @Test("what is no UTF-8 or no escape stays as it was sent") func stray() throws {
        #expect(try QueryParameters("/x?a=%FF")["a"] == "%FF")
        #expect(try QueryParameters("/x?a=100%")["a"] == "100%")
        #expect(try QueryParameters("/x?a=1=2#b=3")["a"] == "1=2")
        #expect(try QueryParameters("http://host/x?a=1")["a"] == "1")
    }

    @Test(
        "a target with a host, a fragment, an escape, an empty part or a part without a value is not plain",
        arguments: [
            ("/x", true), ("/x?a=1", true), ("/x?a=1&b=2", true), ("/x?a=%31", false), ("/x?a=1+", false),
            ("/x?a=1&", false), ("/x?a", false), ("/x?=1", false), ("/x?a=1&&b=2", false), ("/x?a=1#b", false),
            ("http://host/x?a=1", false),
        ]
    ) func plain(target: String, isPlain: Bool) throws { #expect(try QueryParameters(target).isPlain == isPlain) }
}
