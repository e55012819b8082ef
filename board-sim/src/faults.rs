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
    /// Messages lost, damaged, repeated and torn, more often than on a bad cable; no plug is pulled.
    Damage,
    /// Far worse than real lines: several messages in a hundred, a plug pulled every few minutes.
    Many,
}

/// How often each fault occurs, in one hundred thousand messages.
struct Rates {
    drop: u32,
    damage: u32,
    duplicate: u32,
    split: u32,
    unplug: u32,
}

/// What the line does with one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// These pieces are written, each in one call; none for a lost message.
    Written(Vec<Vec<u8>>),
    /// The plug is pulled and comes back after this many milliseconds of hall time.
    Unplugged(u64),
}

/// The faults of one line, decided by a seed, message by message.
#[derive(Clone, Debug)]
pub(crate) struct FaultPlan {
    faults: Faults,
    rng: Rng,
}

impl FaultPlan {
    /// The plan of this seed.
    pub(crate) fn new(faults: Faults, seed: u64) -> Self {
        Self { faults, rng: Rng::with_seed(seed) }
    }

    /// What happens to the next message.
    pub(crate) fn deliver(&mut self, mut message: Vec<u8>) -> Delivery {
        let rates = match self.faults {
            Faults::None => return Delivery::Written(vec![message]),
            Faults::Some => Rates { drop: 200, damage: 200, duplicate: 200, split: 3_000, unplug: 30 },
            Faults::Damage => Rates { drop: 800, damage: 800, duplicate: 800, split: 5_000, unplug: 0 },
            Faults::Many => Rates { drop: 1_500, damage: 1_500, duplicate: 1_500, split: 15_000, unplug: 200 },
        };
        let mut dice = self.rng.u32(0..100_000);
        let mut occurs = |rate: u32| {
            let occurs = dice < rate;
            dice = dice.wrapping_sub(rate);
            occurs
        };
        if occurs(rates.drop) {
            return Delivery::Written(Vec::new());
        }
        if occurs(rates.damage) {
            if let Some(place) = self.rng.choice(0..message.len()) {
                message[place] ^= 1 << self.rng.u32(0..8);
            }
            return Delivery::Written(vec![message]);
        }
        if occurs(rates.duplicate) {
            return Delivery::Written(vec![message.clone(), message]);
        }
        if occurs(rates.split) && message.len() > 1 {
            let tail = message.split_off(self.rng.usize(1..message.len()));
            return Delivery::Written(vec![message, tail]);
        }
        if occurs(rates.unplug) {
            return Delivery::Unplugged(self.rng.u64(1_000..20_000));
        }
        Delivery::Written(vec![message])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deliveries(faults: Faults, seed: u64) -> Vec<Delivery> {
        let mut plan = FaultPlan::new(faults, seed);
        (0..20_000_u32).map(|n| plan.deliver(n.to_be_bytes().to_vec())).collect()
    }

    #[test]
    fn without_faults_every_message_is_written_whole() {
        for (n, delivery) in deliveries(Faults::None, 1).into_iter().enumerate() {
            assert_eq!(delivery, Delivery::Written(vec![(n as u32).to_be_bytes().to_vec()]));
        }
    }

    #[test]
    fn every_kind_of_fault_occurs_and_most_messages_get_through() {
        for faults in [Faults::Some, Faults::Many] {
            let deliveries = deliveries(faults, 3);
            let whole = |n: usize| Delivery::Written(vec![(n as u32).to_be_bytes().to_vec()]);
            let lost = deliveries.iter().any(|delivery| *delivery == Delivery::Written(Vec::new()));
            let unplugged = deliveries.iter().any(|delivery| matches!(delivery, Delivery::Unplugged(_)));
            let (mut damaged, mut repeated, mut split, mut intact) = (0, 0, 0, 0);
            for (n, delivery) in deliveries.iter().enumerate() {
                match delivery {
                    Delivery::Written(pieces) if *delivery != whole(n) => match pieces.as_slice() {
                        [one] if one.len() == 4 => damaged += 1,
                        [one, two] if one == two && one.len() == 4 => repeated += 1,
                        [one, two] if one.len() + two.len() == 4 => split += 1,
                        _ => {}
                    },
                    Delivery::Written(_) => intact += 1,
                    Delivery::Unplugged(_) => {}
                }
            }
            assert!(lost && unplugged && damaged > 0 && repeated > 0 && split > 0, "{faults:?}");
            assert!(intact > 15_000, "{faults:?}");
        }
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(deliveries(Faults::Many, 5), deliveries(Faults::Many, 5));
        assert_ne!(deliveries(Faults::Many, 5), deliveries(Faults::Many, 6));
    }
}
