//! Limits password attempts, for each account and in all.
//!
//! Attempts are counted by the name of the account and only in memory; the daemon counts addresses by itself. A name without an account is
//! counted like any other, so that the limit does not tell which accounts exist.

use std::collections::BTreeMap;

use hall_clock::UtcMs;

/// A token bucket: its size, and the time until one token comes back.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    at_once: u64,
    every_ms: u64,
}

/// For one account: 5 attempts at once, then 2 a minute.
const ACCOUNT: Allowance = Allowance { at_once: 5, every_ms: 30_000 };

/// For all accounts together: 30 attempts at once, then 1 a second.
const ALL: Allowance = Allowance { at_once: 30, every_ms: 1_000 };

/// Recent attempts.
#[derive(Debug, Default)]
pub struct Attempts {
    /// When the bucket for all accounts is full again.
    full_at: UtcMs,
    /// The same for each name. Names with a full bucket are removed, so that [`ALL`] bounds the size of the map.
    names: BTreeMap<String, UtcMs>,
    /// The same for each account at its known devices, of which there are few.
    known: BTreeMap<String, UtcMs>,
}

/// Too many attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// When the next one is allowed, in milliseconds from now.
    pub wait_ms: u64,
}

impl Attempts {
    /// Counts an attempt. Call it before the password is checked, so that parallel attempts cannot evade the limit.
    ///
    /// # Errors
    /// [`TooMany`]; then it is not counted.
    pub fn begin(&mut self, name: &str, now: UtcMs) -> Result<(), TooMany> {
        self.names.retain(|_, full_at| *full_at > now);
        let name = name.to_lowercase();
        let account = self.names.get(&name).copied().unwrap_or(now);
        let of_account = ACCOUNT.after_one_more(account, now)?;
        self.full_at = ALL.after_one_more(self.full_at, now)?;
        self.names.insert(name, of_account);
        Ok(())
    }

    /// Counts an attempt from a device from which someone logged in to the account before. Attempts from elsewhere do not
    /// count here.
    ///
    /// # Errors
    /// As [`Attempts::begin`].
    pub fn begin_known(&mut self, name: &str, now: UtcMs) -> Result<(), TooMany> {
        self.known.retain(|_, full_at| *full_at > now);
        let name = name.to_lowercase();
        let after = ACCOUNT.after_one_more(self.known.get(&name).copied().unwrap_or(now), now)?;
        self.known.insert(name, after);
        Ok(())
    }

    /// Removes the attempts of an account after the right password.
    pub fn succeeded(&mut self, name: &str) {
        if self.known.remove(&name.to_lowercase()).is_some() {
            return;
        }
        self.names.remove(&name.to_lowercase());
        self.full_at = self.full_at.saturating_sub(ALL.every_ms);
    }
}

impl Allowance {
    fn after_one_more(self, full_at: UtcMs, now: UtcMs) -> Result<UtcMs, TooMany> {
        let used_ms = full_at.saturating_sub(now);
        let wait_ms = (used_ms + self.every_ms).saturating_sub(self.at_once * self.every_ms);
        if wait_ms > 0 { Err(TooMany { wait_ms }) } else { Ok(now + used_ms + self.every_ms) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: UtcMs = 1_700_000_000_000;

    fn tried(attempts: &mut Attempts, name: &str, now: UtcMs) -> usize {
        (0..1000).take_while(|_| attempts.begin(name, now).is_ok()).count()
    }

    #[test]
    fn an_account_has_few_attempts_and_gets_them_back_slowly() {
        let mut attempts = Attempts::default();
        assert_eq!(tried(&mut attempts, "anna", NOON), 5);
        assert_eq!(attempts.begin("anna", NOON), Err(TooMany { wait_ms: 30_000 }));
        assert!(attempts.begin("Anna", NOON + 29_999).is_err(), "another spelling is the same account");
        assert_eq!(tried(&mut attempts, "ANNA", NOON + 30_000), 1);
        assert!(attempts.begin("ben", NOON + 30_000).is_ok(), "others are not held up");
        assert_eq!(tried(&mut attempts, "anna", NOON + 3_600_000), 5);
    }

    #[test]
    fn the_right_password_clears_the_account() {
        let mut attempts = Attempts::default();
        assert_eq!(tried(&mut attempts, "anna", NOON), 5);
        attempts.succeeded("anna");
        assert_eq!(tried(&mut attempts, "anna", NOON), 5);
    }

    #[test]
    fn a_known_device_is_held_up_by_nobody_but_itself() {
        let mut attempts = Attempts::default();
        while attempts.begin("anna", NOON).is_ok() {}
        for guess in 0..1000 {
            let _ = attempts.begin(&format!("user{guess}"), NOON);
        }
        let known =
            |attempts: &mut Attempts| (0..1000).take_while(|_| attempts.begin_known("Anna", NOON).is_ok()).count();
        assert_eq!(known(&mut attempts), 5);
        attempts.succeeded("anna");
        assert_eq!(known(&mut attempts), 5);
        assert!(attempts.begin("anna", NOON).is_err(), "strangers gain nothing");
    }

    #[test]
    fn guessing_names_is_held_up_too_and_costs_no_memory() {
        let mut attempts = Attempts::default();
        let guesses = |attempts: &mut Attempts, now| {
            (0..1000).take_while(|guess| attempts.begin(&format!("user{now}-{guess}"), now).is_ok()).count()
        };
        assert_eq!(guesses(&mut attempts, NOON), 30);
        for second in 1..1000 {
            assert_eq!(guesses(&mut attempts, NOON + second * 1000), 1);
            assert!(attempts.names.len() <= 60, "{}", attempts.names.len());
        }
    }
}
