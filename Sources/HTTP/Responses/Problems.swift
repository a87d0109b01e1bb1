import enum Contract.ProblemName
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Storage

// The sentences of problems, as clients see them. Those of scores, pages, saves, devices and the admin API are in files
// beside this one, and those of one feature alone stand with it. Sentences about the value of one field are with the
// code that parses the value: see `FieldError`.

// MARK: - The server

extension Problem {
    static let bug = Problem(
        .bug, "The server has a bug, and its log says where. Sending the same again under the same id is safe.")
    static let stopping = Problem(.overloaded, "The server is stopping. Send the same again in a few seconds.")
    static let busy = Problem(.overloaded, "The server is busy. Send the same again in a few seconds.")
    static let tooManyStreams = Problem(
        .overloaded,
        "As many streams are open as this server keeps. Ask for the feed itself, or come again in a few seconds.")
    static let full = Problem(
        .full,
        "The server's disk is nearly full. The rest is reserved for scores and donations. Nothing was recorded. "
            + "Retry later.")
    static let databaseAway = Problem(
        .databaseAway, "The database is away for the moment. Send the same again in a few seconds.")
}

// MARK: - Connections

extension Problem {
    static let noHTTP = Problem(
        .malformed,
        "This is no request of HTTP/1.1, or its head is larger than \(Limits.headBytesMax / 1024) KiB. "
            + "Send a request line and headers of HTTP/1.1, each ended by CRLF.")
    static let badHost = Problem(
        .malformed,
        "A request of HTTP/1.1 has one Host header, with a host and an optional port. Send the server's own.")
    static let codingOfOldVersion = Problem(
        .malformed, "HTTP/1.0 has no Transfer-Encoding. Use HTTP/1.1, or send Content-Length.")
    static let unknownCoding = Problem(
        .notImplemented,
        "This server supports only the Transfer-Encoding chunked, once. Use it, or send Content-Length.")
    static let noTunnels = Problem(
        .methodNotAllowed, "This server is no proxy and takes no CONNECT. Send it the request itself.")
    static let tooManyConnections = Problem(.connectionsOfAddress)
    static let headTooSlow = Problem(
        .tooSlow, "The request's head took longer than \(Limits.headSecondsMax) s. Send it in one go.")
}

// MARK: - Addresses and formats

extension Problem {
    static let noRoute = Problem(.notFound, "There is nothing at this address.")
    static let noSuchSlug = Problem(
        .notFound, "There is nothing at this address. Slugs in it have only a-z, 0-9 and -: send maze-2, not Maze_2.")
    static let noPostHere = Problem(.notFound, "There is nothing to post to at this address.")

    /// - Parameter allow: The route's methods as ``ServedRoute/allow`` lists them.
    static func methodNotAllowed(_ method: HTTPRequest.Method, allow: String) -> Problem {
        Problem(.methodNotAllowed, "This address does not take \(method.rawValue). Use one of \(allow).")
    }

    static func notAcceptable(_ mediaTypes: [String]) -> Problem {
        Problem(.notAcceptable, "There is no such format. Accept one of \(mediaTypes.joined(separator: ", ")).")
    }
}

// MARK: - Heads

extension Problem {
    static let targetTooLong = Problem(
        .targetTooLong, "The address is longer than \(Limits.targetBytesMax / 1024) KiB. Send a shorter path and query."
    )
    static let targetNotASCII = Problem(
        .malformed, "The address has a byte that is no ASCII. Percent-encode it, such as %C3%A9.")
    static let tooManyParameters = Problem(
        .malformed,
        "The query has more than \(Limits.parametersMax) parameters. Send only those that the address knows.")
}

// MARK: - Bodies

extension Problem {
    static let brokenBody = Problem(
        .malformed, "The body ended early, or its length or chunks are not what the head says. Send it whole.")
    static let smallPieces = Problem(
        .malformed,
        "The body comes in too many small pieces. Send it in one go, or in chunks of at least "
            + "\(Limits.smallPieceBytes) bytes.")
    static let tooSlow = Problem(.tooSlow, "The body took longer than \(Limits.bodySecondsMax) s. Send it in one go.")
    static let tooLarge = Problem(
        .tooLarge, "The body is larger than \(Limits.bodyBytesMax / 1024) KiB. Send less, such as a smaller picture.")
    static let noForm = Problem(.mediaType, "The body is read as a form. Send it as application/x-www-form-urlencoded.")
    static let encodedBody = Problem(
        .mediaType,
        "The body is encoded, as Content-Encoding says. Send it as it is, without gzip and without that header.")
    static let noJSONOrForm = Problem(.mediaType, "The body is read as JSON or as a form. Send it as application/json.")

