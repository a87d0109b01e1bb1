import Testing

@testable import causeboard

@Suite struct HealthAnswerTests {
    @Test("a head tells its status, and which installation answers") func heads() {
        let cases: [(String, Int?, String?)] = [
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nCauseboard-Installation: 5eed\r\n\r\nok\n", 200, "5eed"),
            ("HTTP/1.1 503 Service Unavailable\r\ncauseboard-installation:5eed\r\n\r\n", 503, "5eed"),
            ("HTTP/1.0 200 OK\r\n\r\nCauseboard-Installation: 5eed\r\n", 200, nil), ("HTTP/1.1 200\r\n\r\n", 200, nil),
            ("HTTP/2 200\r\n\r\n", nil, nil), ("SSH-2.0-x\r\n", nil, nil), ("", nil, nil),
            ("HTTP/1.1 OK\r\n\r\n", nil, nil),
        ]
        for (head, status, installation) in cases {
            let answer = HealthQuestion.Answer(head: head)
            #expect(answer?.status == status && answer?.installation == installation, "\(head.debugDescription)")
        }
    }
}
