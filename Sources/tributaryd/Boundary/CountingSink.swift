import Dashboard
import Events
import Ingest

/// Counts the events of each batch for the live view of the dashboard.
struct CountingSink: EventSink {
    let sink: SpoolingSink
    let live: LiveIngest

    func store(_ submission: Submission, end: @escaping @Sendable (Result<StoreReceipt, SinkError>) -> Void) {
        sink.store(submission) { result in
            if case .success(let receipt) = result { live.record(submission, receipt) }
            end(result)
        }
    }
}

extension LiveIngest {
    /// Counts the events of a batch that is stored.
    func record(_ submission: Submission, _ receipt: StoreReceipt) {
        record(
            Counts(
                accepted: submission.events.count - receipt.duplicates - receipt.refused.count,
                duplicates: receipt.duplicates,
                rejected: submission.rejections.count + receipt.refused.count
            ),
            codes: submission.rejections.map(\.code.rawValue) + receipt.refused.map { _ in "refused" },
            lastType: submission.events.last?.type.rawValue,
            ofApp: submission.appNumber
        )
    }
}
