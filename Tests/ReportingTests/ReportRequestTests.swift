import InboundLinks
import Time
@testable import Reporting
import Testing

@Suite("Report requests")
struct ReportRequestTests {
    private static let now = OracleEvents.time(36 * 3600 + 1.5)

    private func range(_ parameters: KeyValuePairs<String, String>) throws -> [String] {
        let request = try Asking.request("channels", parameters, now: Self.now)
        return [request.range.from.rfc3339, request.range.to.rfc3339]
    }

    /// Events are stored without their secrets, so a redacted value is the one to look for.
    @Test(arguments: [
        ("refs", "goal", "access_token=T", "access_token=REDACTED"),
        ("refs", "goal", "EAABsbCS1iHgBAKq0123456789", "REDACTED"),
        ("channels", "where", "ref=Bearer abcdefgh", "ref=Bearer REDACTED"),
        ("channels", "where", "ref!=access_token=T", "ref!=access_token=REDACTED"),
        ("compare", "a", "access_token=T", "access_token=REDACTED"),
        ("compare", "b", "access_token=T", "access_token=REDACTED"),
    ])
    func redactsParameters(report: String, name: String, value: String, expected: String) throws {
        var parameters = [(name: name, value: value)]
        if report == "compare" { parameters.append((name == "a" ? "b" : "a", "story_links")) }
        let request = try ReportRequest.parse(
            name: report,
            parameters: parameters,
            origin: .http,
            app: Asking.app(timeZone: "UTC"),
            now: Self.now
        )
        #expect(request.parameters.first { $0.name == name }?.value == expected)
    }

    @Test func coversThirtyDaysOfTheCalendarByDefault() throws {
        #expect(try range([:]) == ["2025-12-08T00:00:00Z", "2026-01-06T12:00:01.500000Z"])
        #expect(try range(["to": "2026-01-01"]) == ["2025-12-02T00:00:00Z", "2026-01-01T00:00:00Z"])
        #expect(try range(["from": "2026-01-01"])[1] == "2026-01-06T12:00:01.500000Z")
    }

    @Test(arguments: [
        ("2026-01-10", "UTC", "2026-01-10T00:00:00Z"),
        ("2026-01-10", "America/New_York", "2026-01-10T05:00:00Z"),
        ("2026-07-10", "America/New_York", "2026-07-10T04:00:00Z"),
        ("2026-07-10T00:00:00+02:00", "America/New_York", "2026-07-09T22:00:00Z"),
        ("2026-07-10T00:00:00.25Z", "Asia/Tokyo", "2026-07-10T00:00:00.250000Z"),
        ("2024-02-29", "Asia/Kathmandu", "2024-02-28T18:15:00Z"),
        // The clocks are put forward at midnight: the day begins at 01:00.
        ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z"),
        ("2023-04-28", "Africa/Cairo", "2023-04-27T22:00:00Z"),
        // The clocks are put back from 01:00 to midnight, which comes twice: the first counts.
        ("2023-11-05", "America/Havana", "2023-11-05T04:00:00Z"),
        // The clocks are put back from midnight to 23:00 of the day before.
        ("2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00Z"),
    ])
    func readsTimesInTheZone(text: String, zone: String, expected: String) throws {
        #expect(try range(["from": "2000-01-01", "to": text, "tz": zone])[1] == expected)
    }

    @Test func takesTheAppsZoneWhereNoneIsAsked() throws {
        let request = try Asking.request("channels", ["from": "2026-01-01"], app: Asking.app(timeZone: "Asia/Tokyo"))
        #expect(request.range.from.rfc3339 == "2025-12-31T15:00:00Z")
        #expect(request.zone.name == "Asia/Tokyo")
    }

