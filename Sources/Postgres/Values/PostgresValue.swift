/// A parameter of a statement.
///
/// `.int`, `.text`, `.textArray` and `.intArray` are sent as text without a type. PostgreSQL infers the type from the
/// parameter's place: `.text` fits an enum, `jsonb`, `interval` or `uuid`, and `.int` fits any integer or `numeric`. If
/// the place does not imply a type (`unnest($1)`, `select $1`), write a cast: `$1::text[]`. The other cases declare
/// their type.
package enum PostgresValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    /// `double precision`.
    case double(Double)
    /// Must not contain U+0000, which PostgreSQL cannot store.
    case text(String)
    /// `bytea`.
    case bytes([UInt8])
    /// `timestamptz`: microseconds since 1970-01-01T00:00:00Z. `Int64.max` is `infinity`, `Int64.min` `-infinity`.
    case timestamp(microseconds: Int64)
    case uuid(high: UInt64, low: UInt64)
    case textArray([String])
    case intArray([Int64])
    /// For arrays of many elements.
    case array(PostgresArray)
}
