import InboundLinks
import Postgres

extension AppStore {
    /// Declares a property. What is packed lacks it until all events are packed again (``TimelinePacker``); until then,
    /// reports that ask for it read the events themselves.
    ///
    /// - Throws: `AppPropertyError`.
    package func declare(_ property: AppProperty, of app: App) async throws {
        let number = PostgresValue.int(Int64(app.number))
        try await pool.withTransaction { connection in
            // Daemons read the settings of apps when links have changed.
            _ = try LinkRevision.raise(on: connection)
            // Of two that declare at once, the second waits, and counts the property of the first.
            try connection.execute("select from app where app_number = $1 for update", [number])
            let apps = try Self.apps(andBeingDeleted: false, on: connection)
            guard let known = apps.first(where: { $0.number == app.number })?.properties else {
                throw AppStoreError.unknown(id: app.profile.id, known: apps.map(\.profile.id))
            }
            if let same = known.first(where: { $0.name == property.name }) { throw AppPropertyError.exists(same) }
            guard known.count < AppProperty.countLimit else { throw AppPropertyError.tooMany }
            try connection.execute(
                StoredSQL.insertAppProperty,
                [number, .text(property.name), .text(property.kind.rawValue), .int(Int64(property.valueLimit))]
            )
            try connection.execute(StoredSQL.forgetPackedProperty, [number, .text(property.id)])
            try connection.execute(StoredSQL.markForRebuild, [number])
            try ChangeLog.write(
                .declareProperty,
                property.name,
                app: app.number,
                after: [("kind", .string(property.kind.rawValue)), ("values", .number(Int64(property.valueLimit)))],
                on: connection
            )
        }
    }

    /// Takes a declaration back. Events keep what they say.
    ///
    /// - Throws: `AppPropertyError.unknown`.
    package func removeProperty(_ name: String, of app: App) async throws {
        let number = PostgresValue.int(Int64(app.number))
        try await pool.withTransaction { connection in
            _ = try LinkRevision.raise(on: connection)
            let removed = try connection.query(StoredSQL.deleteAppProperty, [number, .text(name)])
            guard let row = removed.first else {
                let known = try Self.apps(andBeingDeleted: false, on: connection).first { $0.number == app.number }
                throw AppPropertyError.unknown(name, known: known?.properties.map(\.name) ?? [])
            }
            let kind = try row.text(0)
            try connection.execute(StoredSQL.forgetPackedProperty, [number, .text(AppProperty.id(kind, name))])
            let fields = [("kind", InspectionValue.string(kind))]
            try ChangeLog.write(.removeProperty, name, app: app.number, before: fields, on: connection)
        }
    }
}

/// Why a property cannot be declared, or its declaration not be taken back.
package enum AppPropertyError: Error, Equatable {
    /// A property of this name is declared already.
    case exists(AppProperty)
    case tooMany
    /// The app has declared no such property. `known` are the names of those that it has declared.
    case unknown(String, known: [String])
}