    static let tooManyFields = Problem(
        .malformed, "The body has more than \(Limits.fieldsMax) fields. Send only those that the address knows.")

    static func malformedJSON(_ error: JSONError) -> Problem { Problem(.malformed, error.description) }

    static func noUTF8(_ field: String) -> Problem {
        Problem(
            .malformed,
            "\(field) is no UTF-8. If it ends in the middle of a character, "
                + "Content-Length counts characters: send the length in bytes.", field: field)
    }
}

// MARK: - Queries

extension Problem {
    /// - Parameter what: The noun after the range, such as `rows`.
    static func outOfRange(_ field: String, _ range: ClosedRange<Int64>, _ what: String) -> Problem {
        Problem(
            .malformed, "\(field) is out of range. Ask for \(range.lowerBound) to \(range.upperBound) \(what).",
            field: field)
    }

    static let badPlayers = Problem(
        .malformed, "players is a list of 1 to \(Limits.playersInQueryMax) player ids with commas between them.",
        field: "players")
    static let badPlayer = Problem(.malformed, "player is no player id. Send digits only.", field: "player")
    static let badPoints = Problem(
        .malformed, "points is no whole number of 64 bits. Send digits only, such as 1500.", field: "points")
    static let pointsMissing = Problem(
        .malformed, "points is missing. Ask for the rank of some points, such as ?points=1500.", field: "points")
    static func badCountry(_ field: String) -> Problem {
        Problem(
            .malformed,
            field == "of"
                ? "of is no country. Ask for a code in upper case, such as DE (ISO 3166)."
                : "country is no country or region. Ask for \(CountryFlag.rule).", field: field)
    }
    static let twoSets = Problem(.malformed, "Ask for only one of players, country and team.", field: "players")
    static let noFlags = Problem(.notFound, "Players of this game show no flags.")
    static let noCountries = Problem(.notFound, "This board ranks no countries.")
    static let badImage = Problem(.malformed, "image is embed or link. Ask for one of them.", field: "image")
    static let badWindow = Problem(
        .badWindow,
        "There is no such window. Ask for all, today, yesterday, week, month, 2026-W47, 2026-11 or "
            + "2026-11-01..2026-11-20 (at most \(Limits.windowDaysMax) days).", field: "window")

    /// - Parameter field: One of the fields that exclude each other.
    static func twoPages(_ field: String?) -> Problem {
        Problem(.malformed, "Ask for one of after, before, from and players, not for two.", field: field)
    }

    static func badCursor(_ field: String) -> Problem {
        Problem(
            .badCursor,
            "\(field) is no cursor of this list. Take next or prev of the page that was answered, as it is.",
            field: field)
    }
}

// MARK: - What is not there

extension Problem {
    static let noGame = Problem(.notFound, "There is no such game. Name it by its slug.", field: "game")
    static let noBoard = Problem(.notFound, "There is no such game or board. Name them by their slugs.")
    static let noSeason = Problem(.notFound, "There is no such game or board, or the board had no such season.")
    static let noCharity = Problem(.notFound, "There is no such charity. Name it by its slug.", field: "charity")
    static let noPlayer = Problem(.notFound, "There is no such player.", field: "player")
    static let noPlayerInGame = Problem(.notFound, "There is no such player in this game.", field: "player")
    static let noCustomer = Problem(.notFound, "There is no such customer.")
    static let noReceipt = Problem(.notFound, "There is nothing of yours under this id.")
    static let noPicture = Problem(.notFound, "There is no such picture.")
    static let pictureGone = Problem(.gone, "Nobody shows this picture any more.")
}

// MARK: - What a classic form names

extension Problem {
    static let unknownPhone = Problem(
        .field, "No player has this phone. Register it with \(Routes.classic.customers.name(.put)) first.",
        field: "phone")
    static let unknownBoard = Problem(.field, "There is no such board. Name it by its slug.", field: "board")
    static let unknownCharity = Problem(
        .field, "There is no such charity. Name it by its slug or its name.", field: "charity")
}

