// Names and types of UIKit, as far as the kit and the pages use them.
@_exported import Foundation

@MainActor open class UIResponder: NSObject {
    public var pasteConfiguration: UIPasteConfiguration?
    open func paste(itemProviders: [NSItemProvider]) {}
}

/// Not sendable, like Apple's.
public class NSItemProvider {
    public func canLoadObject(ofClass: URL.Type) -> Bool { true }
    public func loadObject(ofClass: URL.Type, completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void)
        -> Progress
    { Progress(totalUnitCount: 1) }
}

public struct UIPasteConfiguration { public init(acceptableTypeIdentifiers: [String]) {} }

@MainActor open class UIView: UIResponder {
    public override init() { super.init() }
    public var backgroundColor: UIColor?
    public var translatesAutoresizingMaskIntoConstraints = true
    public let layoutMarginsGuide = UILayoutGuide()
    public let leadingAnchor = NSLayoutAnchor()
    public let trailingAnchor = NSLayoutAnchor()
    public let centerYAnchor = NSLayoutAnchor()
    public func addSubview(_ view: UIView) {}
}

@MainActor public class UILayoutGuide {
    public let leadingAnchor = NSLayoutAnchor()
    public let trailingAnchor = NSLayoutAnchor()
}

@MainActor public class NSLayoutAnchor {
    public func constraint(equalTo other: NSLayoutAnchor) -> NSLayoutConstraint { NSLayoutConstraint() }
}

@MainActor public class NSLayoutConstraint { public static func activate(_ constraints: [NSLayoutConstraint]) {} }

public struct UIColor: Sendable { public static let systemBackground = UIColor() }

@MainActor public class UILabel: UIView {
    public var text: String?
    public var numberOfLines = 1
}

@MainActor public class UITextField: UIView {
    public enum BorderStyle { case none, roundedRect }
    public enum Capitalization { case none, allCharacters }
    public enum Correction { case yes, no }
    public enum ReturnKey { case done, go }
    public var text: String?
    public var placeholder: String?
    public var borderStyle = BorderStyle.none
    public var autocapitalizationType = Capitalization.none
    public var autocorrectionType = Correction.yes
    public var returnKeyType = ReturnKey.done
    public weak var delegate: (any UITextFieldDelegate)?
}

@MainActor public protocol UITextFieldDelegate: AnyObject { func textFieldShouldReturn(_ field: UITextField) -> Bool }

@MainActor public class UIPasteControl: UIView { public weak var target: UIResponder? }

@MainActor public class UIAction { public init(title: String, handler: @escaping @MainActor (UIAction) -> Void) {} }

@MainActor public class UIButton: UIView {
    public enum ButtonType { case system }
    public init(type: ButtonType, primaryAction: UIAction?) {}
}

@MainActor public class UIStackView: UIView {
    public enum Axis { case horizontal, vertical }
    public var axis = Axis.horizontal
    public var spacing = 0.0
    public init(arrangedSubviews: [UIView]) {}
}

@MainActor open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) {}
    public required init?(coder: NSCoder) { nil }
    public let view = UIView()
    open func viewDidLoad() {}
    public func dismiss(animated: Bool) {}
}

@MainActor public class UIApplication {
    public static let shared = UIApplication()
    @discardableResult public func open(_ url: URL) async -> Bool { true }
}

@MainActor public class UIScene {
    public class ConnectionOptions {
        public var urlContexts: Set<UIOpenURLContext> = []
        public var userActivities: Set<NSUserActivity> = []
    }
}

@MainActor public class UISceneSession {}
@MainActor public class UIOpenURLContext: NSObject { public let url = URL(fileURLWithPath: "/") }
@MainActor public class NSUserActivity: NSObject { public var webpageURL: URL? }

@MainActor public protocol UIWindowSceneDelegate: AnyObject {
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions)
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>)
    func scene(_ scene: UIScene, continue activity: NSUserActivity)
}
