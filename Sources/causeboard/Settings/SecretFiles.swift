import Glibc
import Logging
import Postgres

/// Files of the settings that contain secrets, and whether others can read them.
struct SecretFiles {
    struct File {
        let name: String
        let path: String
        /// What is wrong with the file's mode, and the command to fix it; nil if it is good.
        let trouble: String?
    }

    /// - Parameter tlsKey: The file of the TLS key.
    /// - Returns: The files that exist.
    static func files(_ settings: Settings, tlsKey: String?) -> [File] {
        var paths: [(name: String, path: String?)] = [
            ("secret file", settings.secretHex == nil ? SecretSource.file(settings) : nil), ("TLS key", tlsKey),
        ]
        if let file = settings.file, file.holdsSecrets { paths.append(("settings file", file.path)) }
        return paths.compactMap { name, path in
            var status = stat()
            guard let path, stat(path, &status) == 0 else { return nil }
            return File(
                name: name, path: path,
                trouble: trouble(path, mode: status.st_mode, owner: status.st_uid, group: status.st_gid))
        }
    }

    /// A group may read a file of root: an administrator has chosen that group, as with `ssl-cert` for keys and the
    /// package's group for settings. Any other file must be readable by its owner only.
    static func trouble(_ path: String, mode: mode_t, owner: uid_t, group: gid_t) -> String? {
        let isOfGroup = owner == 0 && group != 0
        let remedy = "Run: chmod \(isOfGroup ? "640" : "600") \(path)"
        if mode & 0o002 != 0 { return "every user of this machine can change it. \(remedy)" }
        if mode & 0o004 != 0 { return "every user of this machine can read it. \(remedy)" }
        if mode & 0o020 != 0 { return "its group can change it. \(remedy)" }
        if mode & 0o040 != 0, owner != 0 { return "its group can read it. \(remedy)" }
        return nil
    }
}

/// Passwords among the arguments of a process, which every user of the machine can read.
enum PasswordArguments {
    /// Logs a warning for each option whose URL has a password. It never logs the URL.
    static func warn(of arguments: [String] = CommandLine.arguments, logger: Logger) {
        for option in options(in: arguments) {
            logger.warning(
                """
                an argument has a password, and every user of this machine can read it (ps): \
                give the URL in the environment or in the settings file, or leave the password to ~/.pgpass
                """, metadata: ["option": "\(option)"])
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
