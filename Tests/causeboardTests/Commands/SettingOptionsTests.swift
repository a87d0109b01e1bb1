import ArgumentParser
import Domain
import Storage
import Testing

@testable import causeboard

@Suite struct SettingOptionsTests {
    private static func board(_ arguments: String...) throws -> BoardChange {
        try ChangedSettings<BoardSettings>.parse(arguments).change()
    }

    @Test("each setting of a board or a charity has an option, which says what it is") func options() {
        func check<Options: SettingOptions>(_: Options.Type) {
            let help = Options.helpMessage(columns: 1_000)
            for setting in Options.settings {
                let option = "--" + "\(setting.name)".replacing("_", with: "-")
                #expect(help.contains(option) && help.contains(setting.help), "\(option)")
            }
        }
        check(NewSettings<BoardSettings>.self)
        check(ChangedSettings<BoardSettings>.self)
        check(NewSettings<CharitySettings>.self)
        check(ChangedSettings<CharitySettings>.self)
    }

    @Test("options are read as the admin API reads its fields, and none takes away what may be absent") func read()
        throws
    {
        let change = try Self.board(
            "--points-min", "-5", "--policy", "latest", "--order", "lowest", "--hold-pace", "7", "--earn-max", "none",
            "--opens", "2026-12-01T00:00:00+01:00", "--earns", "fixed:3", "--hold-above", "0.5")
        #expect(change.pointsMin == -5 && change.policy == .latest && change.lowestFirst == true)
        #expect(change.holdPace.value == 7 && change.earnMax.isGiven && change.earnMax.value == nil)
        #expect(change.opensAt.value == Instant(rfc3339: "2026-11-30T23:00:00Z") && !change.closesAt.isGiven)
        #expect(change.earning?.fixedPoints == 3 && change.holdAbove.value?.thousandths == 500)
        #expect(change.name == nil && change.zone == nil && !change.unit.isGiven)
        // A name is never absent, so this word is one.
        #expect(try Self.board("--name", "none").name?.description == "none")
    }

    @Test(
        "a bad value is refused, by the name of its option",
        arguments: [
            ("--policy", "worst"), ("--points-min", "x"), ("--points-min", "\(Int64.min)"), ("--hold-rate", "0"),
            ("--hold-rate", "601"), ("--hold-rate", "99999999999"), ("--judge", "1441"), ("--settle", "-1"),
            ("--earn-day", "-1"), ("--zone", "Nowhere"), ("--unit", "seventeen letters"), ("--opens", "tomorrow"),
            ("--earns", "fixed:"), ("--hold-above", "0"), ("--order", "none"), ("--hold-above", ""), ("--unit", ""),
            ("--opens", "0001-01-01T00:00:00+01:00"), ("--closes", "9999-12-31T23:59:59-01:00"),
        ]) func bad(option: String, value: String)
    {
        let error = #expect(throws: (any Error).self) { try ChangedSettings<BoardSettings>.parse([option, value]) }
        if let error { #expect(ChangedSettings<BoardSettings>.message(for: error).contains("\(option) "), "\(error)") }
    }
}
