-- Accounts: who may do what. Apart from the journal and its backups. Instants are UTC milliseconds.

-- A person who may log in.
CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    -- As it is shown in histories.
    name TEXT NOT NULL,
    -- The name in small letters: no two accounts differ by capitals alone.
    folded TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    -- Argon2id in the PHC string form.
    password TEXT NOT NULL
) STRICT;

-- A browser that is logged in.
CREATE TABLE session (
    -- SHA-256 of the secret in the cookie.
    digest BLOB PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
    begun_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_of_user ON session (user);

-- A key of a program, a person or a device.
CREATE TABLE key (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- SHA-256 of the secret.
    digest BLOB NOT NULL UNIQUE,
    -- Whoever made it; the key ends with the account.
    user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
    -- The person, device or program that has it.
    holder TEXT NOT NULL,
    -- The scopes of an API key, separated by spaces; null for a key to undelayed games.
    scopes TEXT,
    -- The section whose undelayed games it opens; null for an API key.
    section TEXT,
    made_at INTEGER NOT NULL,
    used_at INTEGER,
    -- When it ends at the latest.
    ends_at INTEGER NOT NULL
) STRICT;
