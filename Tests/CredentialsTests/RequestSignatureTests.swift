import Credentials
import Domain
import Testing

@Suite struct RequestSignatureTests {
    private static let code = String(repeating: "0123456789abcdef", count: 4)

    @Test("a signature is a time and a code", arguments: ["0", "1", "9", "10", "1795262400", "99999999999"]) func good(
        seconds: String
    ) throws {
        let signature = try #require(RequestSignature("t=\(seconds),v1=\(Self.code)"))
        #expect("\(signature.seconds)" == seconds)
    }

    @Test(
        "of a time there is one spelling",
        arguments: [
            "", "00", "01", "01795262400", "+1", "-1", "-0", "1.0", "1e9", "0x10", " 1", "1 ", "1_000", "١", "１",
            "999999999999", "18446744073709551617", String(repeating: "1", count: 100_000), "1\0", "1\n",
        ]) func badTime(seconds: String)
    { #expect(RequestSignature("t=\(seconds),v1=\(Self.code)") == nil) }

    @Test(
        "a code is 64 hex digits in lower case",
        arguments: [
            "", code.uppercased(), String(code.dropLast()), String(code.dropLast(2)), code + "0", code + "00",
            "A" + code.dropFirst(), code.dropLast() + "F", code.dropLast() + "g", code.dropLast() + " ",
            " " + code.dropLast(), code.dropLast(2) + "é", "0x" + code.dropLast(2), code + "\u{301}",
            String(repeating: "0", count: 100_000),
        ] as [String]) func badCode(code: String)
    { #expect(RequestSignature("t=1,v1=\(code)") == nil) }

    @Test(
        "nothing comes before, between, behind or instead",
        arguments: [
            "", "t=1", "v1=\(code)", "v1=\(code),t=1", "t=1, v1=\(code)", "t=1;v1=\(code)", "t=1,v1=\(code),", "t=1,",
            " t=1,v1=\(code)", "t=1,v1=\(code) ", "T=1,v1=\(code)", "t=1,V1=\(code)", "t=1,v2=\(code)",
            "t=1,v0=\(code)", "t=1,v1=\(code),v1=\(code)", "t=1,v1=\(code),v2=\(code)", "t=1,t=1,v1=\(code)",
            "t=1,v1=\(code), t=1,v1=\(code)", "t:1,v1=\(code)", "t=\"1\",v1=\(code)", "t =1,v1=\(code)",
            "t\u{301}=1,v1=\(code)", String(repeating: "t=1,", count: 100_000),
        ]) func badForm(text: String)
    { #expect(RequestSignature(text) == nil) }

    @Test("a time is compared in whole seconds, either way") func secondsOff() throws {
        let now: Int64 = 1_795_262_400
        for off in [0, 1, 119, 120, 121, 122, 3_600] as [Int64] {
            for sign in [1, -1] as [Int64] {
                let signature = try #require(RequestSignature("t=\(now + sign * off),v1=\(Self.code)"))
                for microseconds in [0, 1, 999_999] as [Int64] {
                    let instant = Instant(microsecondsSince1970: now * 1_000_000 + microseconds)
                    #expect(signature.secondsOff(instant) == off)
                }
            }
        }
        let first = try #require(RequestSignature("t=0,v1=\(Self.code)"))
        let last = try #require(RequestSignature("t=99999999999,v1=\(Self.code)"))
        for instant in [Int64.min, .max] {
            #expect(first.secondsOff(Instant(microsecondsSince1970: instant)) > 1_000_000_000)
            #expect(last.secondsOff(Instant(microsecondsSince1970: instant)) > 1_000_000_000)
        }
    }
}