// MARK: - Who calls

extension Problem {
    static let unauthorized = Problem(
        .unauthorized,
        "Say who calls: send Authorization: Bearer with the player's own token, or with a key of this game.")
    static let playersOnly = Problem(
        .forbidden, "This is a player's own address. Send the player's token, not the game's key.")
    static let gamesOnly = Problem(
        .forbidden, "Only a game's key may do this. Players register with \(Routes.v1.device.name(.put)).")
    static let noKeyForDevices = Problem(
        .forbidden,
        "A device brings a token of its own. Leave the game's key out, or use \(Routes.v1.gamePlayer.name(.put)).")
    static let externalIsForGames = Problem(
        .forbidden, "Only a game's key may speak for others. Leave player and external out.", field: "external")
    static let otherGamesKey = Problem(.forbidden, "This key is another game's. Send one of the game in the path.")
    static let otherPlayer = Problem(
        .forbidden, "A player speaks for nobody else. Leave player out, or send your own id.", field: "player")
    static let classicClosed = Problem(
        .forbidden, "The classic protocol is not open here. Ask whoever runs this server, or use a newer game.")
    static let tokenNeeded = Problem(
        .forbidden, "This device has a token, and only with it may it be spoken for. Use the v1 protocol.",
        field: "phone")

    static let httpsOnly = Problem(
        .httpsOnly,
        "This address is served over https only. Send the same to https, and make a new token if this one was sent.")

    /// The refusal of a caller that is known and has no right to what it asks for.
    static func forbidden(_ caller: Caller) -> Problem {
        switch caller {
        case .key: otherGamesKey
        case .token, .device, .player: otherPlayer
        }
    }
}

// MARK: - Ids and names

extension Problem {
    static let badID = Problem(
        .malformed, "id is no UUID. Send one like 0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e, or none.", field: "id")
    static let badPathID = Problem(
        .malformed, "The last part of the path is no UUID. Send one like 0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e.",
        field: "id")
    static let idReused = Problem(
        .idReused, "This id was used for something else. Make a new one for each post.", field: "id")

    /// A path names a device or a player by a text that no label can be.
    static func badPathLabel(_ error: FieldError) -> Problem {
        Problem(.malformed, error.description, field: error.field)
    }
}

extension FieldError {
    static func looksLikeCharity(_ field: String) -> FieldError {
        FieldError(field, kind: .nameRefused, "The name looks like a charity's. Choose another one.")
    }
}

// MARK: - Headers beyond their bounds

extension Problem {
    static func headerNotASCII(_ name: HTTPField.Name) -> Problem {
        Problem(
            .malformed, "\(name.rawName) has a byte that is no ASCII. Send ASCII alone, or leave the header out.",
            field: name.rawName)
    }

    static func headerTooLong(_ name: HTTPField.Name) -> Problem {
        Problem(
            .headerTooLong,
            "\(name.rawName) is longer than \(Limits.headerBytesMax / 1024) KiB. Send a shorter one, or leave it out.",
            field: name.rawName)
    }
}

// MARK: - The books

extension Problem {
    static let badDay = Problem(.malformed, "day is no date. Send one such as 2026-11-21.", field: "day")
    static let bookDayNotOver = Problem(
        .notFound,
        "The books of this day are not closed yet. A day is closed \(Limits.bookGraceSeconds / 60) minutes after "
            + "its end in UTC; ask for an earlier one.")
    static let noBookDay = Problem(
        .notFound, "There are no books of this day, because nothing had been recorded yet. Ask for a later day.")
}

// MARK: - Players who left, and names that wait

extension Problem {
    static let playerGone = Problem(.gone, "This player has left.")
    /// What a token of a player who was erased is answered.
    static func erased(_ receipt: UUID) -> Problem {
        Problem(
            erased: receipt.text, "The player of this token has left, and everything that tells who it was is gone.")
    }

    static let badQueueKind = Problem(
        .malformed,
        "kind is none of \(QueueItem.Kind.allCases.map(\.rawValue).joined(separator: ", ")). Leave it out for all "
            + "of them.", field: "kind")
}
