import Events

/// Why a row cannot become an event.
struct RowFault: Error, Equatable {
    var code: Rejection.Code
    /// The field of the event.
    var field: String?
    /// The column of the file.
    var column: String?
    /// Never contains a value of the row.
    var message: String
}
