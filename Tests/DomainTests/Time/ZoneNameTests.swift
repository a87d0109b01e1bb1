import Domain
import Testing

@Suite struct ZoneNameTests {
    @Test("a zone is UTC or a place's") func good() {
        for name in ["UTC", "GMT", "Europe/Berlin", "America/Argentina/Ushuaia", "Etc/UTC", "Etc/GMT+5", "US/Eastern"] {
            #expect(ZoneName(name)?.text == name)
        }
    }

    @Test("a short name may be an abbreviation without summer time, and others mean what the machine does") func bad() {
        for name in [
            "CET", "MET", "EET", "WET", "EST", "MST", "HST", "cet", "utc", "EST5EDT", "localtime", "posixrules",
            "Factory", "posix/Europe/Berlin", "right/Europe/Berlin", "", " UTC", "Europe/Berlin ", "Europe/Bérlin",
            "+01:00", "Mars", String(repeating: "a/", count: 33),
        ] { #expect(ZoneName(name) == nil, "\(name)") }
        #expect(ZoneName.rule.contains("Europe/Berlin"))
    }
}