    @Test(
        arguments: [
            ("channels", ["from": "tomorrow"], "from"),
            ("channels", ["from": "2026-02-30"], "from"),
            ("channels", ["from": "2026-1-3"], "from"),
            ("channels", ["from": "2026-01-01T10:00:00"], "from"),
            ("channels", ["from": "2026-01-02", "to": "2026-01-01"], "from"),
            ("channels", ["from": "2026-01-01", "to": "2026-01-01"], "from"),
            ("channels", ["tz": "Mars/Olympus"], "tz"),
            ("channels", ["tz": "europe"], "tz"),
            ("channels", ["lookback": "7"], "lookback"),
            ("channels", ["lookback": "91d"], "lookback"),
            ("channels", ["lookback": "2161h"], "lookback"),
            ("channels", ["lookback": "0d"], "lookback"),
            ("channels", ["lookback": "-1d"], "lookback"),
            ("channels", ["lookback": "99999999999999999999d"], "lookback"),
            ("channels", ["lookback": "1.5h"], "lookback"),
            ("channels", ["goal": ""], "goal"),
            ("channels", ["format": "xml"], "format"),
            ("channels", ["steps": "touch,install"], "steps"),
            ("channel", [:], "report"),
            ("funnel", ["window": "100d"], "window"),
            ("funnel", ["steps": "inbound_link"], "steps"),
            ("funnel", ["steps": "inbound_link,instal"], "steps"),
            ("funnel", ["steps": "inbound_link,tap"], "steps"),
            ("funnel", ["steps": "inbound_link,authentication[outcome=posted]"], "steps"),
            ("funnel", ["steps": "inbound_link,feed_post[outcome=granted]"], "steps"),
            ("funnel", ["steps": "inbound_link,conversion[outcome=posted]"], "steps"),
            ("funnel", ["steps": "inbound_link[outcome=granted],install"], "steps"),
            ("funnel", ["steps": "inbound_link,install", "by": "outcome"], "by"),
            ("funnel", ["steps": "authentication,install", "where": "outcome=granted"], "where"),
            ("funnel", ["steps": "inbound_link,,install"], "steps"),
            ("funnel", ["steps": "conversion:,install"], "steps"),
            (
                "funnel",
                [
                    "steps":
                        "conversion:a,conversion:b,conversion:c,conversion:d,touch,install,feed_post,conversion,link_click"
                ], "steps"
            ),
            ("funnel", ["by": "chanel"], "by"),
            ("funnel", ["by": "channel", "steps": "install,conversion"], "by"),
            ("funnel", ["by": "target_url", "steps": "feed_post,touch"], "by"),
            ("funnel", ["by": "link", "steps": "feed_post,touch"], "by"),
            ("funnel", ["steps": "inbound_link,install|instal"], "steps"),
            ("funnel", ["steps": "inbound_link,install|install"], "steps"),
            ("funnel", ["steps": "inbound_link,install|"], "steps"),
            ("funnel", ["by": "channel,ref,day"], "by"),
            ("funnel", ["by": "channel,channel"], "by"),
            ("funnel", ["by": "none,ref"], "by"),
            ("funnel", ["by": "channel,"], "by"),
            ("funnel", ["by": "day,channel", "steps": "install,conversion"], "by"),
            ("funnel", ["by": "channel", "steps": "install,conversion", "order": "any"], "by"),
            ("funnel", ["order": "strickt"], "order"),
            ("funnel", ["step-window": "1h"], "step-window"),
            ("funnel", ["step-window": "0:1h"], "step-window"),
            ("funnel", ["step-window": "3:1h"], "step-window"),
            ("funnel", ["step-window": "1:1h,1:2h"], "step-window"),
            ("funnel", ["step-window": "1:8d"], "step-window"),
            ("funnel", ["step-window": "1:soon"], "step-window"),
            ("funnel", ["step-window": ""], "step-window"),
            ("funnel", ["step-window": "1:1h", "order": "any"], "step-window"),
            ("funnel", ["exclude": "conversion:"], "exclude"),
            ("funnel", ["exclude": ""], "exclude"),
            ("funnel", ["exclude": "feed_post,feed_post"], "exclude"),
            ("funnel", ["exclude": "authentication"], "exclude"),
            ("funnel", ["exclude": "feed_post|authentication"], "exclude"),
            ("funnel", ["exclude": "conversion", "order": "any"], "exclude"),
            ("funnel", ["matured": "yes"], "matured"),
            ("channels", ["matured": "on"], "matured"),
            ("channels", ["compare-previous": "yes"], "compare-previous"),
            ("funnel", ["times": "yes"], "times"),
            ("funnel", ["times": "true", "compare-previous": "true"], "times"),
            ("compare", ["a": "x", "b": "y", "times": "true"], "times"),
            ("channels", ["order": "any"], "order"),
            ("installs", ["exclude": "install"], "exclude"),
            ("installs", ["steps": "install,conversion"], "steps"),
            ("attribution", ["model": "lats"], "model"),
            ("attribution", ["model": "last,last"], "model"),
            ("attribution", ["event": "install", "goal": "buy"], "goal"),
            ("attribution", ["by": "day"], "by"),
            ("logins", ["by": "day", "limit": "5"], "limit"),
            ("logins", ["limit": "5"], "limit"),
            ("retention", ["by": "joined_by"], "by"),
            ("retention", ["cohort": "conversion", "where": "joined_by=link"], "where"),
            ("retention", ["period": "year"], "period"),
            ("retention", ["cohort": "post"], "cohort"),
            ("retention", ["cohort": "conversion:"], "cohort"),
            ("retention", ["returns": "install"], "returns"),
            ("retention", ["lookback": "7d"], "lookback"),
            ("retention", ["periods": "0"], "periods"),
            ("retention", ["periods": "65"], "periods"),
            ("paths", ["limit": "none"], "limit"),
            ("compare", ["a": "search"], "b"),
            ("compare", ["a": "search", "b": "x", "by": "channel"], "b"),
            ("compare", ["a": "x", "b": "y", "steps": "install,conversion"], "steps"),
            ("compare", ["a": "x", "b": "x"], "b"),
            ("compare", ["a": "(none)", "b": "(none)"], "b"),
            ("compare", ["a": "search", "b": "other,direct"], "b"),
            ("compare", ["a": "search", "b": "other,direct", "by": "channel"], "b"),
            ("compare", ["a": "total", "b": "gift"], "a"),
            ("compare", ["a": "x", "b": "y,y"], "b"),
            ("compare", ["a": "x", "b": "y,"], "b"),
            ("compare", ["a": "search", "b": "bookmarks,x", "by": "channel"], "b"),
            ("compare", ["a": "x", "b": "y", "window": "91d"], "window"),
            ("attribution", ["model": "all,last"], "model"),
            ("attribution", ["event": "instal"], "event"),
            ("attribution", ["lookback": "91d"], "lookback"),
            ("refs", ["by": "year"], "by"),
            ("posts", ["by": "ref"], "by"),
            ("posts", ["lookback": "7d"], "lookback"),
            ("posts", ["limit": "0"], "limit"),
            ("posts", ["each": "true", "by": "day"], "by"),
            ("posts", ["each": "true", "limit": "0"], "limit"),
            ("channels", ["by": "day", "from": "2001-01-01"], "by"),
            ("refs", ["by": "week", "from": "1950-01-01"], "by"),
            ("breakdown", ["sort": "install_rate"], "sort"),
            ("breakdown", ["sort": "days", "by": "day"], "sort"),
            ("viral", ["by": "day"], "by"),
            ("viral", ["by": "channel"], "by"),
            ("viral", ["by": "ref,deferred"], "by"),
            ("viral", ["by": "ref,ref"], "by"),
            ("viral", ["by": "ref,platform,composer"], "by"),
            ("viral", ["where": "channel=search"], "where"),
            ("viral", ["where": "platform=ios,phone"], "where"),
            ("channels", ["where": "composer=stories"], "where"),
            ("viral", ["matured": "on"], "matured"),
            ("viral", ["within": "91d"], "within"),
            ("viral", ["lookback": "91d"], "lookback"),
            ("retention", ["by": "channels"], "by"),
            ("paths", ["limit": "0"], "limit"),
            ("paths", ["lookback": "91d"], "lookback"),
        ] as [(String, [String: String], String)]
    )
    func refusesWhatItCannotMean(report: String, parameters: [String: String], field: String) throws {
        do throws(ReportError) {
            _ = try ReportRequest.parse(
                name: report,
                parameters: parameters.map { ($0.key, $0.value) },
                origin: .commandLine,
                app: Asking.app(),
                now: Self.now
            )
            Issue.record("was read")
        } catch {
            guard case .usage(let message, let told, _) = error else { return }
            #expect(told == field)
            // What is typed: an option on the command line, a parameter over HTTP.
            let texts = (message.text(for: .commandLine), message.text(for: .http))
            #expect(field == "report" || texts.0.contains("--\(field)"), "\(texts.0)")
            #expect(!texts.1.isEmpty && !texts.1.contains("--"), "\(texts.1)")
        }
    }

