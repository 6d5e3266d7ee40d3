import ArgumentParser
import InboundLinks
import Redirects
import Reporting
import Storage

struct ExportLinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write an app's short links to standard output, by host and slug.",
        discussion: """
            'tributary link import' reads them back. NDJSON has only the fields that are not as in a new link; CSV \
            has a column for every field. Deleted links are not among them.

              tributary link export > links.ndjson
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case ndjson, csv
    }

    @OptionGroup var options: LinkOptions

    @Option(help: "The form of the output.")
    var format: Format = .ndjson

    /// Links that are read at once.
    private static let pageSize = 5_000

    func run() async throws {
        try await options.withStore { store, app in
            var output = ExportDestination(file: nil, isHashed: false, progress: Progress())
            var filter = LinkFilter()
            filter.host = options.host
            var last: LinkAddress?
            var count = 0
            if format == .csv { try write(LinkField.names.joined(separator: ",") + "\r\n", 0, to: &output) }
            while true {
                let links = try await store.list(of: app, filter, after: last, limit: Self.pageSize)
                count += links.count
                try write(links.map(text).joined(), count, to: &output)
                guard let link = links.last, links.count == Self.pageSize else { break }
                last = LinkAddress(host: link.host, slug: link.slug)
            }
            output.finishProgress()
        }
    }

    private func write(_ text: String, _ rows: Int, to output: inout ExportDestination) throws {
        var text = text
        try text.withUTF8 { try output.write(UnsafeRawBufferPointer($0), rows: rows) }
    }

    private func text(_ link: Link) -> String {
        switch format {
        case .ndjson: InspectionValue.object(link.givenFields, indented: false) + "\n"
        case .csv: link.record.map { Self.cell($0.1) }.joined(separator: ",") + "\r\n"
        }
    }

    private static func cell(_ value: InspectionValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): CSVWriter.field(text)
        case .number(let number): String(number)
        case .bool(let value): value ? "true" : "false"
        case .list(let texts): CSVWriter.field(texts.joined(separator: ","))
        }
    }
}
