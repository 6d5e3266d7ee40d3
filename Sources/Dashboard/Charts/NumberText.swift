import Reporting

/// Numbers as people read them.
enum NumberText {
    /// `12,345`, `12,345.6`: at most `decimals` decimals, zeros at the end left out.
    static func grouped(_ value: Double, decimals: Int = 2) -> String {
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
        if fraction > 0 {
            var digits = String(fraction)
            while digits.count < decimals { digits = "0" + digits }
            while digits.last == "0" { digits.removeLast() }
            text += "." + digits
        }
        return (value < 0 && scaled > 0 ? "−" : "") + text
    }

    /// `12.3 %`.
    static func percent(_ rate: Double) -> String {
        "\(grouped(rate * 100, decimals: 1)) %"
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

    static func text(of cell: ReportCell, in column: ReportColumn) -> String {
        guard let number = cell.number else { return cell.plainText ?? "–" }
        return switch column.kind {
        case .rate: percent(number)
        case _ where column.name.hasSuffix("_seconds"): duration(seconds: number)
        default: grouped(number)
        }
    }
}

extension ReportCell {
    /// Nil for texts and for no value.
    var number: Double? {
        switch self {
        case .text, .empty: nil
        case .integer, .decimal, .fraction: plainText.flatMap { Double($0) }
        }
    }
}
