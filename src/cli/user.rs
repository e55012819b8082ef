//! `boardcast user`: manages accounts on the machine itself.

use std::fmt;
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Subcommand;

use super::data_args::DataArgs;
use super::output;
use accounts::{Accounts, Hashed, Name, Password, Role, SALT_BYTES};
use journal::{JournalError, Reader};
use notation_commands::Done;

/// Maximum number of bytes read from standard input.
const INPUT_BYTES: u64 = 4096;

/// Manage the accounts of persons who may log in
///
/// The daemon may be running. A viewer sees everything without delay; an arbiter also acknowledges alarms and enters results
/// and corrections; an operator also sets up the tournament and makes keys; an administrator also manages accounts.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    work: Work,
}

#[derive(Debug, Subcommand)]
enum Work {
    /// Add an account; its password is typed, or read from standard input
    Add {
        /// The person's name
        name: Name,
        /// viewer, arbiter, operator or administrator
        #[arg(long)]
        role: Role,
        #[command(flatten)]
        folder: DataArgs,
    },
    /// List all accounts
    List {
        #[command(flatten)]
        folder: DataArgs,
    },
    /// Change the password of an account, typed or read from standard input; its sessions end
    Password {
        /// The account
        name: Name,
        #[command(flatten)]
        folder: DataArgs,
    },
    /// Change the role of an account
    Role {
        /// The account
        name: Name,
        /// viewer, arbiter, operator or administrator
        role: Role,
        #[command(flatten)]
        folder: DataArgs,
    },
    /// Remove an account with its sessions and keys
    Remove {
        /// The account
        name: Name,
        #[command(flatten)]
        folder: DataArgs,
    },
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    let done = match args.work {
        Work::Add { name, role, folder } => {
            Accounts::open(&data_folder(folder)?)?.add_user(&name, role, &new_password()?)?;
            format!("{name} can log in as {}\n", role.as_str())
        }
        Work::List { folder } => {
            let data = data_folder(folder)?;
            let users = if Accounts::are_in(&data) {
                Accounts::open(&data)?.users()?
            } else {
                eprintln!("boardcast: {}", NoAccounts(data));
                Vec::new()
            };
            let lines: Vec<_> = users.iter().map(|user| format!("{}\t{}\n", user.name, user.role.as_str())).collect();
            lines.concat()
        }
        Work::Password { name, folder } => {
            let accounts = open(folder)?;
            if accounts.password(&name)?.is_none() {
                bail!("there is no account «{name}»: `boardcast user list` shows all accounts");
            }
            accounts.change_user(&name, None, Some(&new_password()?))?;
            format!("{name} has a new password and is logged out everywhere\n")
        }
        Work::Role { name, role, folder } => {
            open(folder)?.change_user(&name, Some(role), None)?;
            format!("{name} now has the role {}\n", role.as_str())
        }
        Work::Remove { name, folder } => {
            open(folder)?.remove_user(&name)?;
            format!("{name} is removed\n")
        }
    };
    output::print(&done)?;
    Ok(Done::Fully)
}

/// The accounts of a data folder that has some. Where there are none no file is made: a backup that is restored brings its own
/// only if there is none.
fn open(folder: DataArgs) -> anyhow::Result<Accounts> {
    let data = data_folder(folder)?;
    if !Accounts::are_in(&data) {
        bail!(NoAccounts(data));
    }
    Ok(Accounts::open(&data)?)
}

/// What is said of a data folder without accounts.
#[derive(Debug)]
struct NoAccounts(PathBuf);

impl fmt::Display for NoAccounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there are no accounts in {} yet: `boardcast user add` makes the first one", self.0.display())?;
        if journal::journal_path(&self.0).exists() {
            f.write_str(
                "; if the journal is a backup, start the daemon first: it brings back the accounts in it where there are none",
            )?;
        }
        Ok(())
    }
}

fn data_folder(folder: DataArgs) -> anyhow::Result<PathBuf> {
    let data = folder.folder()?;
    if !data.is_dir() {
        bail!(
            "the data folder {} does not exist: start the daemon once, or give its folder with --data",
            data.display()
        );
    }
    match Reader::find_in(&data) {
        // Accounts may be there before a journal.
        Err(error @ JournalError::Denied(_)) => Err(error.into()),
        _ => Ok(data),
    }
}

/// The hash of a password: typed twice on the terminal, or one line of standard input.
fn new_password() -> anyhow::Result<Hashed> {
    let text = if io::stdin().is_terminal() {
        let text = rpassword::prompt_password("Password: ").context("no password was typed")?;
        if rpassword::prompt_password("Repeat it: ").context("no password was typed")? != text {
            bail!("the passwords are not the same: try again");
        }
        text
    } else {
        let mut line = String::new();
        let read = io::stdin().lock().take(INPUT_BYTES).read_line(&mut line);
        read.context("standard input has no password")?;
        line.trim_end_matches(['\r', '\n']).to_owned()
    };
    let mut salt = [0; SALT_BYTES];
    getrandom::fill(&mut salt).context("the system provides no random bytes")?;
    Ok(Password::choose(&text)?.hash(salt)?)
}
