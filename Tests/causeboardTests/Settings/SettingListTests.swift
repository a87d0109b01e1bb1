import ArgumentParser
import Foundation
import Testing

@testable import causeboard

@Suite struct SettingListTests {
    /// The article Settings.
    private static func article() throws -> String {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return try String(
            contentsOf: root.appending(path: "Sources/causeboard/Causeboard.docc/Settings.md"), encoding: .utf8)
    }

    @Test("the article has each setting by its flag and its name in the environment, and no other") func article()
        throws
    {
        let named = SettingList.all.named
        #expect(named.count > 40)
        let text = try Self.article()
        for setting in named {
            #expect(text.contains("`\(setting.environment)`"), "\(setting.environment)")
            if let name = setting.name { #expect(text.contains("`--\(name)`"), "--\(name)") }
        }
        let known = Set(named.map(\.environment))
        let mentioned = Set(text.matches(of: /`(CAUSEBOARD_[A-Z_]+)[`=]/).map { String($0.output.1) })
        #expect(mentioned.subtracting(known) == [])
    }

    @Test("each flag is one of a command, and no two settings have one name") func flags() {
        let named = SettingList.all.named
        #expect(Set(named.map(\.environment)).count == named.count)
        let help = DatabaseOptions.helpMessage() + ServeOptions.helpMessage()
        for setting in named {
            if let name = setting.name { #expect(help.contains("--\(name)"), "--\(name)") }
            if setting.name != nil { #expect(help.contains(setting.environment), "\(setting.environment)") }
        }
    }

    @Test("a bad value is refused, and a good one read") func values() {
        let all = SettingList.all
        #expect(all.port.parse("0") == 0 && all.port.parse("65536") == nil && all.port.parse("x") == nil)
        #expect(all.plainPort.parse("80") == .some(80) && all.plainPort.parse("-1") == nil)
        #expect(all.purgeAfter.parse("0") == .some(nil) && all.purgeAfter.parse("30") == .some(30))
        #expect(all.purgeAfter.parse("29") == nil && all.purgeAfter.parse("36501") == nil)
        #expect(all.play.parse("Yes") == true && all.play.parse("perhaps") == nil)
        #expect(all.logFormat.parse("JSON") == .json && all.logFormat.parse("xml") == nil)
        #expect(all.traceSample.parse("1.01") == nil && all.traceSample.parse("nan") == nil)
        #expect(all.trustedProxies.parse("10.0.0.0/8, ::1") == ["10.0.0.0/8", "::1"])
        #expect(
            all.plainPort.label == "--plain-port (CAUSEBOARD_PLAIN_PORT)" && all.secret.label == "CAUSEBOARD_SECRET")
    }
}
