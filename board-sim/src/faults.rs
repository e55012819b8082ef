//! What goes wrong on a line: lost, damaged and repeated messages, torn writes, plugs pulled for a moment.
//!
//! Knows chance and bytes. Must not know what the bytes mean.

use fastrand::Rng;

/// How much goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Faults {
    /// Nothing.
    #[default]
    None,
    /// A bad cable: a few messages in a thousand, a plug pulled once in an hour or so.
    Some,
    /// A nightmare: several messages in a hundred, a plug pulled every few minutes.
    Many,
}

/// How often each fault strikes, in one hundred thousand messages.
struct Rates {
    drop: u32,
    damage: u32,
    duplicate: u32,
    split: u32,
    unplug: u32,
}

/// What becomes of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// These pieces are written, each in one call; none for a lost message.
    Written(Vec<Vec<u8>>),
    /// The plug is pulled and comes back after so many milliseconds of hall time.
    Unplugged(u64),
}

/// The faults of one line, decided by a seed, message by message.
#[derive(Clone, Debug)]
pub struct FaultPlan {
    faults: Faults,
    rng: Rng,
}

impl FaultPlan {
    /// The plan of this seed.
    pub fn new(faults: Faults, seed: u64) -> Self {
        Self { faults, rng: Rng::with_seed(seed) }
    }

    /// Decides about the next message.
    pub fn fate(&mut self, mut message: Vec<u8>) -> Fate {
        let rates = match self.faults {
            Faults::None => return Fate::Written(vec![message]),
            Faults::Some => Rates { drop: 200, damage: 200, duplicate: 200, split: 3_000, unplug: 30 },
            Faults::Many => Rates { drop: 1_500, damage: 1_500, duplicate: 1_500, split: 15_000, unplug: 200 },
        };
        let mut dice = self.rng.u32(0..100_000);
        let mut strikes = |rate: u32| {
            let strikes = dice < rate;
            dice = dice.wrapping_sub(rate);
            strikes
        };
        if strikes(rates.drop) {
            return Fate::Written(Vec::new());
        }
        if strikes(rates.damage) {
            if let Some(place) = self.rng.choice(0..message.len()) {
                message[place] ^= 1 << self.rng.u32(0..8);
            }
            return Fate::Written(vec![message]);
        }
        if strikes(rates.duplicate) {
            return Fate::Written(vec![message.clone(), message]);
        }
        if strikes(rates.split) && message.len() > 1 {
            let tail = message.split_off(self.rng.usize(1..message.len()));
            return Fate::Written(vec![message, tail]);
        }
        if strikes(rates.unplug) {
            return Fate::Unplugged(self.rng.u64(1_000..20_000));
        }
        Fate::Written(vec![message])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fates(faults: Faults, seed: u64) -> Vec<Fate> {
        let mut plan = FaultPlan::new(faults, seed);
        (0..20_000_u32).map(|n| plan.fate(n.to_be_bytes().to_vec())).collect()
    }

    #[test]
    fn without_faults_every_message_is_written_whole() {
        for (n, fate) in fates(Faults::None, 1).into_iter().enumerate() {
            assert_eq!(fate, Fate::Written(vec![(n as u32).to_be_bytes().to_vec()]));
        }
    }

    #[test]
    fn every_kind_of_fault_strikes_and_most_messages_get_through() {
        for faults in [Faults::Some, Faults::Many] {
            let fates = fates(faults, 3);
            let whole = |n: usize| Fate::Written(vec![(n as u32).to_be_bytes().to_vec()]);
            let lost = fates.iter().any(|fate| *fate == Fate::Written(Vec::new()));
            let unplugged = fates.iter().any(|fate| matches!(fate, Fate::Unplugged(_)));
            let (mut damaged, mut repeated, mut split, mut intact) = (0, 0, 0, 0);
            for (n, fate) in fates.iter().enumerate() {
                match fate {
                    Fate::Written(pieces) if *fate != whole(n) => match pieces.as_slice() {
                        [one] if one.len() == 4 => damaged += 1,
                        [one, two] if one == two && one.len() == 4 => repeated += 1,
                        [one, two] if one.len() + two.len() == 4 => split += 1,
                        _ => {}
                    },
                    Fate::Written(_) => intact += 1,
                    Fate::Unplugged(_) => {}
                }
            }
            assert!(lost && unplugged && damaged > 0 && repeated > 0 && split > 0, "{faults:?}");
            assert!(intact > 15_000, "{faults:?}");
        }
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(fates(Faults::Many, 5), fates(Faults::Many, 5));
        assert_ne!(fates(Faults::Many, 5), fates(Faults::Many, 6));
    }
}
