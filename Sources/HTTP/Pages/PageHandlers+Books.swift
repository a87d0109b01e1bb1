import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// The books, as a feed and as a page.
extension PageHandlers {
    /// `GET /books{.format}?day=`: a page, or the same as a feed.
    func books(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        guard let suffix else { return try await booksPage(request) }
        let service = FeedService(route: Routes.pages.books, path: Routes.pages.books.path(nil), query: .books)
        return try await pages.feeds.serve(request, service, suffix: suffix) { query, _ in
            let today = clock.now.dayInUTC
            // Yesterday is another day from midnight on.
            let until = query.day == nil ? today.advanced(byDays: 1).startInUTC : nil
            let validator = rankings.timeValidator(until: until)
            let day = query.day ?? today.advanced(byDays: -1)
            return FeedReading(try await books(of: day, in: try await store.bookSpan()), validator)
        } describe: { books, _ in
            var feed = Feed.books(books, path: service.path)
            feed.pagePath = PagePath.books(books.day)
            return feed
        }
    }

    /// `GET /books?day=`: without a day the newest that is closed.
    private func booksPage(_ request: Request) async throws -> Response {
        let query = try PageQuery(request, .day)
        return try await pages.serve(request, Routes.pages.books, path: Routes.pages.books.path(nil), query) {
            let now = clock.now
            let span = try await store.bookSpan()
            var books: DayBooks?
            if let day = query.day ?? span?.upperBound { books = try await self.books(of: day, in: span) }
            // A day later there is a link to the next one.
            let validator = rankings.timeValidator(until: now.advanced(bySeconds: Limits.bookPageSeconds))
            return FeedReading(BooksPage(books, in: span, isNewest: query.day == nil), validator)
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// - Parameter span: The first and the last closed day.
    /// - Throws: 404 for a day that is not over, and for one before the first.
    private func books(of day: Day, in span: ClosedRange<Day>?) async throws -> DayBooks {
        if let span, day < span.lowerBound { throw Problem.noBookDay }
        guard let span, day <= span.upperBound, let books = try await store.findBooks(of: day) else {
            throw Problem.bookDayNotOver
        }
        return books
    }
}
