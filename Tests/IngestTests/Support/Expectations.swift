import Testing

/// `#expect` for calls that change their value, which the macro cannot hold.
func expectEqual<Value: Equatable>(
    _ value: Value,
    _ expected: Value,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(value == expected, sourceLocation: sourceLocation)
}

func expectDifferent<Value: Equatable>(
    _ value: Value,
    _ other: Value,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(value != other, sourceLocation: sourceLocation)
}
