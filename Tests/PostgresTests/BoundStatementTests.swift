@testable import Postgres
import PostgresTesting
import Testing

@Suite("A statement with its parameters bound")
struct BoundStatementTests {
    @Test func takesValuesForItsParameters() {
        let bound = BoundStatement(
            "select current_setting('tributary.a')::integer, current_setting('tributary.b')::text;\n",
            ["a": "1", "b": "two"]
        )
        #expect(bound.text == "select '1'::integer, 'two'::text")
        #expect(bound.copyOut == "copy (select '1'::integer, 'two'::text) to stdout (format binary)")
    }

    @Test func leavesOtherSettingsAlone() {
        let statement = "select current_setting('tributary.other'), current_setting('work_mem')"
        #expect(BoundStatement(statement, ["a": "1"]).text == statement)
    }

    /// Every value comes back unchanged and does not end the statement, whatever the server's settings are.
    @Test(arguments: ["on", "off"])
    func quotesWhatever(standardConformingStrings: String) async throws {
        let values = ["", "'", "\\", "\\'", "'); drop table x; --", "\\\\'\\", "é\u{1F600}\n\t$1 %s", "a'||'b", "\\n"]
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.execute("set standard_conforming_strings = \(standardConformingStrings)")
                try connection.execute("set backslash_quote = safe_encoding")
                for value in values {
                    let bound = BoundStatement("select current_setting('tributary.value')::text", ["value": value])
                    #expect(try connection.query(bound.text).first?.text(0) == value)
                }
                let list = BoundStatement(
                    "select current_setting('tributary.values')::text[]",
                    ["values": BoundStatement.array(values + ["a,b", "{\"}", "null", " "])]
                )
                #expect(try connection.query(list.text).first?.textArray(0) == values + ["a,b", "{\"}", "null", " "])
                try connection.execute("reset all")
            }
        }
    }
}
