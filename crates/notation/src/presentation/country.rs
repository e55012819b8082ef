//! Country codes of the `Site` tag (PGN standard, 15) and FIDE's codes today.
//!
//! Three of the standard's codes are FIDE's codes of other countries today: `BAR`, `NIG`, `SWZ`.

/// A country with its code in the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country {
    /// The standard's code.
    pub code: &'static str,
    /// The name in English.
    pub name: &'static str,
    /// FIDE's code today; `None` for former states and for places without a federation.
    pub fide: Option<&'static str>,
}

impl Country {
    /// The country with this code in the standard.
    pub fn of_standard(code: &str) -> Option<&'static Self> {
        let place = COUNTRIES.binary_search_by_key(&code, |country| country.code).ok()?;
        COUNTRIES.get(place)
    }

    /// The country with this FIDE code, if the standard lists it.
    pub fn of_fide(code: &str) -> Option<&'static Self> {
        COUNTRIES.iter().find(|country| country.fide == Some(code))
    }
}

/// Whether this is a FIDE federation code today, including `FID` for players without a federation.
pub fn is_fide_federation(code: &str) -> bool {
    FEDERATIONS.binary_search(&code).is_ok()
}

const fn country(code: &'static str, name: &'static str, fide: &'static str) -> Country {
    Country { code, name, fide: if fide.is_empty() { None } else { Some(fide) } }
}

