import Dashboard
import Events
import Ingest

/// Tells the live view what came in.
struct CountingSink: EventSink {
    let sink: SpoolingSink
    let live: LiveIngest

    func store(_ batch: AdmittedBatch, end: @escaping @Sendable (Result<StoreReceipt, SinkError>) -> Void) {
        sink.store(batch) { result in
            if case .success(let receipt) = result { count(batch, receipt) }
            end(result)
        }
    }

    private func count(_ batch: AdmittedBatch, _ receipt: StoreReceipt) {
        live.record(
            LiveIngest.Counts(
                accepted: batch.events.count - receipt.duplicates - receipt.refused.count,
                duplicates: receipt.duplicates,
                rejected: batch.rejections.count + receipt.refused.count
            ),
            codes: batch.rejections.map(\.code.rawValue) + receipt.refused.map { _ in "refused" },
            ofApp: batch.appNumber
        )
    }
}
