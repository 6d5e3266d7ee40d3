import Events

/// Why a row becomes no event.
struct RowFault: Error, Equatable {
    var code: Rejection.Code
    /// Of the event.
    var field: String?
    /// Of the file.
    var column: String?
    /// Without a value of the row.
    var message: String
}
