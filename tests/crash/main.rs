//! The daemon as a process that is killed at any instant and started again, over a hall that plays on.

mod kill;
mod power;
mod process;
mod witness;
