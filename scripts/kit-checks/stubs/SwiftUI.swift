// Names and types of SwiftUI, as far as the pages use them.
@_exported import Foundation

@MainActor public protocol View {}
@MainActor public protocol Scene {}
extension View {
    public func onOpenURL(perform: @escaping @MainActor (URL) -> Void) -> some View { self }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
    public func onChange<V: Equatable>(of value: V, perform: @escaping @MainActor (V) -> Void) -> some View { self }
}

@MainActor public struct WindowGroup: Scene { public init(@ViewBuilder content: () -> some View) {} }
@resultBuilder public enum ViewBuilder { public static func buildBlock<V: View>(_ view: V) -> V { view } }

@MainActor public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}
extension App { public static func main() {} }

public enum ScenePhase: Sendable { case background, inactive, active }
public struct EnvironmentValues { public var scenePhase: ScenePhase }
@propertyWrapper public struct Environment<Value> {
    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { preconditionFailure() }
}
@propertyWrapper public struct AppStorage<Value> {
    private var value: Value
    public init(wrappedValue: Value, _ key: String) { value = wrappedValue }
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
}
