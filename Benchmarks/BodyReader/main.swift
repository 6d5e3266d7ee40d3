import Hummingbird

// The HTTP limits of `make bench`: a route that reads its body and answers, and one that redirects, by the same
// framework and on the same number of threads as the daemon, and nothing else. body-reader [PORT]
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8399
let router = Router()
router.post("/v1/events") { request, _ in
    var bytes = 0
    for try await piece in request.body { bytes += piece.readableBytes }
    return "\(bytes)"
}
router.get("/:slug") { _, _ in
    Response(status: .found, headers: [.location: "https://www.example.com/"])
}
let application = Application(
    router: router,
    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
)
try await application.runService()
