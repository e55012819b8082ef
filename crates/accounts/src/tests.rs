//! A weekend with accounts: who is let in, and until when.

use super::*;
use hall_clock::UtcMs;

const SATURDAY: UtcMs = 1_700_000_000_000;
const MINUTE: UtcMs = 60_000;
const HOUR: UtcMs = 60 * MINUTE;
const DAY: UtcMs = 24 * HOUR;

/// Accounts in a temporary folder.
struct Fixture {
    accounts: Accounts,
    _folder: tempfile::TempDir,
}

impl Fixture {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { accounts: Accounts::open(folder.path()).unwrap(), _folder: folder }
    }

    fn add(&self, who: &str, role: Role) -> Result<(), String> {
        self.accounts.add_user(&name(who), role, &Hashed::of_no_password()).map_err(|error| error.to_string())
    }

    fn log_in(&self, who: &str, number: u8, now: UtcMs) -> Digest {
        let digest = digest(number);
        self.accounts.begin_session(&name(who), digest, now).unwrap();
        digest
    }

    fn role_in(&self, session: Digest, now: UtcMs) -> Option<Role> {
        self.accounts.session(session, now).unwrap().map(|who| who.role)
    }
}

fn name(text: &str) -> Name {
    text.parse().unwrap()
}

fn digest(number: u8) -> Digest {
    Secret::new([number; 16]).digest()
}

fn display(ends_at: UtcMs) -> NewKey {
    NewKey { holder: "hall display".into(), kind: KeyKind::Api([Scope::Watch].into()), ends_at }
}

#[test]
fn accounts_are_made_listed_changed_and_removed() {
    let fixture = Fixture::open();
    fixture.add("Zoë", Role::Viewer).unwrap();
    fixture.add("anna", Role::Administrator).unwrap();
    assert_eq!(
        fixture.add("ANNA", Role::Viewer).unwrap_err(),
        "The account «ANNA» exists already: choose another name."
    );
    let listed =
        || fixture.accounts.users().unwrap().iter().map(|it| (it.name.to_string(), it.role)).collect::<Vec<_>>();
    assert_eq!(listed(), [("anna".into(), Role::Administrator), ("Zoë".into(), Role::Viewer)]);
    fixture.accounts.change_user(&name("ZOË"), Some(Role::Arbiter), None).unwrap();
    assert_eq!(listed()[1].1, Role::Arbiter);
    fixture.accounts.remove_user(&name("zoë")).unwrap();
    assert_eq!(listed().len(), 1);
    let error = fixture.accounts.remove_user(&name("zoë")).unwrap_err().to_string();
    assert_eq!(error, "There is no account «zoë»: `boardcast user list` shows all accounts.");
}

#[test]
fn names_that_look_like_something_else_are_refused() {
    for good in ["A", "Łukasz W.", "anna@club.example", "tablet-2", "裁判"] {
        assert!(good.parse::<Name>().is_ok(), "{good}");
    }
    for bad in ["", " anna", "anna ", ".", "a\nb", "a/b", "<b>", "\u{202e}anna", &"x".repeat(65)] {
        assert!(bad.parse::<Name>().is_err(), "{bad:?}");
    }
}

#[test]
fn the_last_administrator_stays() {
    let fixture = Fixture::open();
    let first = || fixture.accounts.add_first_administrator(&name("Anna"), &Hashed::of_no_password());
    assert!(!fixture.accounts.has_administrator().unwrap());
    first().unwrap();
    assert!(fixture.accounts.has_administrator().unwrap());
    assert!(matches!(first(), Err(AccountsError::Refused(AccountsRefusal::NotFirst))), "the link works once");
    fixture.add("Ben", Role::Operator).unwrap();
    let anna = name("Anna");
    assert!(matches!(
        fixture.accounts.remove_user(&anna),
        Err(AccountsError::Refused(AccountsRefusal::LastAdministrator))
    ));
    assert!(matches!(
        fixture.accounts.change_user(&anna, Some(Role::Viewer), None),
        Err(AccountsError::Refused(AccountsRefusal::LastAdministrator))
    ));
    assert_eq!(fixture.accounts.users().unwrap()[0].role, Role::Administrator, "nothing half done");
    fixture.accounts.change_user(&name("Ben"), Some(Role::Administrator), None).unwrap();
    fixture.accounts.remove_user(&anna).unwrap();
}

