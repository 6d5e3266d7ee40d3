/// The currencies of ISO 4217 (list one, as of 2026), without the codes for testing and for "no currency".
package enum CurrencyCode {
    /// The code in upper case; nil if no such currency is in use. The case of the text does not matter.
    package static func normalised(_ text: String) -> String? {
        let code = text.utf8.count == 3 ? text.uppercased() : text
        return codes.contains(code) ? code : nil
    }

    // BGN left the list at the end of 2025; amounts of that year may still arrive.
    private static let codes = Set(
        """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE
        CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ
        GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL
        LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR
        PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY
        TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF
        XPD XPF XPT XSU XUA YER ZAR ZMW ZWG
        """
        .split(whereSeparator: \.isWhitespace).map(String.init)
    )

    /// The currency that took the place of one that has ended; nil for any other text.
    static func successor(of text: String) -> String? {
        let code = text.uppercased()
        return ended.first { $0.codes.contains(code) }?.successor
    }

    private static let ended: [(successor: String, codes: Set<String>)] = [
        (
            "EUR",
            [
                "ATS", "BEF", "CYP", "DEM", "EEK", "ESP", "FIM", "FRF", "GRD", "HRK", "IEP", "ITL", "LTL", "LUF", "LVL",
                "MTL", "NLG", "PTE", "SIT", "SKK", "XEU",
            ]
        ),
        ("AZN", ["AZM"]), ("BYN", ["BYB", "BYR"]), ("CUP", ["CUC"]), ("GHS", ["GHC"]), ("MRU", ["MRO"]),
        ("MZN", ["MZM"]), ("RON", ["ROL"]), ("RUB", ["RUR"]), ("SLE", ["SLL"]), ("STN", ["STD"]), ("TMT", ["TMM"]),
        ("TRY", ["TRL"]), ("VES", ["VEB", "VEF"]), ("XCG", ["ANG"]), ("ZMW", ["ZMK"]), ("ZWG", ["ZWL"]),
    ]
}
