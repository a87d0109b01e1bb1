import Domain
package import Storage

/// What a process keeps in memory of its database: all of it may be lost at any time, and nothing is lost with it.
package struct LiveMemory: Sendable {
    package let standings: LiveStandings
    let echoes: Echoes
    let faces: Faces
    let catalogue: Catalogue
    let sizes: BoardSizes
    let charities = KeptCharities()

    /// - Parameter facesMax: How many players' names and pictures are kept; as many again while others take their place.
    package init(store: Store, facesMax: Int = Limits.facesMin) {
        standings = LiveStandings()
        echoes = Echoes(standings: standings)
        faces = Faces(store: store, max: facesMax)
        catalogue = Catalogue(store: store)
        sizes = BoardSizes(store: store, standings: standings)
    }
}
