//! Accounts of persons, their sessions, and keys of programs and devices, in a database of their own beside the journal.
//!
//! # What it must not know
//! HTTP (cookies, headers, routes and JSON are the daemon's `admin`), the tournament, the journal. The current time comes in
//! as an argument. Passwords are stored as Argon2id hashes, all other secrets as digests.
//!
//! # Where to start
//! [`Accounts`] opens the file; its methods are in `users`, `sessions`, `devices` and `keys`, by subject. [`Right`] is what a request
//! needs, [`Who`] has rights by a [`Role`] and, for a key, by [`Scope`]s. [`Attempts`] limits password attempts, in memory
//! only.

mod attempts;
mod devices;
mod error;
mod keys;
mod password;
mod rights;
mod secret;
mod sessions;
mod store;
#[cfg(test)]
mod tests;
mod users;

pub use attempts::{Attempts, TooMany};
pub use devices::DEVICE_MOST_MS;
pub use error::{AccountsError, AccountsRefusal};
pub use keys::{Key, KeyKind, NewKey};
pub use password::{Hashed, Password, SALT_BYTES};
pub use rights::{Right, Role, Scope, Who};
pub use secret::{Digest, Secret};
pub use sessions::SESSION_MOST_MS;
pub use store::Accounts;
pub use users::{Name, User};
