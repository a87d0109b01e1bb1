extension Feed {
    /// Where a page of the feed begins or ends.
    enum Cursor {
        case after(String), before(String)
    }

    /// The address of this page of the feed in a format, or of another page, absolute when the public address is known.
    func href(_ format: FeedFormat, cursor: Cursor? = nil, links: FeedLinks) -> String {
        var parts = query.isEmpty ? [] : [query]
        switch cursor {
        case .after(let text)?: parts.append("after=" + text)
        case .before(let text)?: parts.append("before=" + text)
        case nil where page.isEmpty: break
        case nil: parts.append(page)
        }
        let file = links.resolved(path + "." + format.suffix)
        return parts.isEmpty ? file : file + "?" + parts.joined(separator: "&")
    }
}