/// All codes of the standard in ASCII order.
#[rustfmt::skip]
static COUNTRIES: [Country; 152] = [
    country("AFG", "Afghanistan", "AFG"),
    country("AIR", "Aboard aircraft", ""),
    country("ALB", "Albania", "ALB"),
    country("ALG", "Algeria", "ALG"),
    country("AND", "Andorra", "AND"),
    country("ANG", "Angola", "ANG"),
    country("ANT", "Antigua", "ANT"),
    country("ARG", "Argentina", "ARG"),
    country("ARM", "Armenia", "ARM"),
    country("ATA", "Antarctica", ""),
    country("AUS", "Australia", "AUS"),
    country("AZB", "Azerbaijan", "AZE"),
    country("BAN", "Bangladesh", "BAN"),
    country("BAR", "Bahrain", "BRN"),
    country("BEL", "Belgium", "BEL"),
    country("BER", "Bermuda", "BER"),
    country("BHM", "Bahamas", "BAH"),
    country("BIH", "Bosnia and Herzegovina", "BIH"),
    country("BLA", "Belarus", "BLR"),
    country("BLG", "Bulgaria", "BUL"),
    country("BLZ", "Belize", "BIZ"),
    country("BOL", "Bolivia", "BOL"),
    country("BRB", "Barbados", "BAR"),
    country("BRS", "Brazil", "BRA"),
    country("BRU", "Brunei", "BRU"),
    country("BSW", "Botswana", "BOT"),
    country("CAN", "Canada", "CAN"),
    country("CHI", "Chile", "CHI"),
    country("COL", "Colombia", "COL"),
    country("CRA", "Costa Rica", "CRC"),
    country("CRO", "Croatia", "CRO"),
    country("CSR", "Czechoslovakia", ""),
    country("CUB", "Cuba", "CUB"),
    country("CYP", "Cyprus", "CYP"),
    country("DEN", "Denmark", "DEN"),
    country("DOM", "Dominican Republic", "DOM"),
    country("ECU", "Ecuador", "ECU"),
    country("EGY", "Egypt", "EGY"),
    country("ENG", "England", "ENG"),
    country("ESP", "Spain", "ESP"),
    country("EST", "Estonia", "EST"),
    country("FAI", "Faroe Islands", "FAI"),
    country("FIJ", "Fiji", "FIJ"),
    country("FIN", "Finland", "FIN"),
    country("FRA", "France", "FRA"),
    country("GAM", "Gambia", "GAM"),
    country("GCI", "Guernsey-Jersey", "GCI"),
    country("GEO", "Georgia", "GEO"),
    country("GER", "Germany", "GER"),
    country("GHA", "Ghana", "GHA"),
    country("GRC", "Greece", "GRE"),
    country("GUA", "Guatemala", "GUA"),
    country("GUY", "Guyana", "GUY"),
    country("HAI", "Haiti", "HAI"),
    country("HKG", "Hong Kong", "HKG"),
    country("HON", "Honduras", "HON"),
    country("HUN", "Hungary", "HUN"),
    country("IND", "India", "IND"),
    country("IRL", "Ireland", "IRL"),
    country("IRN", "Iran", "IRI"),
    country("IRQ", "Iraq", "IRQ"),
    country("ISD", "Iceland", "ISL"),
    country("ISR", "Israel", "ISR"),
    country("ITA", "Italy", "ITA"),
    country("IVO", "Ivory Coast", "CIV"),
    country("JAM", "Jamaica", "JAM"),
    country("JAP", "Japan", "JPN"),
    country("JRD", "Jordan", "JOR"),
    country("JUG", "Yugoslavia", ""),
    country("KAZ", "Kazakhstan", "KAZ"),
    country("KEN", "Kenya", "KEN"),
    country("KIR", "Kyrgyzstan", "KGZ"),
    country("KUW", "Kuwait", "KUW"),
    country("LAT", "Latvia", "LAT"),
    country("LEB", "Lebanon", "LBN"),
    country("LIB", "Libya", "LBA"),
    country("LIC", "Liechtenstein", "LIE"),
    country("LTU", "Lithuania", "LTU"),
    country("LUX", "Luxembourg", "LUX"),
    country("MAL", "Malaysia", "MAS"),
    country("MAU", "Mauritania", "MTN"),
    country("MEX", "Mexico", "MEX"),
    country("MLI", "Mali", "MLI"),
    country("MLT", "Malta", "MLT"),
    country("MNC", "Monaco", "MNC"),
    country("MOL", "Moldova", "MDA"),
    country("MON", "Mongolia", "MGL"),
    country("MOZ", "Mozambique", "MOZ"),
    country("MRC", "Morocco", "MAR"),
    country("MRT", "Mauritius", "MRI"),
    country("MYN", "Myanmar", "MYA"),
    country("NCG", "Nicaragua", "NCA"),
    country("NET", "The Internet", ""),
    country("NIG", "Nigeria", "NGR"),
    country("NLA", "Netherlands Antilles", "AHO"),
    country("NLD", "Netherlands", "NED"),
    country("NOR", "Norway", "NOR"),
    country("NZD", "New Zealand", "NZL"),
    country("OST", "Austria", "AUT"),
    country("PAK", "Pakistan", "PAK"),
    country("PAL", "Palestine", "PLE"),
    country("PAN", "Panama", "PAN"),
    country("PAR", "Paraguay", "PAR"),
    country("PER", "Peru", "PER"),
    country("PHI", "Philippines", "PHI"),
    country("PNG", "Papua New Guinea", "PNG"),
    country("POL", "Poland", "POL"),
    country("POR", "Portugal", "POR"),
    country("PRC", "People's Republic of China", "CHN"),
    country("PRO", "Puerto Rico", "PUR"),
    country("QTR", "Qatar", "QAT"),
    country("RIN", "Indonesia", "INA"),
    country("ROM", "Romania", "ROU"),
    country("RUS", "Russia", "RUS"),
    country("SAF", "South Africa", "RSA"),
    country("SAL", "El Salvador", "ESA"),
    country("SCO", "Scotland", "SCO"),
    country("SEA", "At Sea", ""),
    country("SEN", "Senegal", "SEN"),
    country("SEY", "Seychelles", "SEY"),
    country("SIP", "Singapore", "SGP"),
    country("SLV", "Slovenia", "SLO"),
    country("SMA", "San Marino", "SMR"),
    country("SPC", "Aboard spacecraft", ""),
    country("SRI", "Sri Lanka", "SRI"),
    country("SUD", "Sudan", "SUD"),
    country("SUR", "Suriname", "SUR"),
    country("SVE", "Sweden", "SWE"),
    country("SWZ", "Switzerland", "SUI"),
    country("SYR", "Syria", "SYR"),
    country("TAI", "Thailand", "THA"),
    country("TMT", "Turkmenistan", "TKM"),
    country("TRK", "Turkey", "TUR"),
    country("TTO", "Trinidad and Tobago", "TTO"),
    country("TUN", "Tunisia", "TUN"),
    country("UAE", "United Arab Emirates", "UAE"),
    country("UGA", "Uganda", "UGA"),
    country("UKR", "Ukraine", "UKR"),
    country("UNK", "Unknown", ""),
    country("URU", "Uruguay", "URU"),
    country("USA", "United States of America", "USA"),
    country("UZB", "Uzbekistan", "UZB"),
    country("VEN", "Venezuela", "VEN"),
    country("VGB", "British Virgin Islands", "IVB"),
    country("VIE", "Vietnam", "VIE"),
    country("VUS", "U.S. Virgin Islands", "ISV"),
    country("WLS", "Wales", "WLS"),
    country("YEM", "Yemen", "YEM"),
    country("YUG", "Yugoslavia", ""),
    country("ZAM", "Zambia", "ZAM"),
    country("ZIM", "Zimbabwe", "ZIM"),
    country("ZRE", "Zaire", "COD"),
];

