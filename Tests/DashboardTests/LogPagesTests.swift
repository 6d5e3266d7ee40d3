import HTTPTypes
import Testing
import Time

@testable import Dashboard
@testable import Storage

@Suite("The log of changes in the dashboard")
struct LogPagesTests {
    private static func change(_ number: Int64) -> Change {
        Change(
            number: number,
            at: Timestamp(microseconds: StoredDashboard.now.microseconds + number),
            appID: "shop",
            who: "key trib_w_Xy3k… (<backend>)",
            what: "cost.add",
            subject: "ref number\(number)",
            before: #"{"amount":"12"}"#,
            after: "{\"amount\":\"1\(number)\"}"
        )
    }

    @Test func isPagedWithTheNewestFirst() async throws {
        let dashboard = StoredDashboard()
        try await dashboard.signIn(as: .manager)
        try await dashboard.log([])
        #expect(try await dashboard.get("/log").body.contains("Nothing was changed."))
        try await dashboard.log((1...150).reversed().map(Self.change))
        let first = try await dashboard.get("/log")
        #expect(first.status == 200 && first.body.contains("ref number150") && first.body.contains("ref number51<"))
        #expect(!first.body.contains("ref number50<") && !first.body.contains(">Newest<"))
        // In the app's time zone, escaped.
        #expect(first.body.contains("2026-11-25 15:00") && first.body.contains("(&lt;backend&gt;)"))
        #expect(first.body.contains(#"href="/log?before=51" rel="next""#))
        // As in the CSV, whole, and with a way back.
        #expect(first.body.contains(">subject</th>") && first.body.contains(">before</th>"))
        #expect(first.body.contains("<td class=\"long\">{&quot;amount&quot;") && !first.body.contains("<td title="))
        #expect(first.body.contains("<p class=\"trail\"><a href=\"/account\">"))
        let second = try await dashboard.get("/log?before=51")
        #expect(second.body.contains("ref number50<") && second.body.contains("ref number1<"))
        #expect(second.body.contains(#"href="/log">Newest"#) && !second.body.contains(#"rel="next""#))
        #expect(try await dashboard.get("/log?before=last").status == 400)
        #expect(try await dashboard.get("/log?after=51").status == 400)
    }

    @Test func isAFile() async throws {
        let dashboard = StoredDashboard()
        try await dashboard.signIn(as: .manager)
        try await dashboard.log([Self.change(1)])
        let file = try await dashboard.get("/log?format=csv")
        #expect(file.headers[.contentType] == "text/csv; charset=utf-8; header=present")
        let lines = file.body.split(separator: "\r\n")
        #expect(lines.first == "number,changed_at,app_id,who,what,subject,before,after")
        let line =
            #"1,2026-11-25T14:00:00.000001Z,shop,key trib_w_Xy3k… (<backend>),cost.add,ref number1,"#
            + #""{""amount"":""12""}","{""amount"":""11""}""#
        #expect(lines.last.map { Array($0.unicodeScalars) } == Array(line.unicodeScalars))
    }

    /// What a form changes is logged in the name of its key.
    @Test(arguments: [
        (StoredDashboard.writeKey, "key trib_w_sh…"), ("trib_m_shop", "key trib_m_sh… (console)"),
    ]) func namesTheKeyOfAForm(key: String, who: String) async throws {
        let dashboard = StoredDashboard()
        let form = [(name: "text", value: "out"), ("day", "2026-11-24"), ("key", key)]
        #expect(try await dashboard.post(form, to: "/questions/notes").status == 303)
        #expect(try await dashboard.changes.first?.who == who)
    }

    @Test func letsNoManageKeySignIn() async throws {
        let dashboard = StoredDashboard()
        let refused = try await dashboard.post([("key", "trib_m_shop")], to: "/sign-in", isSignedIn: false)
        #expect(refused.status == 403 && refused.body.contains("This is a manage key."))
    }
}
