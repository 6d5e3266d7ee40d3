enum OpenAPIDescription { static let text = "" }