    @Test(
        arguments: [
            ("chanels", [:], "did you mean 'channels'?"),
            ("funnel", ["steps": "inbound_link,authentification"], "did you mean 'authentication'?"),
            ("funnel", ["by": "chanel"], "did you mean 'channel'?"),
            ("funnel", ["by": "ref,chanel"], "did you mean 'channel'?"),
            ("funnel", ["steps": "touch,install|autentication"], "did you mean 'authentication'?"),
            ("funnel", ["exclude": "feedpost"], "did you mean 'feed_post'?"),
            ("funnel", ["order": "sequental"], "did you mean 'sequential'?"),
            ("funnel", ["step_window": "1:1h"], "did you mean 'step-window'?"),
            ("channels", ["tz": "Europe/Berlim"], "did you mean 'Europe/Berlin'?"),
            ("channels", ["lokback": "7d"], "did you mean 'lookback'?"),
        ] as [(String, [String: String], String)]
    )
    func suggestsTheClosestName(report: String, parameters: [String: String], hint: String) throws {
        do throws(ReportError) {
            _ = try ReportRequest.parse(
                name: report,
                parameters: parameters.map { ($0.key, $0.value) },
                origin: .commandLine,
                app: Asking.app(),
                now: Self.now
            )
            Issue.record("was read")
        } catch {
            #expect(error.description.contains(hint), "\(error)")
        }
    }

