/// A date of the proleptic Gregorian calendar, of no particular zone, as days since 1970-01-01.
struct CalendarDay: Hashable, Comparable, Sendable {
    var number: Int

    init(number: Int) {
        self.number = number
    }

    /// By Howard Hinnant's `days_from_civil`; nil for a date that does not exist.
    init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = floorQuotient(shiftedYear, by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
        let back = components
        guard back.year == year, back.month == month, back.day == day else { return nil }
    }

    /// By Howard Hinnant's `civil_from_days`.
    var components: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = floorQuotient(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The Monday of its week (ISO 8601).
    var monday: CalendarDay {
        // 1970-01-01 was a Thursday.
        CalendarDay(number: floorQuotient(number + 3, by: 7) * 7 - 3)
    }

    static func < (first: CalendarDay, second: CalendarDay) -> Bool {
        first.number < second.number
    }
}

extension CalendarDay: LosslessStringConvertible {
    /// Reads `2026-01-31`; nil for all else, and for a date that does not exist.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(part) : nil
        }
        guard numbers.count == 3 else { return nil }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// `2026-01-31`.
    var description: String {
        let (year, month, day) = components
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// The quotient rounded down, also below zero.
func floorQuotient<Number: BinaryInteger>(_ numerator: Number, by denominator: Number) -> Number {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    return remainder < 0 ? quotient - 1 : quotient
}
