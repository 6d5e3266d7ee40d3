import HTTPTypes
import Storage
import Testing
import Time

@testable import Dashboard

@Suite("Costs and rates in the dashboard")
struct MoneyPagesTests {
    private static let key = (name: "key", value: StoredDashboard.writeKey)
    private static let manageKey = (name: "key", value: "trib_m_shop")
    private static let cost: [(name: String, value: String)] = [
        ("kind", "ref"), ("name", "mail <x>"), ("from", "2026-11-24"), ("through", "2026-11-26"), ("amount", "12.50"),
        ("currency", "EUR"),
    ]

    /// A file of costs of refs, of one day.
    private static func costs(_ refs: [String]) -> String {
        (["ref,from,amount"] + refs.map { "\($0),2026-11-24,1" }).joined(separator: "\n")
    }

    /// A file of rates of currencies, of one day.
    private static func rates(_ currencies: [String]) -> String {
        (["date,currency,rate"] + currencies.map { "2026-11-24,\($0),1.5" }).joined(separator: "\n")
    }

    private static func dashboard() -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        return dashboard
    }

    @Test func areAddedAndRemovedWithAWriteKey() async throws {
        let dashboard = Self.dashboard()
        #expect(try await dashboard.get("/money").body.contains("action=\"/money\""))
        for key in ["", "trib_r_shop", "trib_w_other"] {
            let refused = try await dashboard.post(Self.cost + [("key", key)], to: "/money")
            #expect(refused.status == 403 && refused.body.contains("value=\"mail &lt;x&gt;\""), "\(key)")
        }
        #expect(try await dashboard.costs.isEmpty)
        let added = try await dashboard.post(Self.cost + [Self.key], to: "/money")
        #expect(added.status == 303 && added.headers[.location] == "/money?done=added")
        #expect(try await dashboard.get("/money?done=added").body.contains("The cost is added."))
        // The form has the last day, and what is stored the day after.
        let costs = try await dashboard.costs.map { "\($0.name) \($0.from) \($0.to)" }
        #expect(costs == ["mail <x> 2026-11-24 2026-11-27"])
        let twice = try await dashboard.post(Self.cost + [Self.key], to: "/money")
        #expect(twice.status == 422 && twice.body.contains("There is a cost of this ref and these days already"))
        let list = try await dashboard.get("/money")
        #expect(list.body.contains("mail &lt;x&gt;</th><td>2026-11-24</td><td>2026-11-26</td>"))
        let asked = try await dashboard.get("/money/remove?number=1")
        #expect(asked.status == 200 && asked.body.contains("Remove this cost?"))
        let kept = try await dashboard.post([("number", "1")], to: "/money/remove")
        #expect(kept.status == 403)
        #expect(try await dashboard.costs.count == 1)
        #expect(try await dashboard.post([("number", "1"), Self.key], to: "/money/remove").status == 303)
        #expect(try await dashboard.costs.isEmpty)
        #expect(try await dashboard.get("/money/remove?number=1").headers[.location] == "/money")
    }

    @Test(arguments: [
        ("through", "2026-11-23", "The last day is before the first."), ("through", "x", "‘x’ is not a date."),
        ("amount", "free", "free"), ("name", "", "ref has 1 to"),
    ])
    func sayWhatIsWrong(field: String, value: String, problem: String) async throws {
        let dashboard = Self.dashboard()
        let form = Self.cost.map { $0.name == field ? (name: field, value: value) : $0 } + [Self.key]
        let refused = try await dashboard.post(form, to: "/money")
        #expect(refused.status == 422 && refused.body.contains("role=\"alert\"") && refused.body.contains(problem))
        // The field that is wrong has the focus, and it alone.
        #expect(refused.body.contains("name=\"\(field)\" aria-invalid=\"true\" autofocus"))
        #expect(refused.body.matches(of: /aria-invalid/).count == 1)
        #expect(try await dashboard.costs.isEmpty)
    }

    @Test func areListedPageByPage() async throws {
        let dashboard = Self.dashboard()
        let file = Self.costs((1...101).map { "ref-\($0)-" })
        let done = try await dashboard.post([Self.key], file: file, to: "/money/import")
        #expect(done.status == 200 && done.body.contains("101 costs read, 101 of them new or changed."))
        #expect(done.body.contains(">ref-101-<") && done.body.contains("href=\"/money?page=2\" rel=\"next\""))
        let last = try await dashboard.get("/money?page=2")
        #expect(last.body.contains(">ref-1-<") && !last.body.contains(">ref-2-<"))
        #expect(last.body.contains("href=\"/money\" rel=\"prev\"") && !last.body.contains("rel=\"next\""))
    }

    /// As a file, as pasted lines of the same form, and as lines of a form without a file.
    @Test func comeFromAFileOrFromLines() async throws {
        let dashboard = Self.dashboard()
        let lines: [(name: String, value: String)] = [
            ("lines", Self.costs(["mail", "flyer"]).replacing("\n", with: "\r\n")), Self.key,
        ]
        let file = try await dashboard.post(lines, file: Self.costs(["other"]), to: "/money/import")
        #expect(file.status == 200)
        #expect(try await dashboard.costs.map(\.name) == ["other"])
        let pasted = try await dashboard.post(lines, file: nil, to: "/money/import")
        #expect(pasted.status == 200 && pasted.body.contains("2 costs read, 2 of them new or changed."))
        let plain = try await dashboard.post(lines, to: "/money/import")
        #expect(plain.status == 200 && plain.body.contains("2 costs read, 0 of them new or changed."))
        #expect(try await dashboard.costs.map(\.name) == ["other", "mail", "flyer"])
        let refused = try await dashboard.post([("lines", "bad"), Self.key], file: nil, to: "/money/import")
        #expect(refused.status == 422 && refused.body.contains("The file, line 1: unknown column &#39;bad&#39;;"))
        #expect(refused.body.contains("\nbad</textarea>"))
        let read = try await dashboard.post([("lines", "x"), ("key", "trib_r_shop")], file: nil, to: "/money/import")
        #expect(read.status == 403)
        #expect(try await dashboard.costs.count == 3)
    }

    /// Browsers send CRLF, and the form shows the lines again as they were.
    @Test func keepTheLinesOfAFormThatIsRefused() async throws {
        let dashboard = Self.dashboard()
        let form: [(name: String, value: String)] = [("lines", "bad\r\nflyer\rmail"), Self.key]
        for answer in [
            try await dashboard.post(form, to: "/money/import"),
            try await dashboard.post(form, file: nil, to: "/money/import"),
        ] {
            #expect(answer.status == 422 && answer.body.contains("\nbad\nflyer\nmail</textarea>"))
            #expect(!answer.body.contains("\u{FFFD}"))
        }
    }

    @Test func areNotReadWithoutEnd() async throws {
        let dashboard = Self.dashboard()
        let large = Self.rates(["EUR"]) + String(repeating: "\n", count: 2 << 20)
        let refused = try await dashboard.post([Self.key], file: large, to: "/money/import")
        #expect(refused.status == 400 && refused.body.contains("The file is larger than 1 MiB."))
        #expect(try await dashboard.post([Self.manageKey], file: large, to: "/money/rates").status == 200)
        #expect(try await dashboard.costs.isEmpty)
    }

    @Test func ratesAreImportedAndCleared() async throws {
        let dashboard = Self.dashboard()
        let done = try await dashboard.post([Self.manageKey], file: Self.rates(["EUR", "JPY"]), to: "/money/rates")
        #expect(done.status == 200 && done.body.contains("2 rates read, 2 of them new or changed."))
        #expect(done.body.contains("<th scope=\"row\">EUR</th>") && done.body.contains("<td class=\"number\">1.5</td>"))
        let bad = try await dashboard.post([("lines", "bad"), Self.manageKey], file: nil, to: "/money/rates")
        #expect(
            bad.status == 422 && bad.body.contains("The file, line 1: unknown column") && bad.body.contains(">EUR</th>")
        )
        let asked = try await dashboard.get("/money/rates/clear?currency=EUR")
        #expect(asked.status == 200 && asked.body.contains("Remove the rates of this currency?"))
        #expect(asked.body.contains("1 rate. Values then leave out what is in this currency."))
        let write = try await dashboard.post([("currency", "EUR"), Self.key], to: "/money/rates/clear")
        #expect(write.status == 403 && write.body.contains("This is not a manage key; only a manage key may"))
        #expect(try await dashboard.get("/money/rates").body.contains("Manage key of the app"))
        let kept = try await dashboard.post([("currency", "EUR")], to: "/money/rates/clear")
        #expect(kept.status == 403)
        #expect(try await dashboard.rates.count == 2)
        let cleared = try await dashboard.post([("currency", "EUR"), Self.manageKey], to: "/money/rates/clear")
        #expect(cleared.status == 303)
        #expect(try await dashboard.rates.map(\.last.currency) == ["JPY"])
        #expect(try await dashboard.get("/money/rates/clear?currency=EUR").headers[.location] == "/money/rates")
        #expect(try await dashboard.get("/money/rates/clear").body.contains("Remove all rates?"))
        let unsaid = try await dashboard.post([Self.manageKey], to: "/money/rates/clear")
        #expect(unsaid.status == 400 && unsaid.body.contains("‘currency’ is required"))
        #expect(try await dashboard.rates.count == 1)
        #expect(try await dashboard.post([("currency", ""), Self.manageKey], to: "/money/rates/clear").status == 303)
        #expect(try await dashboard.rates.isEmpty)
    }

    @Test(arguments: ["/money", "/money/import", "/money/remove", "/money/rates", "/money/rates/clear"])
    func refuseTheFormsOfOtherSites(path: String) async throws {
        let dashboard = Self.dashboard()
        let form = Self.cost + [("number", "1"), ("lines", "mail"), Self.key]
        let answer = try await dashboard.post(form, to: path, headers: ["Sec-Fetch-Site": "cross-site"])
        let (costs, rates) = (try await dashboard.costs, try await dashboard.rates)
        #expect(answer.status == 403 && costs.isEmpty && rates.isEmpty)
    }

    @Test(arguments: [
        "", "--", "--b", "--b\r\n", "--b\r\n\r\n\r\n--b--", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
        "--c\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--c--",
        "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx",
    ])
    func formsThatAreDamagedAreRefused(body: String) {
        #expect(MultipartForm(Array(body.utf8), contentType: "multipart/form-data; boundary=b") == nil)
    }

    @Test func formsHaveTheirParts() throws {
        let head = "Content-Disposition: form-data; name="
        let text = "--b\r\n\(head)\"a\"\r\n\r\n1\r\n--\r\n2\r\n--b\r\n\(head)\"f\"; filename=\"x\"\r\n\r\n\r\n--b--\r\n"
        let form = try #require(MultipartForm(Array(text.utf8), contentType: "multipart/form-data; boundary=\"b\""))
        #expect(form.parts.map(\.name) == ["a", "f"] && form.parts.map(\.isFile) == [false, true])
        #expect(form.parts.map { String(decoding: $0.content, as: UTF8.self) } == ["1\r\n--\r\n2", ""])
    }
}
