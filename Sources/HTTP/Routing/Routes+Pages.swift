// What people look at: pages, embeds, and the pictures on them.
struct PageRoutes: RouteList {
    private static let group = RouteGroup("", for: .visitors, counts: .reads)

    // Pages.
    let home = Self.group("/", get: PageHandlers.homePage)
    let gamePage = Self.group("/games/{game}", get: PageHandlers.gamePage)
    let boardPage = Self.group("/games/{game}/boards/{board}", get: PageHandlers.boardPage)
    let teamsPage = Self.group("/games/{game}/boards/{board}/teams", get: PageHandlers.teamsPage)
    let teamPage = Self.group("/games/{game}/teams/{team}", get: PageHandlers.teamPage)
    let awardsPage = Self.group("/games/{game}/awards", get: PageHandlers.awardsPage)
    let winnersPage = Self.group("/games/{game}/boards/{board}/winners", get: PageHandlers.winnersPage)
    let countriesPage = Self.group("/games/{game}/boards/{board}/countries", get: PageHandlers.countriesPage)
    let charitiesPage = Self.group("/charities", get: PageHandlers.charitiesPage)
    let charityPage = Self.group("/charities/{charity}", get: PageHandlers.charityPage)
    let charityContributorsPage = Self.group(
        "/charities/{charity}/contributors", get: PageHandlers.charityContributorsPage)
    let campaignsPage = Self.group("/campaigns", get: PageHandlers.campaignsPage)
    let campaignPage = Self.group("/campaigns/{campaign}", get: PageHandlers.campaignPage)
    let contributorsPage = Self.group("/contributors", get: PageHandlers.contributorsPage)
    let playerPage = Self.group("/players/{player}", get: PageHandlers.playerPage)
    let playPage = Self.group("/play", get: PageHandlers.playPage)
    let privacyPage = Self.group("/privacy", get: PageHandlers.privacyPage)
    let books = Self.group("/books{.format}", for: .visitorsAndSites, get: PageHandlers.books)
    let unsubscribePage = Self.group("/unsubscribe", get: PageHandlers.unsubscribePage, post: PageHandlers.unsubscribe)
    let asset = Self.group("/assets/{file}", get: PageHandlers.asset)

    // Pictures.
    let flag = Self.group("/flags/{player}.svg", get: PictureHandlers.flag)
    let awardBadge = Self.group("/games/{game}/awards/{award}{.picture}", get: PictureHandlers.awardBadge)
    let playerCard = Self.group("/cards/players/{player}.png", get: PictureHandlers.playerCard)
    let boardCard = Self.group("/cards/boards/{game}/{board}.png", get: PictureHandlers.boardCard)
    let charityCard = Self.group("/cards/charities/{charity}.png", get: PictureHandlers.charityCard)
    let campaignCard = Self.group("/cards/campaigns/{campaign}.png", get: PictureHandlers.campaignCard)

    // Embeds.
    let embedBoard = Self.group("/embed/boards/{game}/{board}", get: EmbedHandlers.embedBoard)
    let embedContributors = Self.group("/embed/contributors", get: EmbedHandlers.embedContributors)
    let embedCharity = Self.group("/embed/charities/{charity}{.picture}", get: EmbedHandlers.embedCharity)
    let embedCampaign = Self.group("/embed/campaigns/{campaign}{.picture}", get: EmbedHandlers.embedCampaign)
    let embedColours = Self.group("/embed/colours.css", get: EmbedHandlers.embedColours)
    let embedScript = Self.group("/embed.js", get: PageHandlers.embedScript)
    let clientScript = Self.group("/causeboard.js", get: PageHandlers.clientScript)
    let overlayBoard = Self.group("/overlay/boards/{game}/{board}", get: EmbedHandlers.overlayBoard)
    let overlayContributors = Self.group("/overlay/contributors", get: EmbedHandlers.overlayContributors)
    let overlayCharity = Self.group("/overlay/charities/{charity}", get: EmbedHandlers.overlayCharity)
    let overlayCampaign = Self.group("/overlay/campaigns/{campaign}", get: EmbedHandlers.overlayCampaign)
}
