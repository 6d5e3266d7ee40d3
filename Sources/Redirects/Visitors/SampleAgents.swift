/// User agents of real browsers and crawlers, for made-up visitors.
package enum SampleAgents {
    private static let safari = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
    private static let chrome = "AppleWebKit/537.36 (KHTML, like Gecko)"
    private static let onIPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) \(safari)"

    package static let iPhone = "\(onIPhone) Version/26.0 Mobile/15E148 Safari/604.1"
    package static let iPad =
        "Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) \(safari) Version/26.0 Mobile/15E148 Safari/604.1"
    package static let macSafari =
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(safari) Version/26.0 Safari/605.1.15"
    package static let android = "Mozilla/5.0 (Linux; Android 10; K) \(chrome) Chrome/142.0.0.0 Mobile Safari/537.36"
    package static let desktop = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(chrome) Chrome/142.0.0.0 Safari/537.36"
    package static let facebookOnIPhone =
        "\(onIPhone) Mobile/15E148 [FBAN/FBIOS;FBAV/536.0.0.40.102;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.7]"
    package static let facebookOnAndroid =
        "Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/BP1A.250505.005; wv) \(chrome) Version/4.0 "
        + "Chrome/142.0.7444.48 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/536.0.0.46.77;]"
    package static let instagram =
        "\(onIPhone) Mobile/15E148 Instagram 404.0.0.29.80 (iPhone15,2; iOS 18_7; en_US; en; scale=3.00)"

    package static let facebookCrawler = "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"
    package static let whatsApp = "WhatsApp/2.23.20.0 A"
    package static let slack = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"
    package static let searchEngine = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
}
