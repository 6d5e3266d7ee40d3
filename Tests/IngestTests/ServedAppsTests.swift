import CoreMetrics
import NIOCore
import NIOHTTP1
import Redirects
import Synchronization
import Testing

@testable import Ingest

@Suite("The apps of several databases")
struct ServedAppsTests {
    /// A database with an app and its link `sale`, which leads to a page of the app.
    private static func daemon(_ id: String, hosts: [String], hasMoved: Bool = false) -> Daemon {
        var table = LinkTable()
        table.set(LinkApp(id: id, name: id), hosts: hosts)
        for host in hosts {
            var link = Link(host: host, slug: "sale")
            link.targetURL = "https://www.example/\(id)"
            table.set(link)
        }
        let directory = LinkDirectory(loaded: table, apps: [id])
        if hasMoved {
            var contents = directory.contents
            contents.movedApps = [id]
            directory.replace(with: contents)
        }
        return Daemon(directory: directory)
    }

    private static func visit(_ databases: [Daemon], _ host: String) throws -> String? {
        var daemon = databases[0]
        daemon.otherApps = databases.dropFirst().map(\.apps)
        let browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36"
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .GET,
            uri: "/sale",
            headers: ["host": host, "user-agent": browser]
        )
        let endpoint = RedirectEndpoint(daemon)
        guard let visit = endpoint.visit(head, from: try SocketAddress(ipAddress: "192.0.2.1", port: 1)) else {
            return nil
        }
        let reply = Mutex<Reply?>(nil)
        endpoint.answer(visit) { answer in reply.withLock { $0 = answer } }
        return reply.withLock { $0?.fields.first { $0.name == "Location" }?.value }
    }

    @Test func haveTheVisitorsOfTheirHosts() throws {
        let databases = [
            Self.daemon("a", hosts: ["a.example", "both.example"]),
            Self.daemon("b", hosts: ["b.example", "both.example"]),
        ]
        #expect(try Self.visit(databases, "a.example")?.hasPrefix("https://www.example/a") == true)
        #expect(databases.map(\.clicks.clicks.count) == [1, 0])
        #expect(try Self.visit(databases, "b.example")?.hasPrefix("https://www.example/b") == true)
        #expect(databases.map(\.clicks.clicks.count) == [1, 1])
        #expect(try Self.visit(databases, "c.example") == nil)
        // The first of the settings.
        #expect(try Self.visit(databases, "both.example")?.hasPrefix("https://www.example/a") == true)
        #expect(databases.map(\.clicks.clicks.count) == [2, 1])
    }

    @Test func areVisitedWhereTheyAreNow() throws {
        let databases = [
            Self.daemon("a", hosts: ["go.example", "gone.example"], hasMoved: true),
            Self.daemon("a", hosts: ["go.example"]),
        ]
        #expect(try Self.visit(databases, "go.example")?.hasPrefix("https://www.example/a") == true)
        #expect(databases.map(\.clicks.clicks.count) == [0, 1])
        // It has moved to a database of another daemon.
        #expect(try Self.visit(databases, "gone.example") != nil)
        #expect(databases.map(\.clicks.clicks.count) == [1, 1])
    }

    /// The first app of each database has the number 1.
    @Test func haveRoomOfTheirOwn() throws {
        let gate = AdmissionGate(
            Admission(requestLimit: 8, byteLimit: 100, isShared: true),
            retryAfter: .seconds(1)
        )
        var principals: [Principal] = []
        for database in 0...1 {
            var principal = Principal(appNumber: 1, appID: "a", scope: .write, keyPrefix: "k")
            principal.database = database
            principals.append(principal)
        }
        var tickets: [AdmissionTicket] = []
        while let ticket = try? gate.admit(principals[0]) { tickets.append(ticket) }
        #expect(tickets.count == 4)
        tickets.append(try gate.admit(principals[1]))
    }

    @Test func haveMetricsWithALabel() {
        let metrics = PrometheusMetrics()
        let games = metrics.labelled("database", "games")
        games.reading { [MetricReading("spool_events", "Events", 3, [("pool", "a")])] }
        games.counter("stored_total", "Stored").increment(by: 2)
        metrics.counter("stored_total", "Stored").increment(by: 1)
        let text = metrics.exposition()
        #expect(text.contains("\nspool_events{database=\"games\",pool=\"a\"} 3\n"), "\(text)")
        #expect(text.contains("\nstored_total{database=\"games\"} 2\n") && text.contains("\nstored_total 1\n"))
    }
}
