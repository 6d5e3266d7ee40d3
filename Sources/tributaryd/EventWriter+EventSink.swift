package import Ingest
import Storage

extension EventWriter: EventSink {
    package func store(_ batch: AdmittedBatch) async throws(SinkError) -> StoreReceipt {
        let submission = Submission(
            appNumber: batch.appNumber,
            keyPrefix: batch.keyPrefix,
            receivedAt: batch.receivedAt,
            events: batch.events,
            rejections: batch.rejections
        )
        do {
            let receipt = try await store(submission)
            return StoreReceipt(duplicates: receipt.duplicates, stored: .database, refused: receipt.refused)
        } catch {
            throw switch error {
            case .overloaded: .overloaded(retryAfter: .seconds(1))
            case .unavailable, .closed, .failed: .unavailable(retryAfter: .seconds(2))
            }
        }
    }
}
