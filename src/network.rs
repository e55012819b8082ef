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

/// Where other machines reach the first of these listeners that they can reach; `network` is this machine's address in its network.
pub(crate) fn outside(listeners: impl IntoIterator<Item = SocketAddr>, network: Option<IpAddr>) -> Option<SocketAddr> {
    listeners.into_iter().find_map(|listener| {
        let ip = if listener.ip().is_unspecified() { network? } else { listener.ip() };
        (!ip.is_loopback()).then(|| SocketAddr::new(ip, listener.port()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_reach_the_first_listener_that_is_not_of_this_machine_alone() {
        let address = |text: &str| text.parse::<SocketAddr>().expect("an address");
        let network = Some(address("192.168.7.1:0").ip());
        let found = |listeners: &[&str], network| outside(listeners.iter().map(|one| address(one)), network);
        assert_eq!(found(&["127.0.0.1:8080"], network), None);
        assert_eq!(found(&["0.0.0.0:8080"], network), Some(address("192.168.7.1:8080")));
        assert_eq!(found(&["10.0.0.5:8080"], network), Some(address("10.0.0.5:8080")));
        // As in the documents: the first listener for the machine itself, a further one for the public.
        assert_eq!(found(&["127.0.0.1:8080", "0.0.0.0:80"], network), Some(address("192.168.7.1:80")));
        assert_eq!(found(&["[::1]:8080", "[::]:80"], None), None, "without a network");
    }
}
