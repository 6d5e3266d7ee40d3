package import Storage

extension AppProperty {
    /// Why a property cannot have a name; nil if it can.
    package static func problem(withName name: String) -> String? {
        guard isName(name) else {
            return "a name has up to \(nameBytes) letters, digits, '_', '-' and '.', and begins with a letter or '_'; "
                + "'\(name)' cannot be written in --by and --where"
        }
        let isSame = { (other: String) in other.lowercased() == name.lowercased() }
        if let key = reservedKeys.first(where: isSame) {
            return "'\(key)' is a key of every app's reports already, and --where \(key)=… would mean both; send the "
                + "property under another name"
        }
        if let column = reservedColumns.first(where: isSame) {
            return "'\(column)' is a column of reports already, and a table would have two of that name; send the "
                + "property under another name"
        }
        return nil
    }

    private static let reservedKeys =
        (EventGrouping.allCases + [.doubt]).map(\.rawValue) + BreakdownKey.names + PostKey.allCases.map(\.rawValue)

    private static let reservedColumns = ReportCatalogue.descriptions.flatMap { report in
        (report.columns + report.previousColumns).map(\.name)
    }
}
