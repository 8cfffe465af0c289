//! Reads puzzle files up to a maximum size.

use std::io::{self, Read};
use std::path::Path;

/// Most bytes of a puzzle or plan file. The largest public collections (thousands of levels) take about 2 MiB; the limit is
/// eight times that. Parsing the worst text of this size takes some hundred megabytes.
pub const LARGEST: usize = 16 << 20;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is larger than this many bytes.
    #[error("larger than {} MiB, the most that is read; split a collection into several files", .0 >> 20)]
    TooLarge(usize),
}

/// Reads everything, up to [`LARGEST`] bytes.
pub fn read(from: &mut dyn Read) -> Result<Vec<u8>, ReadError> {
    read_up_to(LARGEST, from)
}

/// Initial capacity in bytes, so that one system call reads a small file.
const ROOM: usize = 4 << 10;

fn read_up_to(most: usize, from: &mut dyn Read) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::with_capacity(ROOM);
    from.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most { Err(ReadError::TooLarge(most)) } else { Ok(bytes) }
}

/// Reads a file of at most [`LARGEST`] bytes. Works for pipes and devices, whose size is unknown beforehand.
pub fn read_file(path: impl AsRef<Path>) -> Result<Vec<u8>, ReadError> {
    read(&mut std::fs::File::open(path)?)
}

/// Most bytes of an experiment's spec. Specs are written by hand and take a few kilobytes; the TOML parser takes fifty times
/// the size of a bad one.
pub const LARGEST_SPEC: usize = 1 << 20;

/// Reads a spec of at most [`LARGEST_SPEC`] bytes.
pub fn read_spec(path: impl AsRef<Path>) -> Result<Vec<u8>, ReadError> {
    read_up_to(LARGEST_SPEC, &mut std::fs::File::open(path)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cap_is_exact() {
        assert_eq!(read(&mut io::repeat(7).take(LARGEST as u64)).unwrap().len(), LARGEST);
        let error = read(&mut io::repeat(7)).unwrap_err();
        assert!(matches!(error, ReadError::TooLarge(LARGEST)));
        assert!(error.to_string().contains("16 MiB"), "{error}");
    }
}