#[test]
fn a_session_lasts_while_it_is_used_and_a_week_at_most() {
    let fixture = Fixture::open();
    fixture.add("Anna", Role::Arbiter).unwrap();
    let laptop = fixture.log_in("anna", 1, SATURDAY);
    let phone = fixture.log_in("anna", 2, SATURDAY);
    assert_eq!(fixture.role_in(digest(3), SATURDAY), None);
    let mut now = SATURDAY;
    while now < SATURDAY + SESSION_MOST_MS - 11 * HOUR {
        now += 11 * HOUR;
        assert_eq!(fixture.role_in(laptop, now), Some(Role::Arbiter), "after {} h", (now - SATURDAY) / HOUR);
    }
    assert_eq!(fixture.role_in(laptop, SATURDAY + SESSION_MOST_MS), None);
    assert_eq!(fixture.role_in(phone, SATURDAY + 12 * HOUR), None, "not used for twelve hours");
}

#[test]
fn logging_out_ends_one_session_and_another_password_all() {
    let fixture = Fixture::open();
    fixture.add("Anna", Role::Arbiter).unwrap();
    fixture.add("Ben", Role::Arbiter).unwrap();
    let [laptop, phone] = [1, 2].map(|number| fixture.log_in("Anna", number, SATURDAY));
    let ben = fixture.log_in("Ben", 3, SATURDAY);
    fixture.accounts.end_session(laptop).unwrap();
    assert_eq!([laptop, phone].map(|it| fixture.role_in(it, SATURDAY)), [None, Some(Role::Arbiter)]);
    fixture.log_in("Anna", 1, SATURDAY);
    let hashed = Password::choose("another password").unwrap().hash([1; SALT_BYTES]).unwrap();
    fixture.accounts.change_user(&name("anna"), None, Some(&hashed)).unwrap();
    assert_eq!([laptop, phone].map(|it| fixture.role_in(it, SATURDAY)), [None, None]);
    assert_eq!(fixture.role_in(ben, SATURDAY), Some(Role::Arbiter), "others stay");
    assert_eq!(fixture.accounts.password(&name("Anna")).unwrap(), Some(hashed));
    assert_eq!(fixture.accounts.password(&name("Carl")).unwrap(), None);
}

#[test]
fn another_role_counts_at_once_and_a_removed_account_is_out() {
    let fixture = Fixture::open();
    fixture.add("Anna", Role::Operator).unwrap();
    let session = fixture.log_in("Anna", 1, SATURDAY);
    let key = digest(2);
    fixture.accounts.add_key(&name("Anna"), &display(SATURDAY + DAY), key, SATURDAY).unwrap();
    fixture.accounts.change_user(&name("Anna"), Some(Role::Viewer), None).unwrap();
    assert_eq!(fixture.role_in(session, SATURDAY), Some(Role::Viewer));
    assert_eq!(fixture.accounts.api_key(key, SATURDAY).unwrap().unwrap().role, Role::Viewer);
    fixture.accounts.remove_user(&name("Anna")).unwrap();
    assert_eq!(fixture.role_in(session, SATURDAY), None);
    assert_eq!(fixture.accounts.api_key(key, SATURDAY).unwrap(), None);
}

