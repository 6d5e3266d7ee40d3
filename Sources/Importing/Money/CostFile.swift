package import Storage
import Time

/// Reads a CSV file of costs (docs/money.md): `from`, `amount`, what the cost is of, and perhaps `to` and `currency`.
package enum CostFile {
    private struct Place: Hashable {
        var kind: Cost.Kind
        var name: [UInt8]
        var from: Int
        var to: Int
    }

    /// - Parameters:
    ///   - currency: the app's, for costs that name none.
    ///   - name: of the file, for messages.
    /// - Returns: each name and days once.
    /// - Throws: `ImportError.unusableInput`.
    package static func costs(
        in bytes: [UInt8],
        currency: String,
        name: String
    ) throws(ImportError) -> [Cost] {
        var file = try MoneyFile(bytes, name: name)
        let optional = Cost.fields.filter { !Cost.requiredFields.contains($0) }
        let positions = try file.positions(of: Cost.requiredFields, optional: optional)
        var costs: [Cost] = []
        var known: Set<Place> = []
        while let row = try file.next() {
            guard row.count == file.columns.count else {
                throw file.wrong("the row has \(row.count) columns, the first line \(file.columns.count)")
            }
            let cost: Cost
            do throws(CostError) {
                cost = try Cost(ownCurrency: currency) { field in
                    positions[field].map { row[$0] }.flatMap { $0.isEmpty ? nil : $0 }
                }
            } catch {
                throw file.wrong("\(error.field): \(error.message)")
            }
            let place = Place(
                kind: cost.kind,
                name: Array(cost.name.utf8),
                from: cost.from.number,
                to: cost.to.number
            )
            guard known.insert(place).inserted else {
                throw file.wrong("a second cost of '\(cost.name)' for these days; write their sum in one row")
            }
            guard costs.count < CostStore.limit else {
                throw file.wrong("an app has at most \(CostStore.limit) costs; tell longer spans in one row each")
            }
            costs.append(cost)
        }
        guard !costs.isEmpty else { throw .unusableInput("\(name) has no costs") }
        return costs
    }
}
