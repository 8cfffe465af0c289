//! Additive pattern databases: numbering ([`places`]), building ([`build`]), keeping ([`database`]), the ready-made
//! partitions ([`tables`]) and the search with them ([`additive`]).

pub mod additive;
pub mod build;
pub mod database;
pub mod mapped;
pub mod places;
pub mod tables;
