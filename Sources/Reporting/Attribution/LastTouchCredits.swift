/// What a row is credited with: installs, conversions and their value.
struct LastTouchCredits: Equatable {
    var installs = CreditSum()
    var conversions = CreditSum()

    /// - Parameter units: the part of the event's credit that the row gets, in `CreditUnits`.
    mutating func add(_ event: CreditedEvent, units: Int64) {
        if event.isInstall {
            installs.add(units: units, value: 0)
        } else {
            conversions.add(units: units, value: event.value)
        }
    }

    static func += (credits: inout LastTouchCredits, other: LastTouchCredits) {
        credits.installs += other.installs
        credits.conversions += other.conversions
    }

    /// `installs`, `conversions`, `value`.
    var cells: [ReportCell] { [installs.unitsCell, conversions.unitsCell, conversions.valueCell] }
}
