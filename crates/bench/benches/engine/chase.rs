//! (see below)
pub(crate) fn main() {}