#[test]
fn a_key_is_good_for_its_kind_until_it_ends_or_is_revoked() {
    let fixture = Fixture::open();
    let accounts = &fixture.accounts;
    fixture.add("Anna", Role::Operator).unwrap();
    let anna = name("anna");
    let id = accounts.add_key(&anna, &display(SATURDAY + 2 * DAY), digest(1), SATURDAY).unwrap();
    let arbiter = NewKey {
        holder: "Ben's tablet".into(),
        kind: KeyKind::Undelayed { section: "open-a".into() },
        ends_at: SATURDAY + DAY,
    };
    accounts.add_key(&anna, &arbiter, digest(2), SATURDAY).unwrap();

    let who = accounts.api_key(digest(1), SATURDAY).unwrap().unwrap();
    assert!(who.may(Right::Watch) && !who.may(Right::Operate));
    assert_eq!(accounts.undelayed_key(digest(1), SATURDAY).unwrap(), None, "the other kind");
    assert_eq!(accounts.api_key(digest(2), SATURDAY).unwrap(), None, "the other kind");
    assert_eq!(accounts.undelayed_key(digest(2), SATURDAY + DAY - 1).unwrap().as_deref(), Some("open-a"));
    assert_eq!(accounts.undelayed_key(digest(2), SATURDAY + DAY).unwrap(), None, "it has ended");

    let listed = accounts.keys(SATURDAY).unwrap();
    assert_eq!(listed.iter().map(|key| &*key.holder).collect::<Vec<_>>(), ["Ben's tablet", "hall display"]);
    assert_eq!(listed[1].kind, KeyKind::Api([Scope::Watch].into()));
    assert_eq!(&*listed[1].made_by, "Anna");
    assert_eq!(accounts.keys(SATURDAY + DAY).unwrap().len(), 1);

    accounts.revoke_key(id, Role::Administrator).unwrap();
    assert_eq!(accounts.api_key(digest(1), SATURDAY).unwrap(), None);
    assert!(matches!(
        accounts.revoke_key(id, Role::Administrator),
        Err(AccountsError::Refused(AccountsRefusal::NoKey))
    ));
}

#[test]
fn the_last_use_of_a_key_is_shown() {
    let fixture = Fixture::open();
    fixture.add("Anna", Role::Operator).unwrap();
    fixture.accounts.add_key(&name("Anna"), &display(SATURDAY + DAY), digest(1), SATURDAY).unwrap();
    let used_at = || fixture.accounts.keys(SATURDAY).unwrap()[0].used_at;
    assert_eq!(used_at(), None);
    for at in [SATURDAY + MINUTE, SATURDAY + MINUTE + 1] {
        fixture.accounts.api_key(digest(1), at).unwrap().unwrap();
        assert_eq!(used_at(), Some(SATURDAY + MINUTE), "to the minute");
    }
    fixture.accounts.api_key(digest(1), SATURDAY + HOUR).unwrap().unwrap();
    assert_eq!(used_at(), Some(SATURDAY + HOUR));
}

#[test]
fn a_key_for_nobody_for_nothing_or_for_ever_is_refused() {
    let fixture = Fixture::open();
    fixture.add("Anna", Role::Operator).unwrap();
    let refused =
        |key: NewKey| fixture.accounts.add_key(&name("Anna"), &key, digest(1), SATURDAY).unwrap_err().to_string();
    let good = display(SATURDAY + DAY);
    assert!(refused(NewKey { holder: " ".into(), ..good.clone() }).contains("has 1 to 64 characters"));
    assert!(refused(NewKey { holder: "x\ny".into(), ..good.clone() }).contains("has 1 to 64 characters"));
    assert!(refused(NewKey { kind: KeyKind::Api([].into()), ..good.clone() }).contains("at least one scope"));
    assert!(refused(display(SATURDAY)).contains("ends in the future"));
    assert!(refused(display(SATURDAY + 401 * DAY)).contains("within 400 days"));
    assert_eq!(fixture.accounts.keys(0).unwrap(), []);
}

#[test]
fn a_full_disk_is_told_apart_from_other_faults() {
    let fixture = Fixture::open();
    fixture.add("anna", Role::Operator).unwrap();
    // From now on the file takes no further page.
    let limit = |tables: &rusqlite::Connection| Ok(tables.pragma_update(None, "max_page_count", 1)?);
    fixture.accounts.with(limit).unwrap();
    let mut sessions = (0..=u64::MAX).map(|number| {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        fixture.accounts.begin_session(&name("anna"), Secret::new(bytes).digest(), SATURDAY)
    });
    let full = sessions.find_map(Result::err).unwrap();
    assert!(full.needs_space(), "{full:?}");
    let other = fixture.accounts.with(|tables| Ok(tables.execute_batch("no statement")?)).unwrap_err();
    assert!(!other.needs_space());
}
