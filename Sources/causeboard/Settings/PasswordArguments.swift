import Logging
import Postgres

/// Passwords among the arguments of a process, which every user of the machine can read.
enum PasswordArguments {
    /// Logs a warning for each option whose URL has a password. It never logs the URL.
    static func warn(of arguments: [String] = CommandLine.arguments, logger: Logger) {
        for option in options(in: arguments) {
            logger.warning(
                """
                an argument has a password, and every user of this machine can read it (ps): \
                give the URL in the environment or in the settings file, or leave the password to ~/.pgpass
                """,
                metadata: ["option": "\(option)"]
            )
        }
    }

    /// The options whose values are connection strings with a password, in their order.
    static func options(in arguments: [String]) -> [String] {
        var options: [String] = []
        for (index, argument) in arguments.enumerated().dropFirst() {
            var (option, value) = (arguments[index - 1], argument)
            if argument.hasPrefix("--") {
                guard let equals = argument.firstIndex(of: "=") else { continue }
                (option, value) = (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
            }
            // Without either of these, the text is the name of a database.
            guard value.contains("=") || value.contains("://"), SeparatedLogin(value)?.hasPassword == true else {
                continue
            }
            options.append(option.hasPrefix("--") ? option : "an argument")
        }
        return options
    }
}
