// What people look at: pages, embeds, and the pictures on them.
struct PageRoutes: RouteList {
    private static let group = RouteGroup("", for: .visitors, counts: .reads)

    // Pages.
    let home = Self.group("/", get: Responder.homePage)
    let gamePage = Self.group("/games/{game}", get: Responder.gamePage)
    let boardPage = Self.group("/games/{game}/boards/{board}", get: Responder.boardPage)
    let charitiesPage = Self.group("/charities", get: Responder.charitiesPage)
    let charityPage = Self.group("/charities/{charity}", get: Responder.charityPage)
    let charityContributorsPage = Self.group(
        "/charities/{charity}/contributors", get: Responder.charityContributorsPage)
    let contributorsPage = Self.group("/contributors", get: Responder.contributorsPage)
    let playerPage = Self.group("/players/{player}", get: Responder.playerPage)
    let playPage = Self.group("/play", get: Responder.playPage)
    let privacyPage = Self.group("/privacy", get: Responder.privacyPage)
    let books = Self.group("/books{.format}", for: .visitorsAndSites, get: Responder.books)
    let unsubscribePage = Self.group("/unsubscribe", get: Responder.unsubscribePage, post: Responder.unsubscribe)
    let asset = Self.group("/assets/{file}", get: Responder.asset)

    // Pictures.
    let flag = Self.group("/flags/{player}.svg", get: Responder.flag)
    let playerCard = Self.group("/cards/players/{player}.png", get: Responder.playerCard)
    let boardCard = Self.group("/cards/boards/{game}/{board}.png", get: Responder.boardCard)
    let charityCard = Self.group("/cards/charities/{charity}.png", get: Responder.charityCard)

    // Embeds.
    let embedBoard = Self.group("/embed/boards/{game}/{board}", get: Responder.embedBoard)
    let embedContributors = Self.group("/embed/contributors", get: Responder.embedContributors)
    let embedCharity = Self.group("/embed/charities/{charity}{.picture}", get: Responder.embedCharity)
    let embedColours = Self.group("/embed/colours.css", get: Responder.embedColours)
    let embedScript = Self.group("/embed.js", get: Responder.embedScript)
    let clientScript = Self.group("/causeboard.js", get: Responder.clientScript)
    let overlayBoard = Self.group("/overlay/boards/{game}/{board}", get: Responder.overlayBoard)
    let overlayContributors = Self.group("/overlay/contributors", get: Responder.overlayContributors)
    let overlayCharity = Self.group("/overlay/charities/{charity}", get: Responder.overlayCharity)
}
