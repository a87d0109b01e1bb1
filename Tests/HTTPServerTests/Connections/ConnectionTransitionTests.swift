import Testing

/// Every event in every state of a connection.
@Suite struct ConnectionTransitionTests {
    private typealias Event = ConnectionDriver.Event

    @Test("the states of the tables are the ones that they are named for") func states() {
        let states = [
            ConnectionDriver.new, ConnectionDriver.idle, ConnectionDriver.beginning, ConnectionDriver.reading,
            ConnectionDriver.answering, ConnectionDriver.streaming, ConnectionDriver.skipping, ConnectionDriver.closed,
        ]
        #expect(
            states.map { ConnectionDriver(after: $0).state } == [
                "idle", "idle", "beginning", "reading 0 due", "answering", "streaming", "skipping due", "closed",
            ])
    }

    @Test("every event in every state asks for its actions and leads to the next state") func transitions() {
        func expect(
            _ event: Event, idle: String, beginning: String, reading: String, answering: String, streaming: String,
            skipping: String, closed: String, _ location: SourceLocation = #_sourceLocation
        ) {
            let rows = [
                (ConnectionDriver.idle, idle), (ConnectionDriver.beginning, beginning),
                (ConnectionDriver.reading, reading), (ConnectionDriver.answering, answering),
                (ConnectionDriver.streaming, streaming), (ConnectionDriver.skipping, skipping),
                (ConnectionDriver.closed, closed),
            ]
            for (before, expected) in rows {
                var driver = ConnectionDriver(after: before)
                let state = driver.state
                #expect(driver.apply(event) == expected, "when \(state)", sourceLocation: location)
            }
        }
        expect(
            .head("GET /b"), idle: "> reading 0", beginning: "clear deadline > reading 0", reading: "> reading 0 due",
            answering: "> answering, 1 waiting", streaming: "> streaming, 1 waiting", skipping: "> skipping due",
            closed: "> closed")
        expect(
            .body("abc"), idle: "> idle", beginning: "clear deadline > idle", reading: "> reading 3 due",
            answering: "> answering, 1 waiting", streaming: "> streaming, 1 waiting", skipping: "> skipping due",
            closed: "> closed")
        expect(
            .end, idle: "> idle", beginning: "clear deadline > idle",
            reading: "clear deadline, answer PUT /a > answering", answering: "> answering, 1 waiting",
            streaming: "> streaming, 1 waiting", skipping: "clear deadline > idle", closed: "> closed")
        expect(
            .readCompleted, idle: "set head deadline > beginning", beginning: "> beginning", reading: "> reading 0 due",
            answering: "> answering", streaming: "> streaming", skipping: "> skipping due", closed: "> closed")
        expect(
            .blankRead, idle: "> idle", beginning: "> beginning", reading: "> reading 0 due", answering: "> answering",
            streaming: "> streaming", skipping: "> skipping due", closed: "> closed")
        expect(
            .requestedRead, idle: "read > idle", beginning: "read > beginning", reading: "read > reading 0 due",
            answering: "> answering", streaming: "> streaming", skipping: "read > skipping due", closed: "read > closed"
        )
        for event in [Event.writable, .unwritable] {
            expect(
                event, idle: "> idle", beginning: "> beginning", reading: "> reading 0 due", answering: "> answering",
                streaming: "> streaming", skipping: "> skipping due", closed: "> closed")
        }
        expect(
            .inputEnded, idle: "close > closed", beginning: "close > closed", reading: "close > closed",
            answering: "> answering", streaming: "end events > closed", skipping: "close > closed", closed: "> closed")
        expect(
            .quiesce, idle: "close > closed", beginning: "close > closed", reading: "> reading 0 due last",
            answering: "> answering last", streaming: "end events > closed", skipping: "> skipping due last",
            closed: "> closed")
        expect(
            .stop, idle: "close > closed", beginning: "close > closed", reading: "close > closed",
            answering: "cancel task > answering last", streaming: "end events > closed", skipping: "close > closed",
            closed: "> closed")
        expect(
            .failToParse, idle: "refuse as malformed last > closed",
            beginning: "clear deadline, refuse as malformed last > closed",
            reading: "refuse PUT /a as malformed last > closed", answering: "> answering, 1 waiting",
            streaming: "> streaming, 1 waiting", skipping: "close > closed", closed: "> closed")
        expect(
            .failToHold, idle: "refuse as overloaded last > closed",
            beginning: "clear deadline, refuse as overloaded last > closed",
            reading: "refuse PUT /a as overloaded last > closed", answering: "> answering, 1 waiting",
            streaming: "> streaming, 1 waiting", skipping: "close > closed", closed: "> closed")
        expect(
            .fail, idle: "close > closed", beginning: "close > closed", reading: "close > closed",
            answering: "close > closed", streaming: "end events > closed", skipping: "close > closed",
            closed: "> closed")
        expect(
            .responded, idle: "> idle", beginning: "> beginning", reading: "> reading 0 due",
            answering: "send 200, flush > idle", streaming: "> streaming", skipping: "> skipping due",
            closed: "> closed")
        expect(
            .deadlinePassed, idle: "> idle", beginning: "refuse as too-slow last > closed",
            reading: "refuse PUT /a as too-slow last > closed", answering: "> answering", streaming: "> streaming",
            skipping: "close > closed", closed: "> closed")
        expect(
            .idleTimeElapsed(afterSeconds: 30), idle: "check idle in 45 s > idle",
            beginning: "check idle in 45 s > beginning", reading: "check idle in 45 s > reading 0 due",
            answering: "check idle in 75 s > answering", streaming: "check idle in 75 s > streaming",
            skipping: "check idle in 45 s > skipping due", closed: "check idle in 45 s > closed")
        expect(
            .idleTimeElapsed(afterSeconds: 75), idle: "abort > closed", beginning: "abort > closed",
            reading: "abort > closed", answering: "check idle in 75 s > answering",
            streaming: "check idle in 75 s > streaming", skipping: "abort > closed", closed: "abort > closed")
        expect(
            .becameInactive, idle: "release > closed", beginning: "release > closed", reading: "release > closed",
            answering: "release > closed", streaming: "release > closed", skipping: "release > closed",
            closed: "release > closed")
        expect(
            .respondedWithEvents, idle: "> idle", beginning: "> beginning", reading: "> reading 0 due",
            answering: "begin events 200 last > streaming", streaming: "> streaming", skipping: "> skipping due",
            closed: "> closed")
        expect(
            .published(bytes: 20), idle: "> idle", beginning: "> beginning", reading: "> reading 0 due",
            answering: "> answering", streaming: "send event of 26 > streaming behind 26", skipping: "> skipping due",
            closed: "> closed")
        expect(
            .eventSent(bytes: 20), idle: "> idle", beginning: "> beginning", reading: "> reading 0 due",
            answering: "> answering", streaming: "> streaming", skipping: "> skipping due", closed: "> closed")
        expect(
            .eventsEnded, idle: "> idle", beginning: "> beginning", reading: "> reading 0 due",
            answering: "> answering", streaming: "end events > closed", skipping: "> skipping due", closed: "> closed")
    }

    @Test("while the client does not read, what it sends waits, reads are held, and nothing else changes")
    func unwritable() {
        func expect(
            _ event: Event, idle: String, beginning: String, reading: String, skipping: String, closed: String,
            _ location: SourceLocation = #_sourceLocation
        ) {
            let rows = [
                (ConnectionDriver.idle, idle), (ConnectionDriver.beginning, beginning),
                (ConnectionDriver.reading, reading), (ConnectionDriver.skipping, skipping),
                (ConnectionDriver.closed, closed),
            ]
            for (before, expected) in rows {
                var driver = ConnectionDriver(after: before + [.unwritable])
                let state = driver.state
                #expect(driver.apply(event) == expected, "when \(state)", sourceLocation: location)
            }
        }
        for event in [Event.head("GET /b"), .body("abc"), .end] {
            expect(
                event, idle: "> idle, 1 waiting", beginning: "> beginning, 1 waiting",
                reading: "> reading 0 due, 1 waiting", skipping: "> skipping due, 1 waiting", closed: "> closed")
        }
        expect(
            .readCompleted, idle: "set head deadline > beginning", beginning: "> beginning", reading: "> reading 0 due",
            skipping: "> skipping due", closed: "> closed")
        for event in [Event.blankRead, .requestedRead, .inputEnded, .responded] {
            expect(
                event, idle: "> idle", beginning: "> beginning", reading: "> reading 0 due", skipping: "> skipping due",
                closed: "> closed")
        }
        expect(
            .quiesce, idle: "close > closed", beginning: "close > closed", reading: "> reading 0 due last",
            skipping: "> skipping due last", closed: "> closed")
        for event in [Event.stop, .fail] {
            expect(
                event, idle: "close > closed", beginning: "close > closed", reading: "close > closed",
                skipping: "close > closed", closed: "> closed")
        }
        for event in [Event.failToParse, .failToHold] {
            expect(
                event, idle: "> idle, 1 waiting", beginning: "> beginning, 1 waiting",
                reading: "> reading 0 due, 1 waiting", skipping: "> skipping due, 1 waiting", closed: "> closed")
        }
        expect(
            .deadlinePassed, idle: "> idle", beginning: "refuse as too-slow last > closed",
            reading: "refuse PUT /a as too-slow last > closed", skipping: "close > closed", closed: "> closed")
    }
}
