import Events

extension Problem {
    init(_ error: BatchError) {
        switch error {
        case .malformed: self.init(.malformedBody, error.description)
        case .empty: self.init(.emptyBatch, error.description)
        case .tooManyEvents: self.init(.tooManyEvents, error.description)
        case .unknownField(let name, _): self.init(.unknownField, error.description, field: name)
        case .duplicateField(let name): self.init(.duplicateField, error.description, field: name)
        case .invalidField(let name, _): self.init(.invalidField, error.description, field: name)
        case .tooDeep: self.init(.tooDeep, error.description)
        case .tooLarge: self.init(.tooManyValues, error.description)
        }
    }
}
