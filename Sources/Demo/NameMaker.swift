/// Makes names as people choose them for a game: their own name, a part of it, or a fantasy name.
enum NameMaker {
    static func name(of region: Region, _ chance: inout Chance) -> String {
        switch chance.below(100) {
        case 0..<16: full(region, &chance)
        case 16..<34: chance.one(of: region.given)
        case 34..<46: "\(chance.one(of: region.given)) \(chance.one(of: region.family).prefix(1))."
        case 46..<56: "\(chance.one(of: region.given))\(number(&chance))"
        case 56..<92: handle(&chance)
        default: decorated(region, &chance)
        }
    }

    /// The name of a team.
    static func team(_ chance: inout Chance) -> String {
        let (quality, being) = (chance.one(of: qualities), chance.one(of: beings))
        let region = Region.all[chance.place(in: Region.weightSums)]
        return switch chance.below(8) {
        case 0..<3: "\(quality) \(several(being))"
        case 3: "Team \(being)"
        case 4: "\(chance.one(of: region.family)) FC"
        case 5: "\(chance.one(of: region.family)) & \(chance.one(of: region.family))"
        case 6: "\(chance.one(of: pictures)) \(several(being))"
        default: "The \(quality) \(chance.one(of: ["Few", "Four", "Guild", "League", "Ones", "Union"]))"
        }
    }

    private static func several(_ being: String) -> String {
        switch being.last {
        case "h", "s", "x": being + "es"
        case "f": being.dropLast() + "ves"
        default: being + "s"
        }
    }

    private static func full(_ region: Region, _ chance: inout Chance) -> String {
        let (given, family) = (chance.one(of: region.given), chance.one(of: region.family))
        return region.familyFirst ? family + given : "\(given) \(family)"
    }

    private static func handle(_ chance: inout Chance) -> String {
        let (quality, being) = (chance.one(of: qualities), chance.one(of: beings))
        return switch chance.below(7) {
        case 0: quality + being
        case 1: "\(quality)\(being)\(number(&chance))"
        case 2: "\(quality.lowercased())_\(being.lowercased())"
        case 3: "\(quality.lowercased()).\(being.lowercased())\(number(&chance))"
        case 4: "The \(quality) \(being)"
        case 5: "\(being)\(number(&chance))"
        default: "\(quality) \(being)"
        }
    }

    private static func decorated(_ region: Region, _ chance: inout Chance) -> String {
        let picture = chance.one(of: pictures)
        return switch chance.below(4) {
        case 0: "\(picture) \(chance.one(of: region.given))"
        case 1: "\(chance.one(of: region.given)) \(picture)"
        case 2: "\(picture)\(chance.one(of: beings))\(picture)"
        default: picture + chance.one(of: pictures)
        }
    }

    /// A number as people append it to a name: a year of birth, a lucky number, or any other.
    private static func number(_ chance: inout Chance) -> Int {
        switch chance.below(4) {
        case 0: 1 + chance.below(99)
        case 1: 1_975 + chance.below(40)
        case 2: chance.one(of: [7, 13, 42, 77, 99, 100, 123, 404, 777])
        default: 100 + chance.below(9_900)
        }
    }

    private static let qualities = words(
        """
        Amber Brave Clever Cosmic Daring Dusty Electric Fancy Fuzzy Gentle Golden Happy Hidden Icy Jolly Lazy Little \
        Lucky Mellow Midnight Misty Nimble Noble Patient Quick Quiet Rapid Rusty Salty Silent Silver Sleepy Sly Sneaky \
        Solar Stormy Sunny Swift Tiny Turbo Velvet Wandering Wild Winter
        """)
    private static let beings = words(
        """
        Badger Beetle Bison Comet Condor Coyote Cricket Dolphin Dragon Falcon Ferret Fox Gecko Goblin Heron Ibex \
        Jackal Jaguar Kestrel Koala Lemur Lynx Marmot Meteor Moth Narwhal Newt Ocelot Osprey Otter Owl Panda Pirate \
        Puffin Raven Robot Salmon Sparrow Tapir Tiger Toad Viper Walrus Wizard Wolf Yak Zebra
        """)
    private static let pictures = words("🦊 🐙 🚀 🌻 ⭐️ 🎲 🐢 🍀 🦉 🌙 🔥 🎯 🐝 🍉 👾 🎸 🦖 🌈 👩‍🚀 🧙🏽 🇳🇿 ⚡️")

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
