//! How often one client may ask for what costs or changes something.
//!
//! Counted by account or by address, only in memory, and forgotten when the allowance is full again. Must not know requests.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use hall_clock::UtcMs;

/// Allowances in a minute; as many at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Attempts to log in of one address, right ones included. This machine has no limit of its own.
    pub logins_per_minute: u64,
    /// Requests of one account or key that change something.
    pub writes_per_minute: u64,
}

impl Default for Rates {
    fn default() -> Self {
        Self { logins_per_minute: 20, writes_per_minute: 1200 }
    }
}

/// Names that are kept at once. Further ones share the last place, so that a network of addresses costs no memory.
const MOST_NAMES: usize = 10_000;

/// A minute in milliseconds.
const MINUTE: UtcMs = 60_000;

/// What was asked lately.
#[derive(Debug)]
pub(super) struct Counted<Name> {
    per_minute: u64,
    /// When the allowance of a name is full again, in thousandths of milliseconds.
    full_at: Mutex<BTreeMap<Option<Name>, u64>>,
}

impl<Name: Ord> Counted<Name> {
    pub(super) fn new(per_minute: u64) -> Self {
        Self { per_minute: per_minute.max(1), full_at: Mutex::default() }
    }

    /// Counts one more; else gives the time to wait in milliseconds.
    pub(super) fn one_more(&self, name: Name, now: UtcMs) -> Result<(), u64> {
        let now = now * 1000;
        let each = MINUTE * 1000 / self.per_minute;
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let mut name = Some(name);
        if full_at.len() >= MOST_NAMES && !full_at.contains_key(&name) {
            full_at.retain(|_, full_at| *full_at > now);
            if full_at.len() >= MOST_NAMES {
                name = None;
            }
        }
        let used = full_at.get(&name).map_or(0, |full_at| full_at.saturating_sub(now));
        let wait = (used + each).saturating_sub(MINUTE * 1000);
        if wait > 0 {
            return Err(wait.div_ceil(1000));
        }
        full_at.insert(name, now + used + each);
        Ok(())
    }
}

/// What an address counts as; none for this machine.
pub(super) fn of_address(address: Option<IpAddr>) -> Option<u128> {
    address.and_then(public_web::network)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: UtcMs = 1_700_000_000_000;

    #[test]
    fn what_is_used_up_comes_back_in_a_minute() {
        let counted = Counted::new(20);
        let at_once = |name: &'static str, now| (0..1000).take_while(|_| counted.one_more(name, now).is_ok()).count();
        assert_eq!(at_once("anna", NOON), 20);
        assert_eq!(counted.one_more("anna", NOON), Err(3000));
        assert_eq!(at_once("ben", NOON), 20, "others are not held up");
        assert_eq!(at_once("anna", NOON + 3000), 1);
        assert_eq!(at_once("anna", NOON + 3_600_000), 20);
    }

    #[test]
    fn many_addresses_cost_no_memory() {
        let counted = Counted::new(1);
        let taken = (0..3 * MOST_NAMES).filter(|name| counted.one_more(*name, NOON).is_ok()).count();
        assert_eq!(taken, MOST_NAMES + 1);
        assert_eq!(counted.full_at.lock().unwrap().len(), MOST_NAMES + 1);
        assert_eq!(counted.one_more(3 * MOST_NAMES, NOON + MINUTE), Ok(()));
        assert_eq!(counted.full_at.lock().unwrap().len(), 1);
    }

    #[test]
    fn a_household_is_one_client_and_this_machine_none() {
        let of = |text: &str| of_address(Some(text.parse().unwrap()));
        assert_eq!(of("2001:db8::1"), of("2001:db8::2"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!((of("127.0.0.1"), of_address(None)), (None, None));
    }
}
