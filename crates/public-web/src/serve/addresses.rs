//! How many places each client address holds, so that one cannot take all.
//!
//! Must not know what a place is.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Places shared among addresses; copies share it.
#[derive(Clone, Debug)]
pub struct Addresses {
    most: usize,
    held: Arc<Mutex<HashMap<u128, usize>>>,
}

/// One place of an address; given back when dropped.
#[derive(Debug)]
pub struct AddressPlace {
    of: Option<(Addresses, u128)>,
}

impl Addresses {
    /// No address may hold more than `most` places.
    pub fn each(most: usize) -> Self {
        Self { most: most.max(1), held: Arc::default() }
    }

    /// A place for an address, unless it holds too many. Loopback addresses have no limit: a proxy on this machine speaks for
    /// many.
    pub fn place(&self, address: Option<IpAddr>) -> Option<AddressPlace> {
        let Some(network) = address.and_then(network) else { return Some(AddressPlace { of: None }) };
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(network).or_insert(0);
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(AddressPlace { of: Some((self.clone(), network)) })
    }
}

impl Drop for AddressPlace {
    fn drop(&mut self) {
        let Some((addresses, network)) = &self.of else { return };
        let mut held = addresses.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(network) {
            *count -= 1;
            if *count == 0 {
                held.remove(network);
            }
        }
    }
}

/// What counts as one client: an IPv4 address, or an IPv6 network of 64 bits, which one household has to itself. None for this
/// machine.
pub fn network(address: IpAddr) -> Option<u128> {
    let address = address.to_canonical();
    if address.is_loopback() {
        return None;
    }
    Some(match address {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits() >> 64 << 64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_gets_its_places_and_leaves_the_others_theirs() {
        let addresses = Addresses::each(2);
        let of = |text: &str| addresses.place(Some(text.parse().unwrap()));
        let (first, second) = (of("192.0.2.1"), of("::ffff:192.0.2.1"));
        assert!(first.is_some() && second.is_some() && of("192.0.2.1").is_none());
        let others = [of("192.0.2.2"), of("2001:db8::1"), of("2001:db8::2")];
        assert!(others.iter().all(Option::is_some));
        assert!(of("2001:db8::3").is_none(), "the same network");
        assert!(of("2001:db8:0:1::3").is_some());
        drop(first);
        assert!(of("192.0.2.1").is_some());
        drop((second, others));
        let free: Vec<_> = (0..100).map(|_| (of("127.0.0.1"), of("::1"), addresses.place(None))).collect();
        assert!(free.iter().all(|(one, two, three)| one.is_some() && two.is_some() && three.is_some()));
        assert!(addresses.held.lock().unwrap().is_empty());
    }
}
