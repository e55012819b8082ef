//! `boardcast user`: accounts, managed on the machine itself.

use std::io::{self, BufRead, IsTerminal, Read};

use anyhow::{Context, bail};
use clap::Subcommand;

use super::check::DataArgs;
use super::{Done, output};
use accounts::{Accounts, Hashed, Name, Password, Role, SALT_BYTES};

/// The most that is read of standard input.
const INPUT_BYTES: u64 = 4096;

/// Who may log in: accounts and their roles
///
/// Works also while the daemon does. A viewer sees everything without delay; an arbiter also acknowledges alarms and
/// enters results and corrections; an operator also sets up the tournament and makes keys; an administrator also manages
/// accounts.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    work: Work,
}

#[derive(Debug, Subcommand)]
enum Work {
    /// Makes an account; its password is asked for, or read from standard input
    Add {
        /// The person's name
        name: Name,
        /// viewer, arbiter, operator or administrator
        #[arg(long)]
        role: Role,
        #[command(flatten)]
        folder: DataArgs,
    },
    /// Shows all accounts
    List {
        #[command(flatten)]
        folder: DataArgs,
    },
    /// Gives an account another password, asked for or read from standard input; its sessions end
    Password {
        /// The account
        name: Name,
        #[command(flatten)]
        folder: DataArgs,
    },
    /// Gives an account another role
    Role {
        /// The account
        name: Name,
        /// viewer, arbiter, operator or administrator
        role: Role,
        #[command(flatten)]
        folder: DataArgs,
    },
    /// Removes an account, its sessions and its keys
    Remove {
        /// The account
        name: Name,
        #[command(flatten)]
        folder: DataArgs,
    },
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    let said = match args.work {
        Work::Add { name, role, folder } => {
            open(folder)?.add_user(&name, role, &asked_password()?)?;
            format!("{name} may log in as {}\n", role.as_str())
        }
        Work::List { folder } => {
            let users = open(folder)?.users()?;
            let lines: Vec<_> = users.iter().map(|user| format!("{}\t{}\n", user.name, user.role.as_str())).collect();
            lines.concat()
        }
        Work::Password { name, folder } => {
            let accounts = open(folder)?;
            if accounts.password(&name)?.is_none() {
                bail!("there is no account «{name}»: `boardcast user list` shows them");
            }
            accounts.change_user(&name, None, Some(&asked_password()?))?;
            format!("{name} has another password and is logged out everywhere\n")
        }
        Work::Role { name, role, folder } => {
            open(folder)?.change_user(&name, Some(role), None)?;
            format!("{name} is {} now\n", role.as_str())
        }
        Work::Remove { name, folder } => {
            open(folder)?.remove_user(&name)?;
            format!("{name} is removed\n")
        }
    };
    output::print(&said)?;
    Ok(Done::Fully)
}

fn open(folder: DataArgs) -> anyhow::Result<Accounts> {
    let data = folder.folder()?;
    if !data.is_dir() {
        bail!(
            "the data folder {} does not exist: start the daemon once, or give its folder with --data",
            data.display()
        );
    }
    Ok(Accounts::open(&data)?)
}

/// The hash of a password typed twice on the terminal, or of the line on standard input.
fn asked_password() -> anyhow::Result<Hashed> {
    let text = if io::stdin().is_terminal() {
        let text = rpassword::prompt_password("Password: ").context("no password was typed")?;
        if rpassword::prompt_password("Once more: ").context("no password was typed")? != text {
            bail!("the two passwords differ: try again");
        }
        text
    } else {
        let mut line = String::new();
        let read = io::stdin().lock().take(INPUT_BYTES).read_line(&mut line);
        read.context("standard input holds no password as text")?;
        line.trim_end_matches(['\r', '\n']).to_owned()
    };
    let mut salt = [0; SALT_BYTES];
    getrandom::fill(&mut salt).context("the system gives no randomness")?;
    Ok(Password::choose(&text)?.hash(salt)?)
}
