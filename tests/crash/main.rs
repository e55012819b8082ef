//! The daemon as a process that is killed at any instant and started again, over a hall that plays on.

mod blitz;
mod disk;
mod forget;
mod hall;
mod kill;
mod limits;
mod logins;
mod power;
mod process;
mod rebuild;
mod refusals;
mod stop;
mod thousand;
mod witness;
