import Postgres
import Testing

@Suite(.server) struct TripsTests {
    @Test("a transaction in two trips reads, decides and commits; each statement is prepared on the way") func commits()
        async throws
    {
        let connection = try await connectWithItems()
        for id in 1...3 {
            let next = try await connection.transactionInTrips { connection throws(PostgresError) in
                let (items, text) = try await connection.begin(reading: Items(), Echo(value: "a"))
                #expect(text == ["a"])
                let next = items.count + 1
                try await connection.commit(writing: [Insert(id: next)])
                return next
            }
            #expect(next == id)
        }
        #expect(try await connection.rows(Items()) == [1, 2, 3])
    }

    @Test("what it may ask in between sees its own transaction, and its writes travel together") func between()
        async throws
    {
        let connection = try await connectWithItems()
        let items = try await connection.transactionInTrips { connection throws(PostgresError) in
            _ = try await connection.begin(reading: Items())
            try await connection.run(all: [Insert(id: 7), Insert(id: 8)])
            let items = try await connection.rows(Items())
            try await connection.commit(writing: [])
            return items
        }
        #expect(items == [7, 8])
        #expect(try await connection.rows(Items()) == [7, 8])
    }

    @Test("a failure in either trip, or between them, keeps nothing and leaves the connection usable") func fails()
        async throws
    {
        let connection = try await connectWithItems()
        let first = await failure {
            try await connection.transactionInTrips { connection throws(PostgresError) -> Void in
                _ = try await connection.begin(reading: Items(), DivideByZero())
                Issue.record("the first trip failed")
            }
        }
        #expect(first?.state.rawValue == "22012")
        let last = await failure {
            try await connection.transactionInTrips { connection throws(PostgresError) -> Void in
                _ = try await connection.begin(reading: Items())
                try await connection.commit(writing: [Insert(id: 1), DivideByZero(), Insert(id: 2)])
            }
        }
        #expect(last?.state.rawValue == "22012")
        let between = await failure {
            try await connection.transactionInTrips { connection throws(PostgresError) -> Void in
                _ = try await connection.begin(reading: Items())
                try await connection.run(all: [Insert(id: 3)])
                throw PostgresError.tooFewRows
            }
        }
        #expect(between?.state == .noData)
        #expect(connection.isUsable)
        #expect(try await connection.rows(Items()) == [])
    }

    @Test("it is refused inside a transaction, whose end it would be") func nested() async throws {
        let connection = try await connectWithItems()
        let error = await failure {
            try await connection.transaction { connection throws(PostgresError) in
                try await connection.transactionInTrips { _ throws(PostgresError) -> Void in }
            }
        }
        #expect(error?.state == .activeTransaction)
    }
}
