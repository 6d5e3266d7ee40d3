import HTTPTypes
import HummingbirdCore
import NIOCore
import Reporting
import Storage

/// `/log`: who changed what of the app.
extension Dashboard {
    static let logPath = "/log"

    func respondToLog(_ request: Request) async -> Response? {
        await withView(.questions, request, others: LogView.fields) { asked throws(DashboardFailure) in
            let fields = try FormFields(request.uri.query ?? "")
            if fields["format"] == "csv" {
                let changes = try await stores.ask {
                    try await $0.changes.changes(of: asked.app, limit: LogView.fileLimit)
                }
                return download(
                    ResponseBody(byteBuffer: ByteBuffer(string: Change.csv(changes) { CSVWriter.field($0) })),
                    contentType: "text/csv; charset=utf-8; header=present",
                    fileName: "changes.csv"
                )
            }
            let place = Pages.Place(title: "Log of changes", path: Self.logPath, isOfView: false)
            return page(asked, at: place, try await LogView(fields, asked), "log")
        }
    }
}