/// FIDE's codes in ASCII order.
#[rustfmt::skip]
static FEDERATIONS: [&str; 203] = [
    "AFG", "AHO", "ALB", "ALG", "AND", "ANG", "ANT", "ARG", "ARM", "ARU", "AUS", "AUT", "AZE", "BAH", "BAN",
    "BAR", "BDI", "BEL", "BER", "BHU", "BIH", "BIZ", "BLR", "BOL", "BOT", "BRA", "BRN", "BRU", "BUL", "BUR",
    "CAF", "CAM", "CAN", "CAY", "CHA", "CHI", "CHN", "CIV", "CMR", "COD", "COL", "COM", "CPV", "CRC", "CRO",
    "CUB", "CYP", "CZE", "DEN", "DJI", "DMA", "DOM", "ECU", "EGY", "ENG", "ERI", "ESA", "ESP", "EST", "ETH",
    "FAI", "FID", "FIJ", "FIN", "FRA", "GAB", "GAM", "GCI", "GEO", "GEQ", "GER", "GHA", "GRE", "GRN", "GUA",
    "GUM", "GUY", "HAI", "HKG", "HON", "HUN", "INA", "IND", "IOM", "IRI", "IRL", "IRQ", "ISL", "ISR", "ISV",
    "ITA", "IVB", "JAM", "JCI", "JOR", "JPN", "KAZ", "KEN", "KGZ", "KOR", "KOS", "KSA", "KUW", "LAO", "LAT",
    "LBA", "LBN", "LBR", "LCA", "LES", "LIE", "LTU", "LUX", "MAC", "MAD", "MAR", "MAS", "MAW", "MDA", "MDV",
    "MEX", "MGL", "MKD", "MLI", "MLT", "MNC", "MNE", "MOZ", "MRI", "MTN", "MYA", "NAM", "NCA", "NED", "NEP",
    "NGR", "NIG", "NOR", "NRU", "NZL", "OMA", "PAK", "PAN", "PAR", "PER", "PHI", "PLE", "PLW", "PNG", "POL",
    "POR", "PUR", "QAT", "ROU", "RSA", "RUS", "RWA", "SCO", "SEN", "SEY", "SGP", "SKN", "SLE", "SLO", "SMR",
    "SOL", "SOM", "SRB", "SRI", "SSD", "STP", "SUD", "SUI", "SUR", "SVK", "SWE", "SWZ", "SYR", "TAN", "TGA",
    "THA", "TJK", "TKM", "TLS", "TOG", "TPE", "TTO", "TUN", "TUR", "UAE", "UGA", "UKR", "URU", "USA", "UZB",
    "VAN", "VEN", "VIE", "VIN", "WLS", "YEM", "ZAM", "ZIM",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_of_1992_is_found_under_today_s_code() {
        let today = |code| Country::of_standard(code).and_then(|country| country.fide);
        assert_eq!(today("OST"), Some("AUT"));
        assert_eq!(today("USA"), Some("USA"));
        assert_eq!(today("BAR"), Some("BRN"));
        assert_eq!(today("JUG"), None);
        assert_eq!(Country::of_standard("JUG").map(|country| country.name), Some("Yugoslavia"));
        assert_eq!(Country::of_fide("BAR").map(|country| country.name), Some("Barbados"));
        assert_eq!(Country::of_standard("AUT"), None);
    }

    #[test]
    fn the_tables_are_in_order_and_agree() {
        assert!(COUNTRIES.is_sorted_by(|one, other| one.code < other.code));
        assert!(FEDERATIONS.is_sorted_by(|one, other| one < other));
        for country in &COUNTRIES {
            assert!(country.fide.is_none_or(is_fide_federation), "{}", country.code);
        }
        let moved =
            COUNTRIES.iter().filter(|country| is_fide_federation(country.code) && country.fide != Some(country.code));
        assert_eq!(moved.map(|country| country.code).collect::<Vec<_>>(), ["BAR", "NIG", "SWZ"]);
        assert!(is_fide_federation("FID") && !is_fide_federation("XXX"));
    }
}
