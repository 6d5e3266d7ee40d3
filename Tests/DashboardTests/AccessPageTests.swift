import Dashboard
import Foundation
import Ingest
import Testing

@testable import Dashboard

@Suite("docs/access-matrix.md")
struct AccessPageTests {
    @Test func isWhatTheProgramsDecide() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/access-matrix.md")
        let written = try String(contentsOf: page, encoding: .utf8)
        let isSame = written == AccessTable.page([.http, .dashboard])
        #expect(isSame, "docs/access-matrix.md is not what the code says; run `make dictionary`")
    }
}
