import ArgumentParser
import Foundation
import QRCodes

struct QRLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr",
        abstract: "Print a QR code of a URL.",
        discussion: """
            The code has error correction M and is as small as the text allows. Capital letters make it smaller. \
            Examples:
              tributary link qr https://a.example/abc
              tributary link qr https://a.example/abc --format svg > abc.svg
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, svg, png
    }

    @Argument(help: "The URL, or another text of up to 2,331 bytes.")
    var url: String

    @Option(help: "text (for terminals), svg or png.")
    var format: Format = .text

    func run() throws {
        guard !url.isEmpty, let code = QRCode(url) else {
            throw CommandFailure(.usage, "a QR code holds 1 to 2,331 bytes, not \(url.utf8.count)")
        }
        switch format {
        case .text: print(code.text, terminator: "")
        case .svg: print(code.svg, terminator: "")
        case .png: try FileHandle.standardOutput.write(contentsOf: Data(code.png()))
        }
    }
}
