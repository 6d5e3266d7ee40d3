/// A parameter of a statement.
///
/// Numbers, text and arrays go as text of no declared type, so that PostgreSQL infers the type from where the parameter
/// stands: `.text` fits an enum, `jsonb`, `interval` or `uuid`, `.int` any integer or `numeric`. Where nothing tells the
/// type (`unnest($1)`, `select $1`), write a cast: `$1::text[]`. The other cases declare their type.
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
    /// For many elements.
    case array(PostgresArray)
}
