//! At which addresses a listener of all networks is reached.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// The address on this machine of a daemon that may listen on all networks.
pub(crate) fn here(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The address of this machine in its network; none without a network. Nothing is sent.
#[cfg(any(feature = "demo", feature = "tls"))]
pub(crate) fn network_address() -> Option<IpAddr> {
    let towards = |own: IpAddr, other: IpAddr| {
        let socket = UdpSocket::bind((own, 0)).ok()?;
        socket.connect((other, 9)).ok()?;
        let address = socket.local_addr().ok()?.ip();
        (!address.is_unspecified() && !address.is_loopback()).then_some(address)
    };
    // Addresses for documentation (RFC 5737, RFC 3849): they lead to the default route.
    let (outside_v4, outside_v6) = (Ipv4Addr::new(192, 0, 2, 1), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1));
    towards(Ipv4Addr::UNSPECIFIED.into(), outside_v4.into())
        .or_else(|| towards(Ipv6Addr::UNSPECIFIED.into(), outside_v6.into()))
}
