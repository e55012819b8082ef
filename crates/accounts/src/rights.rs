//! Rights: what requests need, and what the roles of persons and the scopes of keys give.
//!
//! Must not know routes or how a request is authenticated.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::Arc;

/// The role of a person; each role includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Sees everything without delay, changes nothing.
    Viewer,
    /// Acknowledges alarms, enters results and corrections.
    Arbiter,
    /// Sets up the tournament, loads pairings, makes keys.
    Operator,
    /// Manages accounts, downloads backups, removes persons.
    Administrator,
}

/// A permission of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Reading protected data.
    Watch,
    /// Listing and acknowledging alarms.
    Alarms,
    /// Results and corrections.
    Arbitrate,
    /// Every order: tournament, rounds, pairings, players, boards, results, corrections.
    Operate,
    /// Downloading a backup.
    Backup,
    /// Sending games and positions of other recorders.
    Feed,
}

/// The permission that a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    /// Reading protected data.
    Watch,
    /// Alarms.
    Alarms,
    /// Results and corrections.
    Arbitrate,
    /// Every other order.
    Operate,
    /// Downloading a backup.
    Backup,
    /// Sending games and positions of other recorders.
    Feed,
    /// One's own session and password: persons of any role, never keys.
    OwnAccount,
    /// Managing keys: persons, never keys.
    Keys,
    /// Managing accounts and removing persons: persons, never keys.
    Administer,
}

impl Right {
    /// The lowest role that has it.
    pub fn role(self) -> Role {
        match self {
            Self::Watch | Self::OwnAccount => Role::Viewer,
            Self::Alarms | Self::Arbitrate => Role::Arbiter,
            Self::Operate | Self::Keys | Self::Feed => Role::Operator,
            Self::Backup | Self::Administer => Role::Administrator,
        }
    }

    /// The scopes that include it; none when no key can have it.
    pub fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Watch => &[Scope::Watch],
            Self::Alarms => &[Scope::Alarms],
            Self::Arbitrate => &[Scope::Arbitrate, Scope::Operate],
            Self::Operate => &[Scope::Operate],
            Self::Backup => &[Scope::Backup],
            Self::Feed => &[Scope::Feed, Scope::Operate],
            Self::OwnAccount | Self::Keys | Self::Administer => &[],
        }
    }
}

/// An authenticated person, or a key of that person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    /// The account's name.
    pub name: Arc<str>,
    /// The current role of the account.
    pub role: Role,
    /// The scopes of the key; `None` for a person with a session.
    pub scopes: Option<BTreeSet<Scope>>,
}

impl Who {
    /// Whether the role has a right and, for a key, one of its scopes too.
    pub fn may(&self, right: Right) -> bool {
        let by_scope =
            self.scopes.as_ref().is_none_or(|scopes| right.scopes().iter().any(|scope| scopes.contains(scope)));
        by_scope && self.role >= right.role()
    }
}

impl Role {
    /// All roles, the lowest first.
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Arbiter, Self::Operator, Self::Administrator];

    /// Its name, as stored and typed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Arbiter => "arbiter",
            Self::Operator => "operator",
            Self::Administrator => "administrator",
        }
    }
}

impl FromStr for Role {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|role| role.as_str() == text);
        named.ok_or("a role is viewer, arbiter, operator or administrator")
    }
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 6] = [Self::Watch, Self::Alarms, Self::Arbitrate, Self::Operate, Self::Backup, Self::Feed];

    /// Its name, as stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Watch => "watch",
            Self::Alarms => "alarms",
            Self::Arbitrate => "arbitrate",
            Self::Operate => "operate",
            Self::Backup => "backup",
            Self::Feed => "feed",
        }
    }

    /// The scope of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHTS: [Right; 8] = [
        Right::Watch,
        Right::Alarms,
        Right::Arbitrate,
        Right::Operate,
        Right::Backup,
        Right::OwnAccount,
        Right::Keys,
        Right::Administer,
    ];

    fn who(role: Role, scopes: Option<&[Scope]>) -> Who {
        Who { name: "Anna".into(), role, scopes: scopes.map(|scopes| scopes.iter().copied().collect()) }
    }

    #[test]
    fn a_higher_role_may_do_all_that_a_lower_one_may() {
        for right in RIGHTS {
            let may = Role::ALL.map(|role| who(role, None).may(right));
            assert!(may.is_sorted(), "{right:?}: {may:?}");
            assert!(may[3], "an administrator lacks {right:?}");
        }
        assert!(!who(Role::Viewer, None).may(Right::Arbitrate));
        assert!(!who(Role::Arbiter, None).may(Right::Operate));
        assert!(!who(Role::Operator, None).may(Right::Administer));
    }

    #[test]
    fn a_key_may_do_what_both_its_scopes_and_its_owner_may() {
        let display = who(Role::Administrator, Some(&[Scope::Watch]));
        assert_eq!(RIGHTS.map(|right| display.may(right)).iter().filter(|may| **may).count(), 1);
        let everything = who(Role::Administrator, Some(&Scope::ALL));
        assert!(everything.may(Right::Backup));
        assert!(
            !everything.may(Right::Administer) && !everything.may(Right::Keys) && !everything.may(Right::OwnAccount)
        );
        assert!(!who(Role::Viewer, Some(&Scope::ALL)).may(Right::Operate), "the owner has lost the role");
    }

    #[test]
    fn names_are_read_back() {
        for role in Role::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        for scope in Scope::ALL {
            assert_eq!(Scope::named(scope.as_str()), Some(scope));
        }
        assert!("Administrator".parse::<Role>().is_err());
    }
}