    @Test(
        arguments: [
            (
                ["b": "x"], "--a is required: a channel or a ref, for example --a story_links",
                "a is required: a channel or a ref, for example a=story_links"
            ),
            (
                ["a": "x"], "--b is required: a channel or a ref, or several, for example --b search,bookmarks",
                "b is required: a channel or a ref, or several, for example b=search,bookmarks"
            ),
            (["a": "x", "b": "x"], "--b: 'x' is the same as --a", "b: 'x' is the same as a"),
            (["a": "x", "b": "y", "window": "1"], "--window: '1' is not a duration such as 90s, 30m, 36h or 7d", nil),
            (
                ["a": "x", "b": "y", "exlude": "install"],
                "unknown parameter of compare '--exlude'; did you mean '--exclude'?", nil
            ),
        ] as [([String: String], String, String?)]
    )
    func namesParametersAsTheyAreTyped(parameters: [String: String], option: String, parameter: String?) throws {
        do throws(ReportError) {
            _ = try ReportRequest.parse(
                name: "compare",
                parameters: parameters.map { ($0.key, $0.value) },
                origin: .commandLine,
                app: Asking.app(),
                now: Self.now
            )
            Issue.record("was read")
        } catch {
            guard case .usage(let message, _, _) = error else { return }
            #expect(message.text(for: .commandLine) == option)
            #expect(message.text(for: .http) == parameter ?? option.replacing("--", with: ""))
        }
    }

