/// Accessors that throw on null, and accessors by a column's name.
extension PostgresRow {
    package func optionalInt(_ column: Int) throws(PostgresError) -> Int? {
        try optionalInt64(column).map { Int($0) }
    }

    package func int64(_ column: Int) throws(PostgresError) -> Int64 {
        try required(optionalInt64(column), column)
    }

    package func int(_ column: Int) throws(PostgresError) -> Int {
        try required(optionalInt(column), column)
    }

    package func double(_ column: Int) throws(PostgresError) -> Double {
        try required(optionalDouble(column), column)
    }

    package func bool(_ column: Int) throws(PostgresError) -> Bool {
        try required(optionalBool(column), column)
    }

    package func text(_ column: Int) throws(PostgresError) -> String {
        try required(optionalText(column), column)
    }

    package func bytes(_ column: Int) throws(PostgresError) -> [UInt8] {
        try required(optionalBytes(column), column)
    }

    package func timestamp(_ column: Int) throws(PostgresError) -> Int64 {
        try required(optionalTimestamp(column), column)
    }

    package func uuid(_ column: Int) throws(PostgresError) -> (high: UInt64, low: UInt64) {
        try required(optionalUUID(column), column)
    }

    package func textArray(_ column: Int) throws(PostgresError) -> [String] {
        try required(optionalTextArray(column), column)
    }

    package func intArray(_ column: Int) throws(PostgresError) -> [Int64] {
        try required(optionalIntArray(column), column)
    }

    package func int(_ name: String) throws(PostgresError) -> Int {
        try int(column(name))
    }

    package func bool(_ name: String) throws(PostgresError) -> Bool {
        try bool(column(name))
    }

    package func text(_ name: String) throws(PostgresError) -> String {
        try text(column(name))
    }

    package func optionalText(_ name: String) throws(PostgresError) -> String? {
        try optionalText(column(name))
    }

    package func timestamp(_ name: String) throws(PostgresError) -> Int64 {
        try timestamp(column(name))
    }

    package func optionalTimestamp(_ name: String) throws(PostgresError) -> Int64? {
        try optionalTimestamp(column(name))
    }

    package func textArray(_ name: String) throws(PostgresError) -> [String] {
        try textArray(column(name))
    }
}
