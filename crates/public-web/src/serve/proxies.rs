//! Proxies whose word counts: what they say about the client behind a request.
//!
//! A header of anybody else is only text. A request with headers of both kinds that do not agree is believed in neither: most
//! proxies set one kind and pass the other on as the client sent it.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;
use axum::http::header::{FORWARDED, HeaderName};

use super::{CameIn, Client};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The name of every program that connects to a Unix socket of the daemon.
const UNIX: &str = "unix";

/// A proxy, or a network of proxies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proxy {
    /// What connects to a Unix socket of the daemon.
    Unix,
    /// The addresses whose first bits are those of this one.
    Network(IpAddr, u8),
}

impl FromStr for Proxy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == UNIX {
            return Ok(Self::Unix);
        }
        let (address, length) = text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
        let network = address.parse::<IpAddr>().ok().and_then(|address| {
            let most = if address.is_ipv4() { 32 } else { 128 };
            let length = length.map_or(Some(most), |length| length.parse().ok())?;
            (1..=most).contains(&length).then_some(Self::Network(address, length))
        });
        network.ok_or_else(|| {
            format!(
                "«{text}» is no proxy: write an address, a network like 192.168.1.0/24, or «unix» for the Unix sockets"
            )
        })
    }
}

/// The proxies that are believed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies(Vec<Proxy>);

impl Proxies {
    /// These proxies.
    pub fn new(proxies: Vec<Proxy>) -> Self {
        Self(proxies)
    }

    /// Whether a client is one of them; none is one at a Unix socket.
    pub fn trust(&self, client: Option<IpAddr>) -> bool {
        self.0.iter().any(|proxy| match (*proxy, client.map(|client| client.to_canonical())) {
            (Proxy::Unix, client) => client.is_none(),
            (Proxy::Network(IpAddr::V4(network), length), Some(IpAddr::V4(client))) => {
                (network.to_bits() ^ client.to_bits()) >> (32 - u32::from(length)) == 0
            }
            (Proxy::Network(IpAddr::V6(network), length), Some(IpAddr::V6(client))) => {
                (network.to_bits() ^ client.to_bits()) >> (128 - u32::from(length)) == 0
            }
            _ => false,
        })
    }

    /// Who sent a request of a proxy that is believed, and over what; the headers that said so are removed. A request without
    /// such headers is the proxy's own.
    pub(super) fn believe(&self, headers: &mut HeaderMap, own: (CameIn, Client)) -> (CameIn, Client) {
        let (standard, usual) = (self.by_forwarded(headers), self.by_x_forwarded(headers));
        for name in [FORWARDED, FORWARDED_FOR, FORWARDED_PROTO] {
            headers.remove(name);
        }
        let told = match (standard, usual) {
            (None, None) => return own,
            (Some(told), None) | (None, Some(told)) => told,
            (Some(standard), Some(usual)) if standard == usual => standard,
            (Some(_), Some(_)) => Told { client: None, tls: false },
        };
        let client = told.client.or(own.1.0);
        (CameIn { loopback: false, tls: told.tls }, Client(client))
    }

    /// As RFC 7239 has it.
    fn by_forwarded(&self, headers: &HeaderMap) -> Option<Told> {
        let hops: Vec<(Option<IpAddr>, bool)> = items(headers, FORWARDED)?
            .map(|hop| {
                let value = |name: &str| {
                    let pairs = hop.split(';').filter_map(|pair| pair.trim().split_once('='));
                    pairs
                        .rev()
                        .find(|(key, _)| key.eq_ignore_ascii_case(name))
                        .map(|(_, value)| value.trim_matches('"'))
                };
                let tls = value("proto").is_some_and(|proto| proto.eq_ignore_ascii_case("https"));
                (value("for").and_then(address), tls)
            })
            .collect();
        let tls = hops.last()?.1;
        Some(Told { client: self.first_stranger(hops.into_iter().map(|(address, _)| address)), tls })
    }

    fn by_x_forwarded(&self, headers: &HeaderMap) -> Option<Told> {
        let (hops, protocols) = (items(headers, FORWARDED_FOR), items(headers, FORWARDED_PROTO));
        if hops.is_none() && protocols.is_none() {
            return None;
        }
        let tls = protocols.and_then(Iterator::last).is_some_and(|proto| proto.eq_ignore_ascii_case("https"));
        let client = hops.and_then(|hops| self.first_stranger(hops.map(address)));
        Some(Told { client, tls })
    }

    /// The last hop that is not a proxy: what stands before it, the client wrote. None when that is no address.
    fn first_stranger(&self, hops: impl Iterator<Item = Option<IpAddr>>) -> Option<IpAddr> {
        let hops: Vec<_> = hops.collect();
        let last = |hop: &&Option<IpAddr>| hop.is_none_or(|address| !self.trust(Some(address)));
        hops.iter().rev().find(last).or(hops.first()).copied().flatten()
    }
}

/// What the headers of a proxy say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    client: Option<IpAddr>,
    tls: bool,
}

