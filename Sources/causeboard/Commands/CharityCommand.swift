import ArgumentParser
import Domain
import Storage

struct CharityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charity", abstract: "Charities that players donate their points to.",
        subcommands: [Add.self, List.self, Set.self, Close.self])

    /// The options of both a new charity and an existing one.
    struct Shape: ParsableArguments {
        @Option(help: "Its name for people, \(DisplayName.rule); classic clients may name it so.") var name:
            DisplayName?
        @Option(help: "Its web site, or none.") var url: Optionally<String>?
        @Option(help: "What it does, or none.") var description: Optionally<String>?
        @Option(parsing: .unconditional, help: "Points it hopes to receive, or none.") var goal: Optionally<Int64>?
        @Option(help: "Takes donations from this instant on, such as 2026-12-01T00:00:00+01:00, or none.") var opens:
            Optionally<InstantArgument>?
        @Option(help: "Takes donations before this instant, such as 2026-12-24T00:00:00+01:00, or none.") var closes:
            Optionally<InstantArgument>?

        @Option(help: "Minutes in which whoever donated may take it back, 0 to \(Limits.coolingOffMinutesMax).")
        var coolingOff: Int32?
        @Option(help: "Points that it takes on a day of its board, or none.") var capDay: Optionally<Int64>?
        @Option(help: "Points that it takes in all, or none.") var capAll: Optionally<Int64>?

        func validate() throws { do { _ = try change.checked() } catch { throw ValidationError(error.asOption) } }

        var change: CharityChange {
            var change = CharityChange()
            change.name = name
            change.url = url.change()
            change.description = description.change()
            change.goal = goal.change()
            change.opensAt = opens.instantChange()
            change.closesAt = closes.instantChange()
            change.coolingOffMinutes = coolingOff
            change.capOfDay = capDay.change()
            change.capInAll = capAll.change()
            return change
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a charity, and the board of those who donate to it.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "Its name in paths: \(Slug.rule).") var slug: Slug
        @OptionGroup var shape: Shape
        @Option(
            help: "Time zone of its board's days, such as Europe/Berlin. UTC unless told otherwise; fixed once added.",
            transform: ZoneName.argument) var zone: ZoneName?

        func run() async throws {
            let outcome = try await Database.withStore(database) { [slug, change = shape.change, zone] store in
                try await store.addCharity(slug, change, zone: zone?.text ?? "UTC", now: .now)
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
            let outcome = try await Database.withStore(database) { [slug, change = shape.change] store in
                try await store.setCharity(slug, change, now: .now)
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
                try await store.closeCharity(slug, now: .now)
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
            for charity in try await Database.withStore(database, { store in try await store.charityListings() }) {
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
