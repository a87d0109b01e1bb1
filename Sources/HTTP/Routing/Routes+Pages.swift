// What people look at: pages, embeds, and the pictures on them.
extension Routes {
    // Pages.
    static let home = Route("/", for: .visitors, counts: .reads, get: Responder.homePage)
    static let gamePage = Route("/games/{game}", for: .visitors, counts: .reads, get: Responder.gamePage)
    static let boardPage = Route(
        "/games/{game}/boards/{board}", for: .visitors, counts: .reads, get: Responder.boardPage)
    static let charitiesPage = Route("/charities", for: .visitors, counts: .reads, get: Responder.charitiesPage)
    static let charityPage = Route("/charities/{charity}", for: .visitors, counts: .reads, get: Responder.charityPage)
    static let charityContributorsPage = Route(
        "/charities/{charity}/contributors", for: .visitors, counts: .reads, get: Responder.charityContributorsPage)
    static let contributorsPage = Route(
        "/contributors", for: .visitors, counts: .reads, get: Responder.contributorsPage)
    static let playerPage = Route("/players/{player}", for: .visitors, counts: .reads, get: Responder.playerPage)
    static let playPage = Route("/play", for: .visitors, counts: .reads, get: Responder.playPage)
    static let privacyPage = Route("/privacy", for: .visitors, counts: .reads, get: Responder.privacyPage)
    static let books = Route("/books{.format}", for: .visitorsAndSites, counts: .reads, get: Responder.books)
    static let unsubscribePage = Route(
        "/unsubscribe", for: .visitors, counts: .reads, get: Responder.unsubscribePage, post: Responder.unsubscribe)
    static let asset = Route("/assets/{file}", for: .visitors, counts: .reads, get: Responder.asset)

    // Pictures.
    static let flag = Route("/flags/{player}.svg", for: .visitors, counts: .reads, get: Responder.flag)
    static let playerCard = Route(
        "/cards/players/{player}.png", for: .visitors, counts: .reads, get: Responder.playerCard)
    static let boardCard = Route(
        "/cards/boards/{game}/{board}.png", for: .visitors, counts: .reads, get: Responder.boardCard)
    static let charityCard = Route(
        "/cards/charities/{charity}.png", for: .visitors, counts: .reads, get: Responder.charityCard)

    // Embeds.
    static let embedBoard = Route(
        "/embed/boards/{game}/{board}", for: .visitors, counts: .reads, get: Responder.embedBoard)
    static let embedContributors = Route(
        "/embed/contributors", for: .visitors, counts: .reads, get: Responder.embedContributors)
    static let embedCharity = Route(
        "/embed/charities/{charity}{.picture}", for: .visitors, counts: .reads, get: Responder.embedCharity)
    static let embedColours = Route("/embed/colours.css", for: .visitors, counts: .reads, get: Responder.embedColours)
    static let embedScript = Route("/embed.js", for: .visitors, counts: .reads, get: Responder.embedScript)
    static let clientScript = Route("/causeboard.js", for: .visitors, counts: .reads, get: Responder.clientScript)
    static let overlayBoard = Route(
        "/overlay/boards/{game}/{board}", for: .visitors, counts: .reads, get: Responder.overlayBoard)
    static let overlayContributors = Route(
        "/overlay/contributors", for: .visitors, counts: .reads, get: Responder.overlayContributors)
    static let overlayCharity = Route(
        "/overlay/charities/{charity}", for: .visitors, counts: .reads, get: Responder.overlayCharity)

    static let pages: [any ServedRoute] = [
        home, gamePage, boardPage, charitiesPage, charityPage, charityContributorsPage, contributorsPage, playerPage,
        playPage, privacyPage, books, unsubscribePage, asset, embedBoard, embedContributors, embedCharity, embedColours,
        embedScript, clientScript, flag, playerCard, boardCard, charityCard, overlayBoard, overlayContributors,
        overlayCharity,
    ]
}
