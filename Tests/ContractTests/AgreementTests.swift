import Contract
import Foundation
import Testing

@testable import HTTP

@Suite struct AgreementTests {
    @Test("every address of the contract is served") func addresses() {
        let served = Set(Routes.all.map { $0.template.text + ($0.template.takesSuffix ? "{.}" : "") })
        for address in Addresses.all {
            let template = address.template.replacing(/{\.\w+}$/, with: "{.}")
            #expect(served.contains(template), "\(address.template)")
        }
    }

    @Test("the server's document has the contract's problems") func problems() {
        let document = String(decoding: OpenAPI.bytes, as: UTF8.self)
        let listed = document.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\s+- (\/problems\/[a-z-]+)/).map { String($0.1) }
        }
        #expect(Set(listed) == Set(ProblemName.allCases.map(\.type)))
        for name in ProblemName.allCases { #expect(ProblemName(type: name.type) == name) }
    }

    @Test("no route of the server writes out an address of the contract") func templates() throws {
        let folder = #filePath.replacing("Tests/ContractTests/AgreementTests.swift", with: "Sources/HTTP/Routing")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let sources = try files.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        for (file, source) in zip(files, sources) {
            for address in Addresses.all { #expect(!source.contains("\"\(address.template)\""), "\(file)") }
        }
        #expect(sources.contains { $0.contains("Addresses.score.template") })
    }
}
