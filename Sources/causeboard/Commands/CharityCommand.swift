import ArgumentParser
import Domain
import Storage

struct CharityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charity", abstract: "Charities that players donate their points to.",
        subcommands: [Add.self, List.self, Set.self, Close.self])

    /// The options of both a new charity and an existing one.
    struct Shape: SettingOptions {
        static let settings = CharityChange.settings
        static var unchanged: CharityChange { CharityChange() }
        static func checked(_ change: CharityChange) throws(FieldError) -> CharityChange { try change.checked() }

        @Option(Shape.self, "name") var name: String?
        @Option(Shape.self, "url") var url: String?
        @Option(Shape.self, "description") var description: String?
        @Option(Shape.self, "goal") var goal: String?
        @Option(Shape.self, "opens") var opens: String?
        @Option(Shape.self, "closes") var closes: String?
        @Option(Shape.self, "cooling_off") var coolingOff: String?
        @Option(Shape.self, "cap_day") var capDay: String?
        @Option(Shape.self, "cap_all") var capAll: String?
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a charity, and the board of those who donate to it.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "Its name in paths: \(Slug.rule).") var slug: Slug
        @OptionGroup var shape: Shape

        @Option(Shape.self, "zone") var zone: String?

        func validate() throws {
            if let zone, ZoneName(zone) == nil { throw ValidationError("--zone is \(ZoneName.rule).") }
        }

        func run() async throws {
            let change = try shape.change()
            let outcome = try await Database.withStore(database) { [slug, zone] store in
                try await store.admin.addCharity(slug, change, zone: zone ?? "UTC", now: .now)
            }
            try outcome.check("charity \(slug)")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change a charity.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The charity's slug.") var slug: Slug
        @OptionGroup var shape: Shape

        func run() async throws {
            let change = try shape.change()
            let outcome = try await Database.withStore(database) { [slug] store in
                try await store.admin.setCharity(slug, change, now: .now)
            }
            try outcome.check("charity \(slug)")
        }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close a charity now: it takes no more donations, and its ranking is final.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The charity's slug.") var slug: Slug

        func run() async throws {
            let outcome = try await Database.withStore(database) { [slug] store in
                try await store.admin.closeCharity(slug, now: .now)
            }
            try outcome.check("charity \(slug)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all charities.")
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            var table = TextTable(
                ["charity", "name", "goal", "opens", "closes", "cooling off", "cap day", "cap all", "zone", "url"],
                alignedRight: [2, 5, 6, 7])
            for charity in try await Database.withStore(database, { store in try await store.admin.charityListings() })
            {
                table.add([
                    charity.slug, charity.name, charity.goal.map { "\($0)" } ?? "",
                    charity.opensAt?.rfc3339(.seconds) ?? "", charity.closesAt?.rfc3339(.seconds) ?? "",
                    "\(charity.coolingOffMinutes)", charity.caps.day.map { "\($0)" } ?? "",
                    charity.caps.all.map { "\($0)" } ?? "", charity.zone, charity.url ?? "",
                ])
            }
            try Output.line(table.text)
        }
    }
}
