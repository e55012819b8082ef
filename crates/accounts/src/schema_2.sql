-- From version 1 to 2: a device from which someone logged in to an account.
CREATE TABLE device (
    -- SHA-256 of the secret in the cookie of the device.
    digest BLOB NOT NULL,
    user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
    -- When someone logged in from it last.
    used_at INTEGER NOT NULL,
    PRIMARY KEY (digest, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX device_of_user ON device (user);
