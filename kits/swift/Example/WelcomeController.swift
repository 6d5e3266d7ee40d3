// Asks at the first launch for the link that was copied, or the code, of the page before the App Store. Show it if
// `await tributary.isFirstLaunch`, in place of the call of `opened`.
import Tributary
import UIKit
import UniformTypeIdentifiers

final class WelcomeController: UIViewController, UITextFieldDelegate {
    private let tributary: TributaryApp
    private let hint = UILabel()
    private let code = UITextField()

    init(_ tributary: TributaryApp) {
        self.tributary = tributary
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        hint.text = "Were you invited? Paste the link, or type the code of the page."
        hint.numberOfLines = 0
        // iOS 16. It asks nobody for permission, because the person has tapped it.
        pasteConfiguration = UIPasteConfiguration(acceptableTypeIdentifiers: [UTType.url.identifier])
        let paste = UIPasteControl()
        paste.target = self
        code.placeholder = "Code"
        code.borderStyle = .roundedRect
        code.autocapitalizationType = .allCharacters
        code.autocorrectionType = .no
        code.returnKeyType = .go
        code.delegate = self
        let skip = UIButton(type: .system, primaryAction: UIAction(title: "Go on") { [weak self] _ in self?.goOn() })
        let stack = UIStackView(arrangedSubviews: [hint, paste, code, skip])
        stack.axis = .vertical
        stack.spacing = 16
        stack.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(stack)
        NSLayoutConstraint.activate([
            stack.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
            stack.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
            stack.centerYAnchor.constraint(equalTo: view.centerYAnchor),
        ])
    }

    // The person has tapped the paste button.
    override func paste(itemProviders: [NSItemProvider]) {
        Task { goOn(with: await tributary.findLink(in: itemProviders, host: "go.example.com")) }
    }

    // The person has typed the code and tapped Go.
    func textFieldShouldReturn(_ field: UITextField) -> Bool {
        let text = field.text ?? ""
        Task { goOn(with: await tributary.findLink(code: text)) }
        return true
    }

    private func goOn(with finding: TributaryApp.Finding) {
        switch finding {
        case .found(let link): goOn(to: link.appURL)
        case .notFound: hint.text = "Nothing was found. Try again, or go on without."
        case .tooManyTries(let seconds): hint.text = "Too many tries. Wait \(Int(seconds)) seconds, or go on without."
        case .noAnswer: hint.text = "You seem to be offline. Try again, or go on without."
        }
    }

    /// Tells the install, with the click if there is one, and opens the place that the link stands for.
    private func goOn(to place: URL? = nil) {
        Task {
            await tributary.opened(by: nil)
            dismiss(animated: true)
            if let place { await UIApplication.shared.open(place) }
        }
    }
}
