//! Decides whether a request may reach the protected API: from this machine, or over TLS.
//!
//! Passwords and undelayed games are sent only when the connection does not leave the machine, when the daemon itself decrypted
//! it, or when the request came through the proxy with TLS that the setting `public_url` names.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::uri::{Authority, Scheme, Uri};
use public_web::CameIn;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::problem::AdminRefusal;

/// Headers that proxies add, besides those that begin with `x-forwarded-`.
const PROXY: [&str; 7] =
    ["forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip"];

/// The address under which a proxy with TLS serves this daemon, e.g. `https://games.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(Authority);

/// How a request reached the protected API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// On this machine.
    Here,
    /// Over TLS, which the daemon or the proxy speaks.
    OverTls,
}

impl PublicUrl {
    /// The public address of a path.
    pub fn address(&self, path: &str) -> String {
        format!("https://{}{path}", self.0)
    }
}

impl FromStr for PublicUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "public_url is the address at which a proxy serves the pages over TLS, without a path: \
                             https://games.example.org";
        let uri: Uri = text.parse().map_err(|_| WRONG)?;
        let bare = uri.path() == "/" && uri.query().is_none();
        match uri.authority() {
            Some(authority) if bare && uri.scheme() == Some(&Scheme::HTTPS) && !authority.as_str().contains('@') => {
                Ok(Self(authority.clone()))
            }
            _ => Err(WRONG),
        }
    }
}

impl<'de> Deserialize<'de> for PublicUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// How a request reached the protected part.
///
/// Without TLS the name in `Host` must be this machine's too: a page of a stranger whose name leads to 127.0.0.1 has another.
///
/// # Errors
/// One sentence when it may not be served.
pub(super) fn reached(
    came_in: CameIn,
    headers: &HeaderMap,
    public_url: Option<&PublicUrl>,
) -> Result<Reached, AdminRefusal> {
    if came_in.tls {
        return Ok(Reached::OverTls);
    }
    let host = only_host(headers).and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
    match (host, public_url) {
        (Some(host), Some(PublicUrl(public))) if host.host().eq_ignore_ascii_case(public.host()) => {
            Ok(Reached::OverTls)
        }
        (Some(host), _) if came_in.loopback && is_loopback(host.host()) && !proxied(headers) => Ok(Reached::Here),
        (_, Some(_)) => Err(AdminRefusal::OnlyPublicUrl),
        _ => Err(AdminRefusal::NeedsTls),
    }
}

/// The name that is asked for; none where there are two, of which each program may believe another.
fn only_host(headers: &HeaderMap) -> Option<&HeaderValue> {
    let mut hosts = headers.get_all(header::HOST).iter();
    hosts.next().filter(|_| hosts.next().is_none())
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Whether a program of this machine asks, by a name of this machine: no proxy, and no page of a stranger whose name leads here.
pub(crate) fn is_here(came_in: CameIn, headers: &HeaderMap) -> bool {
    matches!(reached(came_in, headers, None), Ok(Reached::Here))
}

/// Whether a proxy passed the request on, or someone pretends so.
fn proxied(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| name.as_str().starts_with("x-forwarded-") || PROXY.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    fn asked(address: &str, headers: &[(&'static str, &str)], public: Option<&str>) -> Result<Reached, AdminRefusal> {
        let headers = headers.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        let public = public.map(|url| url.parse().unwrap());
        reached(CameIn::at(address.parse().unwrap()), &headers.collect(), public.as_ref())
    }

    #[test]
    fn on_the_machine_itself_nothing_needs_to_be_set() {
        for (address, host) in
            [("127.0.0.1:8080", "127.0.0.1:8080"), ("127.0.0.1:8080", "LocalHost:8080"), ("[::1]:8080", "[::1]:8080")]
        {
            assert_eq!(asked(address, &[("host", host)], None), Ok(Reached::Here), "{host}");
        }
        assert_eq!(asked("[::ffff:127.0.0.1]:80", &[("host", "localhost")], None), Ok(Reached::Here));
    }

    #[test]
    fn over_a_network_it_is_refused_without_tls() {
        let refused = asked("192.168.1.5:8080", &[("host", "192.168.1.5:8080")], None).unwrap_err();
        assert_eq!(refused, AdminRefusal::NeedsTls);
        for headers in [
            &[][..],
            &[("host", "evil.example")],
            &[("host", "127.0.0.1.evil.example")],
            &[("host", "localhost"), ("x-forwarded-for", "192.0.2.1")],
            &[("host", "localhost"), ("x-forwarded-host", "games.example.org")],
            &[("host", "localhost"), ("x-real-ip", "127.0.0.1")],
            &[("host", "localhost"), ("cf-connecting-ip", "192.0.2.1")],
        ] {
            assert!(asked("127.0.0.1:8080", headers, None).is_err(), "{headers:?}");
        }
        let mut two_names = HeaderMap::new();
        for host in ["localhost", "evil.example"] {
            two_names.append(header::HOST, HeaderValue::from_static(host));
        }
        assert!(reached(CameIn::at("127.0.0.1:80".parse().unwrap()), &two_names, None).is_err());
        assert!(asked("192.168.1.5:80", &[("host", "localhost")], None).is_err(), "the name alone proves nothing");
    }

    #[test]
    fn over_the_daemons_own_tls_every_name_is_right() {
        let came_in = CameIn { loopback: false, tls: true };
        assert_eq!(reached(came_in, &HeaderMap::new(), None), Ok(Reached::OverTls));
    }

    #[test]
    fn a_proxy_with_tls_is_told_by_its_address() {
        let public = Some("https://games.example.org");
        let host = ("host", "Games.Example.org");
        assert_eq!(asked("10.0.0.2:80", &[host, ("x-forwarded-for", "192.0.2.1")], public), Ok(Reached::OverTls));
        assert_eq!(asked("127.0.0.1:80", &[("host", "localhost")], public), Ok(Reached::Here));
        let refused = asked("10.0.0.2:80", &[("host", "10.0.0.2")], public).unwrap_err();
        assert_eq!(refused, AdminRefusal::OnlyPublicUrl);
    }

    #[test]
    fn what_is_no_address_with_tls_is_refused() {
        for wrong in ["http://games.example.org", "games.example.org", "https://x/y", "https://a@b", "https://", ""] {
            assert!(wrong.parse::<PublicUrl>().is_err(), "{wrong}");
        }
        let url: PublicUrl = "https://games.example.org:8443/".parse().unwrap();
        assert_eq!(url.address("/admin"), "https://games.example.org:8443/admin");
    }
}