    /// For every report, with the values that are allowed.
    @Test(arguments: CatalogueSample.shortest) func saysWhatIsAllowed(sample: CatalogueSample) throws {
        func refusal(_ parameters: [(String, String)]) throws -> (field: String, allowed: [String])? {
            do throws(ReportError) {
                _ = try ReportRequest.parse(
                    name: sample.report,
                    parameters: sample.parameters + parameters.map { (name: $0.0, value: $0.1) },
                    origin: .http,
                    app: Asking.app(),
                    now: Self.now
                )
                return nil
            } catch .usage(_, let field, let allowed) {
                return (field, allowed)
            }
        }
        let zone = try #require(try refusal([("tz", "Europe/Berlim")]))
        #expect(zone.field == "tz" && zone.allowed.contains("Europe/Berlin") && !zone.allowed.contains("Asia/Tokyo"))
        #expect(try refusal([("tz", "nowhere")])?.allowed.prefix(3) == ["UTC", "Africa/…", "America/…"])
        #expect(try refusal([("from", "2026-01-03"), ("to", "2026-01-02")])?.field == "from")
        #expect(try refusal([("format", "xml")])?.allowed == ["table", "csv", "json"])
        let nothing = try #require(try refusal([("nothing", "1")]))
        #expect(nothing.allowed.contains("from") && !nothing.allowed.contains("output"))
        let type = try ReportCatalogue.report(named: sample.report)
        for parameter in type.parameters {
            if !parameter.allowed.isEmpty {
                #expect(try refusal([(parameter.name, "nothing")])?.allowed == parameter.allowed, "\(parameter.name)")
            }
            if ["lookback", "window"].contains(parameter.name) {
                #expect(try refusal([(parameter.name, "91d")])?.field == parameter.name)
            }
        }
    }

    @Test func saysWhichReportsThereAre() {
        #expect(
            throws: ReportError.usage(
                message: "unknown report 'virul'; did you mean 'viral'?",
                field: "report",
                allowed: ReportCatalogue.names
            )
        ) {
            _ = try Asking.request("virul")
        }
    }

    @Test func refusesAParameterGivenTwice() {
        #expect(throws: ReportError.usage(message: "tz: is given twice", field: "tz", allowed: [])) {
            _ = try Asking.request("channels", ["tz": "UTC", "tz": "Asia/Tokyo"])
        }
    }

    @Test(arguments: ["output", "sql"])
    func keepsFilesAndSQLToTheCommandLine(name: String) {
        #expect(throws: ReportError.self) {
            _ = try ReportRequest.parse(
                name: "channels",
                parameters: [(name, "true")],
                origin: .http,
                app: Asking.app(),
                now: Self.now
            )
        }
    }

    @Test func accountsForTheParametersInEffect() throws {
        let request = try Asking.request("funnel", ["by": "ref", "format": "json", "output": "a.json", "sql": "true"])
        #expect(
            request.parameters.map { "\($0.name)=\($0.value)" } == [
                "steps=inbound_link,authentication,conversion", "by=ref", "window=7d", "order=sequential",
            ]
        )
        #expect(request.format == .json)
        #expect(request.output == "a.json")
        #expect(request.printsSQL)
    }

    @Test(arguments: ReportCatalogue.descriptions.map(\.name)) func describesItself(name: String) throws {
        let report = try #require(ReportCatalogue.descriptions.first { $0.name == name })
        #expect(ReportCatalogue.names.filter { $0 == name }.count == 1)
        #expect(!report.summary.isEmpty && !report.columns.isEmpty && report.examples.count == 2)
        let names = (report.parameters + ReportParameter.common + ReportParameter.commandLine).map(\.name)
        #expect(Set(names).count == names.count)
    }

    /// One reading of all switches, those of every report too.
    @Test(arguments: [
        ("breakdown", "rates"), ("breakdown", "compare-previous"), ("retention", "pooled"), ("funnel", "times"),
        ("posts", "each"), ("funnel", "matured"),
    ])
    func switchesTakeFourWords(report: String, name: String) throws {
        func effective(_ value: String) throws -> String? {
            try ReportRequest.parse(
                name: report,
                parameters: [(name, value)],
                origin: .http,
                app: Asking.app(),
                now: OracleEvents.time(0)
            )
            .parameters.first { $0.name == name }?.value
        }
        #expect(try effective("on") == effective("true") && effective("on") != nil)
        #expect(try effective("off") == effective("false") && effective("off") != effective("on"))
        #expect(throws: ReportError.self) { try effective("yes") }
    }
}
