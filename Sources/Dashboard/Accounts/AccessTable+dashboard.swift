package import Ingest
import Storage

extension AccessTable {
    /// Each page and form of the dashboard, and who may do it.
    package static let dashboard = AccessTable(
        title: "In the dashboard",
        text: """
            A user needs at least the role in the app. A session of a read key reads; a form that it may send then asks
            for a write key or a manage key (for exchange rates, a manage key alone), except for a question or a board
            under a free name. `{…}` stands for a name, and `?people` for an address that asks for people.
            """,
        heading: "page or form",
        columns: ["nobody", "read key"] + AppRole.allCases.map { "`\($0.rawValue)`" },
        rows: Dashboard.operations.map { operation in
            Row(
                what: operation.what + ":<br>" + operation.method.rawValue,
                path: operation.path,
                isAllowed: [operation.need == .nothing, operation.admits(nil)]
                    + AppRole.allCases.map { operation.admits($0) }
            )
        }
    )
}
