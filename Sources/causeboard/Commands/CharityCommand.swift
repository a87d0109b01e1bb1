import ArgumentParser
import Domain
import Storage

struct CharityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charity", abstract: "Charities that players donate their points to.",
        subcommands: [Add.self, List.self, Set.self, Close.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a charity, and the board of those who donate to it.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "Its name in paths: \(Slug.rule).") var slug: Slug
        @OptionGroup var shape: NewSettings<CharitySettings>

        func run() async throws {
            let change = try shape.change()
            let outcome = try await Database.withStore(database) { [slug] store in
                try await store.admin.addCharity(slug, change, now: .now)
            }
            try outcome.check("charity \(slug)")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change a charity.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The charity's slug.") var slug: Slug
        @OptionGroup var shape: ChangedSettings<CharitySettings>

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
                    charity.slug, charity.name.description, charity.goal.map { "\($0)" } ?? "",
                    charity.opensAt?.rfc3339(.seconds) ?? "", charity.closesAt?.rfc3339(.seconds) ?? "",
                    "\(charity.coolingOffMinutes)", charity.caps.day.map { "\($0)" } ?? "",
                    charity.caps.all.map { "\($0)" } ?? "", charity.zone, charity.url ?? "",
                ])
            }
            try Output.line(table.text)
        }
    }
}
