//! The types of the protected API: what requests carry and what answers look like, one file for each subject.
//!
//! The JSON of the API is decided here and nowhere else: a renamed field of the domain leaves it as it is, and a renamed field
//! here leaves the journal as it is. Each type is converted from or to the domain's own by `From`; what an order may do is
//! `tournament::decide`'s business. Handlers and rights are in the modules of [`admin`](super).

pub(crate) mod alarms;
pub(crate) mod boards;
pub(crate) mod clock;
pub(crate) mod daemon;
pub(crate) mod delays;
pub(crate) mod facts;
pub(crate) mod files;
pub(crate) mod history;
pub(crate) mod keys;
pub(crate) mod moves;
pub(crate) mod orders;
pub(crate) mod outputs;
pub(crate) mod players;
pub(crate) mod receipts;
pub(crate) mod results;
pub(crate) mod rounds;
pub(crate) mod sections;
pub(crate) mod session;
pub(crate) mod sources;
#[cfg(test)]
mod tests;
pub(crate) mod traffic;
pub(crate) mod users;

/// Conversions between an enum of the API and one of the domain that has the same variants, none of which holds anything.
/// A variant that only one of the two has does not compile.
macro_rules! same_variants {
    ($own:ident, $domain:path, $($variant:ident),+) => {
        same_variants!(from $own, $domain, $($variant),+);

        impl From<$own> for $domain {
            fn from(own: $own) -> Self {
                match own {
                    $($own::$variant => Self::$variant,)+
                }
            }
        }
    };
    (from $own:ident, $domain:path, $($variant:ident),+) => {
        impl From<$domain> for $own {
            fn from(domain: $domain) -> Self {
                match domain {
                    $(<$domain>::$variant => Self::$variant,)+
                }
            }
        }
    };
}
use same_variants;
