import InboundLinks
import Storage
import Time
@testable import Reporting
import Testing

@Suite("Export requests")
struct ExportRequestTests {
    @Test(
        arguments: [
            ("event", [:], "export", "did you mean 'events'?"),
            ("events", ["model": "last"], "model", "unknown parameter of events"),
            ("touches", ["goal": "buy"], "goal", "unknown parameter of touches"),
            ("credits", ["by": "ref"], "by", "unknown parameter of credits"),
            ("credits", ["where": "ref=a"], "where", "unknown parameter of credits"),
            ("credits", ["model": "lats"], "model", "did you mean 'last'?"),
            ("credits", ["event": "touch"], "event", "one of: install, conversion"),
            ("credits", ["lookback": "91d"], "lookback", "above the limit of 90d"),
            ("people", ["format": "json"], "format", "one of: csv, ndjson"),
            ("people", ["tz": "Mars"], "tz", "unknown time zone"),
            ("people", ["from": "2026-02-01", "to": "2026-01-01"], "from", "reversed"),
            ("people", ["from": "2026-02-01", "to": "2026-01-01", "since": "0"], "from", "reversed"),
            ("events", ["since": "1"], "since", "not a cursor"),
            ("events", ["since": "yesterday"], "since", "not a cursor"),
            ("events", ["since": "events:game:-1"], "since", "not a cursor"),
            ("events", ["since": "touches:game:5"], "since", "a cursor of 'touches'"),
            ("events", ["since": "events:shop:5"], "since", "of the app 'shop'"),
            ("events", ["since": ""], "since", "empty"),
            ("events", ["with": "touch"], "with", "unknown parameter of events"),
            ("people", ["with": "tuch"], "with", "touch"),
            ("people", ["without": "touch@30d", "since": "0"], "without", "the last days move on"),
        ] as [(String, [String: String], String, String)]
    )
    func refusesWhatItCannotMean(name: String, parameters: [String: String], field: String, hint: String) {
        do throws(ReportError) {
            _ = try Exporting.request(name, parameters.map { ($0.key, $0.value) })
            Issue.record("was read")
        } catch {
            guard case .usage(_, let told, _) = error else { return }
            #expect(told == field)
            #expect(error.description.contains(hint), "\(error)")
        }
    }

    @Test func coversThirtyDaysUpToNowAndEverythingInASeries() throws {
        let now = OracleEvents.time(36 * 3600)
        let whole = try Exporting.request("events", now: now)
        #expect(
            [whole.range.from.rfc3339, whole.range.to.rfc3339] == ["2025-12-08T00:00:00Z", "2026-01-06T12:00:00Z"]
        )
        #expect(whole.since == nil)
        let series = try Exporting.request("events", [("since", "0")], now: now)
        #expect(series.range == ExportRequest.everything)
        #expect(series.since?.description == "events:game:0")
        let part = try Exporting.request("events", [("since", "events:game:7"), ("from", "2026-01-01")], now: now)
        #expect(part.range.from.rfc3339 == "2026-01-01T00:00:00Z")
        #expect(part.range.to == ExportRequest.everything.to)
        #expect(part.since?.description == "events:game:7")
    }

    @Test func accountsForTheParametersInEffect() throws {
        let request = try Exporting.request("credits", [("model", "all"), ("format", "ndjson")])
        #expect(
            request.parameters.map { "\($0.name)=\($0.value)" }.sorted()
                == ["event=install", "lookback=7d", "model=all"]
        )
    }

    @Test func tellsConditionsOnPeopleAsOneList() throws {
        let request = try Exporting.request(
            "people",
            [("with", "touch>=2"), ("with", "install"), ("without", "app_open")]
        )
        let manifest = ExportManifest(
            request: request,
            summary: ExportSummary(rows: 0, cursor: nil, rules: ExportRules()),
            file: nil,
            byteCount: 0,
            sha256: "",
            finishedAt: OracleEvents.time(0),
            standby: nil
        )
        #expect(manifest.text.contains(#""parameters": {"with": ["touch>=2", "install"], "without": ["app_open"]}"#))
    }

    @Test func saysInItsManifestWhatBelongsToTheFile() throws {
        let request = try Exporting.request("touches", [("since", "touches:game:7")])
        var rules = ExportRules()
        rules.version = 3
        rules.setAt = OracleEvents.time(0)
        rules.rereadVersion = 2
        let manifest = ExportManifest(
            request: request,
            summary: ExportSummary(
                rows: 3,
                cursor: ExportCursor(export: "touches", app: "game", transaction: 9),
                rules: rules
            ),
            file: "touches \"1\".csv",
            byteCount: 120,
            sha256: "ab",
            finishedAt: OracleEvents.time(0),
            standby: StandbyPosition(position: "0/3000060", committedAt: OracleEvents.time(0))
        )
        let columns = TouchesExport.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        #expect(
            manifest.text == """
                {
                  "export": "touches",
                  "app": "game",
                  "format": "csv",
                  "schema_version": 1,
                  "file": "touches \\"1\\".csv",
                  "rows": 3,
                  "bytes": 120,
                  "sha256": "ab",
                  "from": null,
                  "to": null,
                  "time_zone": "UTC",
                  "parameters": {},
                  "since": "touches:game:7",
                  "cursor": "touches:game:9",
                  "columns": [\(columns)],
                  "rules": {"version": 3, "set_at": "2026-01-05T00:00:00Z", "reread": {"version": 2, "finished_at": null}},
                  "finished_at": "2026-01-05T00:00:00Z",
                  "standby": {"as_of": "2026-01-05T00:00:00Z", "position": "0/3000060"}
                }

                """
        )
    }
}
