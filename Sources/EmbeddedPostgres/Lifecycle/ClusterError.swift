import Glibc

/// Why the embedded database cannot be used. Each description tells the operator what is wrong and then what to do.
package enum ClusterError: Error, Equatable {
    /// There is no PostgreSQL that could make a new cluster; `otherMajors` are installed.
    case noBinaries(searched: [String], otherMajors: [Int])
    /// The cluster exists, and the major version that made it is not installed.
    case otherMajor(MajorVersionMismatch)
    /// Another `serve` holds the data directory. The pid is nil until that one has written it into the lock file.
    case heldByServer(directory: String, pid: Int32?)
    /// A postmaster runs on the cluster that was not started the way Causeboard starts it.
    case heldByPostgres(cluster: String, pid: Int32, reason: String)
    /// Processes of the cluster run where they cannot be seen from here.
    case heldElsewhere(cluster: String)
    /// Processes that are not PostgreSQL itself hold the running lock, such as an archive command that has outlived the
    /// postmaster.
    case heldByOthers(lock: String, holders: [LockHolder])
    /// Another process has been making, starting or stopping the cluster for longer than `Limits.startLock`.
    case busy(directory: String)
    /// There is something at the cluster's path that is not a cluster.
    case notACluster(String)
    /// The cluster's path is an empty directory that cannot be replaced by a finished cluster.
    case mountPoint(cluster: String, data: String)
    case unusablePath(String, reason: String)
    case wrongOwner(String, owner: String, wanted: String)
    case wrongMode(String, octal: String)
    /// The user who runs PostgreSQL cannot enter `blocked`, a directory on the way to `directory`.
    case unreachable(directory: String, blocked: String, user: String)
    /// Another user could have made or could replace the socket's directory.
    case unsafeSocketDirectory(String, reason: String)
    case noUser(String)
    case noSetpriv
    /// Our own user id is not in the system's list of users, as in a container that was given a bare number.
    case namelessUser(id: UInt32)
    case invalidSetting(String)
    case startFailed(log: String, lines: String)
    /// A start has done nothing for `limit`.
    case startStalled(log: String, limit: Duration)
    /// The user who runs PostgreSQL cannot run `program`, which is to archive.
    case notRunnable(program: String, user: String)
    /// A program that makes or copies databases has failed.
    case programFailed(program: String, lines: String)
    /// That program is not installed in the version that a database needs.
    case noProgram(name: String, major: Int, package: String)
    /// A copy of the cluster's files is not what its manifest says.
    case copyDamaged(directory: String, lines: String)
    /// An upgrade or a move needs the cluster for itself alone, and somebody has it open.
    case inUse(directory: String)
    /// An upgrade or a move holds the cluster.
    case beingUpgraded(directory: String)
    /// An upgrade was ended while the clusters changed places.
    case swapUnfinished(directory: String)
    /// The database was moved elsewhere.
    case moved(directory: String, text: String)
    /// Why a cluster cannot be moved to another version, or back.
    case notUpgradable(String)
    /// The task that opened the cluster was cancelled; nothing is left behind.
    case cancelled
    /// A system call failed.
    case file(action: String, path: String, code: Int32)

    static func file(_ action: String, _ path: String, code: Int32 = errno) -> ClusterError {
        .file(action: action, path: path, code: code)
    }
}

