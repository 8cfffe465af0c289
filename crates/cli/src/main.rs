//! The friendly command.

fn main() {}
