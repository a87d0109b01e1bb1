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

    /// - Parameter faceBytes: What players' names and pictures' hashes may take, about.
    package init(store: Store, faceBytes: Int = Limits.faceMegabytes << 20) {
        standings = LiveStandings()
        echoes = Echoes(standings: standings)
        faces = Faces(store: store, bytes: faceBytes)
        catalogue = Catalogue(store: store)
        sizes = BoardSizes(store: store, standings: standings)
    }
}
