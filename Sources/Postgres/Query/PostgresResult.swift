import CLibpq

/// The rows of a statement, in memory.
package struct PostgresResult: Sendable {
    let storage: ResultStorage

    init(owning pointer: OpaquePointer) {
        storage = ResultStorage(owning: pointer)
    }

    package var columnCount: Int { Int(PQnfields(storage.pointer)) }
    package var columnNames: [String] {
        (0..<columnCount).map { column in
            PQfname(storage.pointer, Int32(column)).map { String(cString: $0) } ?? ""
        }
    }
}

extension PostgresResult: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { Int(PQntuples(storage.pointer)) }

    package subscript(position: Int) -> PostgresRow {
        precondition(indices.contains(position), "row \(position) of \(count)")
        return PostgresRow(storage: storage, index: Int32(position))
    }
}
