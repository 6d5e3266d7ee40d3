import ArgumentParser
import Foundation
import QRCodes
import Redirects
import Storage

struct QRLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr",
        abstract: "Print a QR code of a short link, or of any URL.",
        discussion: """
            The code has error correction M and is as small as the text allows. The URL of a short link is in capital \
            letters, which make the code smaller, if they lead to the same link. Of another URL, no database is \
            needed. Examples:
              tributary link qr sale
              tributary link qr https://a.example/abc --format svg > abc.svg
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, svg, png
    }

    @OptionGroup var options: LinkOptions

    @Argument(
        help: ArgumentHelp(
            "The slug of a stored link; or a URL, or another text that is no slug, of up to 2,331 bytes.",
            valueName: "slug"
        )
    )
    var text: String

    @Option(help: "text (for terminals), svg or png.")
    var format: Format = .text

    func run() async throws {
        let text = try await content()
        guard !text.isEmpty, let code = QRCode(text) else {
            throw CommandFailure(.usage, "a QR code holds 1 to 2,331 bytes, not \(text.utf8.count)")
        }
        switch format {
        case .text: print(code.text, terminator: "")
        case .svg: print(code.svg, terminator: "")
        case .png: try code.png().withUnsafeBytes { try StandardOutput.write($0) }
        }
    }

    /// The URL of the link that is named; any text that cannot be a slug stays as it is.
    private func content() async throws -> String {
        guard (try? Slug.checked(text)) != nil else { return text }
        return try await options.withStore { store, app in
            try await store.textForQRCode(of: options.link(text, in: app, store))
        }
    }
}