extension ClusterError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noBinaries(let searched, let otherMajors):
            let others =
                otherMajors.isEmpty
                ? "" : " (PostgreSQL \(Self.list(otherMajors)) is installed, but is not one of them)"
            return """
                No PostgreSQL \(Limits.majors.lowerBound) to \(Limits.majors.upperBound) was found in \
                \(Self.list(searched))\(others). \
                Install it, on Debian and Ubuntu with 'apt-get install postgresql', or use a database of your own with \
                --database-url.
                """
        case .otherMajor(let other): return other.description
        case .heldByServer(let directory, let pid):
            return """
                Another causeboard server \(pid.map { "(pid \($0)) " } ?? "")holds the data directory \(directory). \
                Stop that one first, or let a second server share its database with \
                --database-url "$(causeboard check --print-database-url)".
                """
        case .heldByPostgres(let cluster, let pid, let reason):
            return """
                PostgreSQL already runs on \(cluster) (pid \(pid)), but not as Causeboard starts it: \(reason). \
                Stop it ('kill -INT \(pid)') and start again.
                """
        case .heldElsewhere(let cluster):
            return """
                PostgreSQL already runs on \(cluster), in another container or PID namespace, and a second one would \
                destroy its data. Run this command there ('docker exec'), or stop that one first.
                """
        case .heldByOthers(let lock, let holders):
            return """
                PostgreSQL cannot be started while \(Self.list(holders)) \(holders.count == 1 ? "holds" : "hold") \
                \(lock). What PostgreSQL starts inherits that lock, and an archive_command may outlive it. Wait until \
                that has ended, or end it ('kill \(holders.map { String($0.pid) }.joined(separator: " "))'), and start \
                again.
                """
        case .busy(let directory):
            return """
                Another process has been starting or stopping the database in \(directory) for more than \
                \(Limits.startLock). \
                Its log is \(directory)/postgres.log; try again when that process is done.
                """
        case .notACluster(let path):
            return """
                \(path) is not a PostgreSQL cluster (it has no readable PG_VERSION), and Causeboard does not overwrite \
                it. Move it away, or choose another data directory with --data.
                """
        case .mountPoint(let cluster, let data):
            return """
                \(cluster) is an empty mount point, or holds nothing but lost+found. Causeboard makes its database \
                under another name and renames it when it is complete, which works inside one volume only. \
                Mount the volume at \(data) instead, where lost+found does no harm.
                """
        case .unusablePath(let path, let reason):
            return
                "The data directory \(path.debugDescription) cannot be used: \(reason). Choose another one with --data."
        case .wrongOwner(let path, let owner, let wanted):
            return """
                \(path) belongs to \(owner) and has to belong to \(wanted). \
                Start as the user who made it, or change its owner with 'chown'.
                """
        case .wrongMode(let path, let octal):
            return """
                Other users may write into \(path) (mode \(octal)), so its contents cannot be trusted. \
                Run 'chmod go-w' on it.
                """
        case .unreachable(let directory, let blocked, let user):
            return """
                PostgreSQL runs as the user \(user), who cannot enter \(blocked), so it cannot reach \(directory). \
                Choose a data directory elsewhere, such as --data /var/lib/causeboard, or run 'chmod o+x' on \(blocked).
                """
        case .unsafeSocketDirectory(let path, let reason):
            return """
                The database's socket directory \(path) is not safe to use: \(reason). \
                Look who made it, remove it, and start again.
                """
        case .noUser(let name):
            return """
                PostgreSQL refuses to run as root, and there is no unprivileged user '\(name)' to run it as. \
                Install the package 'postgresql' or run 'useradd --system \(name)'; \
                or start causeboard as a user other than root.
                """
        case .noSetpriv:
            return """
                /usr/bin/setpriv is missing, so root cannot start PostgreSQL as another user. \
                Install the package 'util-linux'.
                """
        case .namelessUser(let id):
            return """
                The user id \(id) has no name on this system, and PostgreSQL runs only for a user with a name. \
                Add one ('useradd --system --uid \(id) causeboard'), or start as root or as a user who has one.
                """
        case .invalidSetting(let name):
            return """
                \(name.debugDescription) is not the name of a PostgreSQL setting: \
                use letters, digits, '_' and '.' only.
                """
        case .startFailed(let log, let lines):
            return
                "PostgreSQL did not start. The last lines of its log, \(log), are:\n\(lines)\(Self.advice(for: lines))"
        case .startStalled(let log, let limit):
            return """
                PostgreSQL has done nothing for \(limit) although it was not ready, and was stopped. Its log, \(log), \
                says what it was doing; start again to go on.
                """
        case .notRunnable(let program, let user):
            return """
                PostgreSQL runs as the user \(user), who cannot run \(program), which --archive needs it to do. Put \
                the program where everybody can run it, such as /usr/local/bin.
                """
        case .programFailed(let program, let lines):
            return "\(program) failed. Its last lines were:\n\(lines)\(Self.advice(for: lines))"
        case .noProgram(let name, let major, let package):
            return """
                The database is PostgreSQL \(major), and \(name) of that version was not found; another version may \
                write or read what this one does not. Install it, on Debian and Ubuntu with \
                'apt-get install \(package)-\(major)'.
                """
        case .copyDamaged(let directory, let lines):
            return """
                The base backup in \(directory) is cut or changed. Take another copy of it, or restore from another \
                one. The last lines of PostgreSQL's own check were:\n\(lines)
                """
        case .inUse(let directory):
            return """
                Somebody uses the database: causeboard has \(directory) open. What they write would be missing in the \
                copy. Stop every server first, and every other causeboard on it; nothing was changed.
                """
        case .beingUpgraded(let directory):
            return """
                `causeboard upgrade` or `move` is at work on \(directory). Wait until it is done; whoever posts \
                meanwhile is asked to try again later.
                """
        case .swapUnfinished(let directory):
            return """
                `causeboard upgrade` was ended on \(directory) while it changed the databases. Nothing is lost: run it \
                again, and it goes on from there.
                """
        case .moved(let directory, let text):
            return """
                The database in \(directory) was moved elsewhere (\(text)), and what is here is as old as that. Use the \
                other one, with --database-url. To use this one all the same, remove \(directory)/moved.
                """
        case .notUpgradable(let sentence): return sentence
        case .cancelled: return "The start of the database was cancelled."
        case .file(let action, let path, let code):
            return """
                Cannot \(action) \(path): \(String(cString: strerror(code))).\
                \(code == ENOSPC || code == EDQUOT ? Self.makeRoom : "")
                """
        }
    }

    private static let makeRoom = " Make room on that disk and start again."

    private static func advice(for lines: String) -> String {
        // Only the segments of POSIX shared memory are there; another failure of memory says so itself.
        if lines.contains("shared memory segment \"/PostgreSQL"), lines.contains("No space left on device") {
            return """

                /dev/shm is full or too small. Enlarge it, with a container's --shm-size or with \
                'mount -o remount,size=256m /dev/shm', and start again.
                """
        }
        if lines.contains("No space left on device") || lines.contains("Disk quota exceeded") {
            return "\nThe disk is full.\(makeRoom)"
        }
        return "\nPut right what they name and start again; nothing was lost."
    }

    private static func list(_ items: [some CustomStringConvertible]) -> String {
        items.isEmpty ? "nowhere" : items.map(\.description).joined(separator: ", ")
    }
}

