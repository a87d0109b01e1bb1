import Contract
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

    @Test("every problem of the server has a name in the contract") func problems() {
        for name in Problem.Name.allCases { #expect(ProblemName(rawValue: name.rawValue) != nil, "\(name)") }
    }
}
