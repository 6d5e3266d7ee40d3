import Foundation
import Postgres
import Testing

/// Every statement of docs/bi.md runs, as the role of BI tools.
@Suite("The page on BI tools")
struct BIPageTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/bi.md")

    /// The blocks between ```` ```sql ```` and ```` ``` ````.
    private static func statements() throws -> [String] {
        var statements: [String] = []
        var block: [Substring]?
        for line in try String(contentsOf: page, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            if line == "```sql" {
                block = []
            } else if line == "```", let lines = block {
                statements.append(lines.joined(separator: "\n"))
                block = nil
            } else {
                block?.append(line)
            }
        }
        return statements
    }

    @Test func holdsStatementsThatRun() async throws {
        let statements = try Self.statements()
        #expect(statements.count > 8)
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("shop")
            try await testing.store(RandomStream.make(seed: 2).events, of: app)
            try await testing.refresh(app)
            try await testing.pool.withConnection { connection in
                try connection.execute("set role tributary_bi")
                for statement in statements {
                    #expect(throws: Never.self, "\(statement)") {
                        _ = try connection.query(String(statement.dropLast(while: { $0 == ";" || $0 == "\n" })))
                    }
                }
                try connection.execute("reset role")
            }
        }
    }

    @Test func namesEveryView() async throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        try await FigureTesting.with { testing in
            for row in try await testing.texts("select viewname from pg_views where schemaname = 'bi'") {
                let family = row[0].split(separator: "_by_")[0]
                #expect(page.contains("`bi.\(family)"), "\(row[0])")
            }
        }
    }
}

extension String {
    fileprivate func dropLast(while isDropped: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}
