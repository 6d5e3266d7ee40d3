import Answering
import Dashboard
import Events
import Ingest
import Logging
import Redirects
import Storage
import Time

/// Stores the clicks on short links, in PostgreSQL or the spool, and counts the other requests.
///
/// A visitor waits for PostgreSQL only a moment. Then the click goes to the spool, once, and the visitor waits for it a
/// moment more. If the click was committed after all, its event id makes sure that it is stored once.
struct LinkClicks: ClickSink {
    /// The shortest time that a spool gets: a sync of a busy disk takes longer than a commit should.
    private static let leastSpoolWait: Duration = .milliseconds(200)

    private let sink: SpoolingSink
    private let spool: Spool
    private let live: LiveIngest
    private let hits: HitCounter
    private let databasePatience: Deadline
    private let soughtPatience: Deadline
    private let spoolPatience: Deadline
    private let losses: RareLog
    private let delays: RareLog

    /// - Parameters:
    ///   - wait: how long a visitor may wait for the commit.
    ///   - soughtWait: how long at least, if the click is looked up afterwards: the visitor reads a page anyway.
    ///   - spoolWait: how long the visitor may wait for the spool afterwards; nil: as long again, at least 200 ms.
    init(
        sink: SpoolingSink,
        spool: Spool,
        live: LiveIngest,
        wait: Duration,
        soughtWait: Duration = .milliseconds(500),
        spoolWait: Duration? = nil,
        hits: HitCounter,
        logger: Logger
    ) {
        self.sink = sink
        self.spool = spool
        self.live = live
        self.hits = hits
        databasePatience = Deadline(wait)
        soughtPatience = Deadline(max(wait, soughtWait))
        spoolPatience = Deadline(spoolWait ?? max(wait, Self.leastSpoolWait))
        losses = RareLog("clicks are lost", counting: "clicks", logger: logger)
        delays = RareLog("visitors are sent on before their clicks are stored", counting: "clicks", logger: logger)
    }

    func store(
        _ click: Submission,
        isSought: Bool,
        sendOn: @escaping @Sendable () -> Void,
        end: @escaping @Sendable (StoreReceipt.Place?) -> Void
    ) {
        let course = ClickCourse(sendOn: sendOn) { [live] receipt in
            if let receipt { live.record(click, receipt) }
            end(receipt?.stored)
        }
        let patience = isSought ? soughtPatience : databasePatience
        let number = patience.begin {
            if course.turnsToSpool() { keepInSpool(click, course) }
        }
        sink.commit(click) { result in
            _ = patience.end(number)
            switch result {
            case .success(let receipt): course.committed(receipt)
            case .failure(let error):
                if course.turnsToSpool() { keepInSpool(click, course) }
                course.failedToCommit { losses.record("\(error); the spool did not take them either") }
            }
        }
    }

    private func keepInSpool(_ click: Submission, _ course: ClickCourse) {
        let number = spoolPatience.begin { [delays] in
            course.endWait { delays.record("neither the database nor the spool has answered in time") }
        }
        Task {
            do throws(SpoolError) {
                try await spool.append(click)
                course.spooled(StoreReceipt(duplicates: 0, stored: .spool))
            } catch {
                course.failedToSpool { losses.record("neither the database nor the spool took them: \(error)") }
            }
            _ = spoolPatience.end(number)
        }
    }

    func lose(because reason: String) {
        losses.record(reason)
    }

    func count(_ hit: Hit, ofHost host: String, slug: String, at time: Timestamp) {
        hits.count(hit, of: LinkAddress(host: host, slug: slug), on: time)
    }
}