/// The items of a header's lists; none without the header. What is no text is an item without meaning.
fn items(headers: &HeaderMap, name: HeaderName) -> Option<impl Iterator<Item = &str>> {
    headers.contains_key(&name).then(|| {
        let lines = headers.get_all(name).into_iter().map(|line| line.to_str().unwrap_or_default());
        lines.flat_map(|line| line.split(',')).map(str::trim)
    })
}

/// An address, perhaps with a port, as proxies write it; none for a name that hides one.
fn address(text: &str) -> Option<IpAddr> {
    let bare = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None if text.matches(':').count() == 1 => text.split_once(':')?.0,
        None => text,
    };
    bare.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OWN: (CameIn, Client) =
        (CameIn { loopback: true, tls: false }, Client(Some(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST))));

    fn proxies(texts: &[&str]) -> Proxies {
        Proxies::new(texts.iter().map(|text| text.parse().unwrap()).collect())
    }

    fn told(lines: &[(&'static str, &str)]) -> (CameIn, Option<String>) {
        let mut headers: HeaderMap = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        let (came_in, Client(client)) = proxies(&["127.0.0.1", "10.0.0.0/8"]).believe(&mut headers, OWN);
        assert!(headers.keys().all(|name| !name.as_str().contains("forwarded")), "{headers:?}");
        (came_in, client.map(|client| client.to_string()))
    }

    #[test]
    fn a_proxy_is_an_address_a_network_or_a_unix_socket() {
        let some = proxies(&["192.168.1.0/24", "fd00::/8", "203.0.113.7"]);
        for (client, trusted) in [
            ("192.168.1.77", true),
            ("::ffff:192.168.1.77", true),
            ("192.168.2.77", false),
            ("fd12::1", true),
            ("fe80::1", false),
            ("203.0.113.7", true),
            ("203.0.113.6", false),
        ] {
            assert_eq!(some.trust(Some(client.parse().unwrap())), trusted, "{client}");
        }
        assert!(!some.trust(None) && proxies(&["unix"]).trust(None));
        assert!(!Proxies::default().trust(Some("127.0.0.1".parse().unwrap())));
        for wrong in ["", "proxy.example.org", "10.0.0.0/33", "10.0.0.0/0", "10.0.0.0/", "fd00::/129", "10.0.0.0/-1"] {
            assert!(wrong.parse::<Proxy>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_client_is_who_connected_to_the_first_proxy() {
        let tls = CameIn { loopback: false, tls: true };
        let plain = CameIn { loopback: false, tls: false };
        let client = |text: &str| Some(text.to_owned());
        assert_eq!(told(&[]), (OWN.0, client("127.0.0.1")), "the proxy's own request");
        for (lines, expected) in [
            (&[("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", "https")][..], (tls, client("192.0.2.1"))),
            (&[("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", "http")], (plain, client("192.0.2.1"))),
            // What stands before the last stranger, the stranger wrote.
            (&[("x-forwarded-for", "127.0.0.1, 192.0.2.1, 10.0.0.9")], (plain, client("192.0.2.1"))),
            (&[("x-forwarded-for", "127.0.0.1"), ("x-forwarded-for", "192.0.2.1:4711")], (plain, client("192.0.2.1"))),
            (&[("forwarded", "for=192.0.2.1;proto=https")], (tls, client("192.0.2.1"))),
            (
                &[("forwarded", "for=127.0.0.1;proto=http, For=\"[2001:db8::1]:80\";Proto=HTTPS;by=_x")],
                (tls, client("2001:db8::1")),
            ),
            (&[("forwarded", "for=_hidden;proto=https")], (tls, client("127.0.0.1"))),
            (&[("x-forwarded-for", "unknown")], (plain, client("127.0.0.1"))),
            (&[("x-forwarded-proto", "https")], (tls, client("127.0.0.1"))),
            // The proxy sets the one kind, and the client the other.
            (
                &[("forwarded", "for=127.0.0.1;proto=https"), ("x-forwarded-for", "192.0.2.1")],
                (plain, client("127.0.0.1")),
            ),
            (
                &[
                    ("forwarded", "for=192.0.2.1;proto=https"),
                    ("x-forwarded-for", "192.0.2.1"),
                    ("x-forwarded-proto", "https"),
                ],
                (tls, client("192.0.2.1")),
            ),
            (&[("x-forwarded-for", "10.0.0.1")], (plain, client("10.0.0.1"))),
        ] {
            assert_eq!(told(lines), expected, "{lines:?}");
        }
    }

    proptest! {
        #[test]
        fn no_header_brings_a_client_onto_this_machine(standard in "[ -~]{0,60}", usual in "[ -~]{0,60}") {
            let mut headers = HeaderMap::new();
            headers.insert(FORWARDED, standard.parse().unwrap());
            headers.insert(FORWARDED_FOR, usual.parse().unwrap());
            let (came_in, _) = proxies(&["127.0.0.1"]).believe(&mut headers, OWN);
            prop_assert!(!came_in.loopback && headers.is_empty());
        }
    }
}
