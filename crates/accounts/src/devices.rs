//! Devices from which someone logged in: their logins are not held up by a flood of wrong ones.
//!
//! A device is known by a secret of its own, which gives no access: the password is still needed. At most [`DEVICES`] of an
//! account are kept, for [`DEVICE_MOST_MS`] after their last login.

use rusqlite::{OptionalExtension, params};

use super::users::id_of;
use super::{Accounts, AccountsError, Digest, Name};
use hall_clock::UtcMs;

/// Devices of an account that are kept; the one that was used longest ago is forgotten first.
const DEVICES: u32 = 10;

/// How long a device is known after its last login, in milliseconds.
pub const DEVICE_MOST_MS: UtcMs = 180 * 24 * 3_600_000;

impl Accounts {
    /// Whether this is a device from which the account was logged in to.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn is_known_device(&self, name: &Name, device: Digest, now: UtcMs) -> Result<bool, AccountsError> {
        self.with(|tables| {
            let known = tables
                .prepare_cached(
                    "SELECT 1 FROM device JOIN user ON user.id = user WHERE digest = ?1 AND folded = ?2 AND used_at > ?3",
                )?
                .query_row(params![device.bytes(), name.folded(), now.saturating_sub(DEVICE_MOST_MS)], |_| Ok(()))
                .optional()?;
            Ok(known.is_some())
        })
    }

    /// Notes that someone logged in to the account from this device; forgets the devices that are over.
    ///
    /// # Errors
    /// [`crate::AccountsRefusal::NoAccount`].
    pub fn note_device(&self, name: &Name, device: Digest, now: UtcMs) -> Result<(), AccountsError> {
        self.whole(|tables| {
            let user = id_of(tables, name)?;
            tables.execute(
                "INSERT INTO device VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET used_at = ?3",
                params![device.bytes(), user, now],
            )?;
            tables.execute("DELETE FROM device WHERE used_at <= ?1", [now.saturating_sub(DEVICE_MOST_MS)])?;
            tables.execute(
                "DELETE FROM device WHERE user = ?1 AND digest NOT IN \
                 (SELECT digest FROM device WHERE user = ?1 ORDER BY used_at DESC LIMIT ?2)",
                params![user, DEVICES],
            )?;
            Ok(())
        })
    }
}