/// A cluster whose major version of PostgreSQL is not installed, with what the operator can do about it.
package struct MajorVersionMismatch: Sendable, Equatable, CustomStringConvertible {
    /// The cluster's directory.
    package let cluster: String
    /// The major version that made it.
    package let made: Int
    /// Installed majors with the directories of their programs.
    package let installed: [Int: String]
    /// The user who runs PostgreSQL.
    package let user: String

    package var description: String {
        let found = installed.keys.sorted()
        let here =
            found.isEmpty
            ? "no PostgreSQL is installed" : "only PostgreSQL \(found.map(String.init).joined(separator: " and ")) is"
        return """
            The database in \(cluster) was made by PostgreSQL \(made) and runs on that major version only; \
            here, \(here). \
            Install it with 'apt-get install postgresql-\(made)' (https://apt.postgresql.org has the versions that \
            your system has dropped) and start again.\(upgrade)
            """
    }

    /// How to upgrade the cluster; empty unless a newer major is installed.
    private var upgrade: String {
        guard let newest = installed.keys.max(), newest > made else { return "" }
        return """
             To move to PostgreSQL \(newest) instead, install postgresql-\(made) beside it for as long as that takes, \
            and run `causeboard upgrade` as who starts the server. If you have a backup of now, `causeboard restore` \
            into a new directory does without.
            """
    }
}
