package import Ingest
import Storage

extension AccessTable {
    /// Each page and form of the dashboard, and who may use it.
    package static let dashboard = AccessTable(
        title: "In the dashboard",
        text: """
            What somebody may do who is not signed in, who is signed in with a read key, or who has a role in the app.
            With a read key, forms ask for a write or manage key too. Others get a page that says which role is needed.
            """,
        heading: "page or form",
        columns: ["nobody", "read key"] + AppRole.allCases.map { "`\($0.rawValue)`" },
        rows: Dashboard.operations.map { operation in
            let roles = AppRole.allCases.map(operation.admits)
            return Row(
                what: "\(operation.what): \(operation.method.rawValue)",
                path: operation.path,
                isAllowed: [operation.need == .nothing, operation.admits(nil)] + roles
            )
        }
    )
}
