import Reporting

/// Numbers as people read them.
enum NumberText {
    /// `12,345`, `12,345.6`: at most `decimals` decimals; zeros at their end are left out, unless `fixed`.
    static func grouped(_ value: Double, decimals: Int = 2, fixed: Bool = false) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let (whole, fraction) = Int64(scaled).quotientAndRemainder(dividingBy: Int64(scale))
        var text = ""
        for (position, digit) in String(whole).reversed().enumerated() {
            if position > 0, position % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        if decimals > 0, fraction > 0 || fixed {
            var digits = String(fraction)
            while digits.count < decimals { digits = "0" + digits }
            while !fixed, digits.last == "0" { digits.removeLast() }
            text += "." + digits
        }
        return (value < 0 && scaled > 0 ? "−" : "") + text
    }

    /// `12.3 %`, `12.0 %`: a figure looks alike in a tile, in a table and in a picture.
    static func percent(_ rate: Double) -> String { "\(grouped(rate * 100, decimals: 1, fixed: true)) %" }

    /// `1 GiB`, `12.5 MiB`, `320 B`.
    static func bytes(_ count: Double) -> String {
        var amount = count
        for unit in ["B", "KiB", "MiB", "GiB"] {
            if amount < 1024 { return "\(grouped(amount, decimals: 1)) \(unit)" }
            amount /= 1024
        }
        return "\(grouped(amount, decimals: 1)) TiB"
    }

    /// `45 s`, `12 min`, `3.5 h`, `2.1 d`.
    static func duration(seconds: Double) -> String {
        switch seconds {
        case ..<120: "\(grouped(seconds, decimals: 0)) s"
        case ..<7200: "\(grouped(seconds / 60, decimals: 0)) min"
        case ..<172_800: "\(grouped(seconds / 3600, decimals: 1)) h"
        default: "\(grouped(seconds / 86_400, decimals: 1)) d"
        }
    }

    /// - Parameter isWhole: whether all numbers of the column are whole. Otherwise all show two decimals, so that they
    ///   line up.
    static func text(of cell: ReportCell, in column: ReportColumn, isWhole: Bool) -> String {
        guard let number = cell.number else {
            guard let text = cell.plainText else { return "–" }
            // An instant to the minute.
            return column.kind == .time ? text.prefix(16).replacing("T", with: " ") + " UTC" : text
        }
        return switch column.kind {
        case .rate where column.isDifference: grouped(number * 100, decimals: 1, fixed: true) + " points"
        case .rate: percent(number)
        case .probability: ReportCell.shortText(ofProbability: number)
        case _ where column.name.hasSuffix("_seconds"): duration(seconds: number)
        case _ where column.unit == "code": cell.plainText ?? ""
        case .decimal, .ratio: grouped(number, fixed: !isWhole)
        default: grouped(number)
        }
    }
}

extension ReportCell {
    /// Nil for a text, a flag and an empty cell.
    var number: Double? {
        switch self {
        case .text, .flag, .empty: nil
        case .integer, .decimal, .fraction, .probability: plainText.flatMap { Double($0) }
        }
    }
}
