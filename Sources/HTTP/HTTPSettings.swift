package import Feeds

/// What the operator says about how the server is reached.
package struct HTTPSettings: Sendable {
    package var links: FeedLinks

    package init(links: FeedLinks) {
        self.links = links
    }
}
