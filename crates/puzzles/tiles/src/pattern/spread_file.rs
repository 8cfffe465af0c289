//! A set of databases in sparse form ([`super::direct`]) with its move FSM, as a file in the cache folder.
//!
//! Converting databases to the sparse form takes longer than most searches with them, so it is done once. The file is mapped
//! into memory: programs share it, and unused pages are not read. Header and checksum are those of a single table
//! ([`super::database`]).

use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use beeline_search::{Limit, Meter, atomic_file};

use super::database::digest;
use super::direct::Direct;
use super::mapped;
use super::tables::{Cache, Tables};
use super::trust;
use crate::move_fsm::MoveFsm;

/// Format version. Increased when the bytes of a file change.
const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"BEELINES";
const HEADER: usize = 64;
/// Bytes per state of the move FSM.
const STATE: usize = 8;

/// The file of a set.
pub(super) fn path(set: &Tables, folder: &Path) -> PathBuf {
    folder.join(format!("tiles-{}x{}-{}.spread.v{VERSION}", set.rows, set.columns, set.name))
}

fn header(set: &Tables, machine: &MoveFsm, length: usize, checksum: [u64; 2]) -> [u8; HEADER] {
    let tiles: Vec<u8> =
        set.patterns().iter().flat_map(|p| p.tiles.iter().map(|&tile| tile as u8).chain([0])).collect();
    let Ok(tiles) = digest::<Infallible>(&tiles, &mut |_| Ok(()));
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..15].copy_from_slice(&[set.rows as u8, set.columns as u8, set.aware.into()]);
    let numbers =
        [tiles, machine.states() as u64, machine.strings() as u64, length as u64, checksum[0], checksum[1]];
    for (place, number) in header[16..].chunks_exact_mut(8).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    header
}

/// Writes a set to the folder.
pub(super) fn save(set: &Tables, machine: &MoveFsm, data: &[u8], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let states: Vec<u8> = machine.table().iter().flatten().flat_map(|state| state.to_le_bytes()).collect();
    let checksums = [&states[..], data].map(|part| {
        let Ok(sum) = digest::<Infallible>(part, &mut |_| Ok(()));
        sum
    });
    atomic_file::put(&path(set, folder), |mut file| {
        file.write_all(&header(set, machine, data.len(), checksums))?;
        file.write_all(&states)?;
        file.write_all(data)?;
        file.sync_all()
    })
}

/// Loads a set from the folder; `None` if there is no valid file.
pub(super) fn load(
    set: &Tables,
    cache: Cache<'_>,
    meter: &mut Meter,
) -> Result<Option<(Direct, MoveFsm)>, Limit> {
    let path = path(set, cache.folder);
    let Some((machine, data, checksums)) = open(set, &path) else { return Ok(None) };
    meter.ledger.claim(data.len() + machine.bytes())?;
    let whole = trust::is_whole(&path, cache.write, || {
        let states: Vec<u8> = machine.table().iter().flatten().flat_map(|s| s.to_le_bytes()).collect();
        let mut sum = |part: &[u8]| digest(part, &mut |units| meter.work(units));
        Ok::<bool, Limit>([sum(&states)?, sum(&data)?] == checksums)
    })?;
    let direct = if whole { Direct::from_data(&set.patterns(), data, meter)? } else { None };
    Ok(direct.map(|direct| (direct, machine)))
}

/// The parts of a file with a correct header and length, and their expected checksums.
fn open(set: &Tables, path: &Path) -> Option<(MoveFsm, mapped::Pages, [u64; 2])> {
    let mut file = File::open(path).ok()?;
    let mut start = [0; HEADER];
    file.read_exact(&mut start).ok()?;
    let number = |i: usize| u64::from_le_bytes(start[16 + 8 * i..24 + 8 * i].try_into().unwrap_or_default());
    let (states, length) = (usize::try_from(number(1)).ok()?, usize::try_from(number(3)).ok()?);
    let checksums = [number(4), number(5)];
    let whole = HEADER.checked_add(states.checked_mul(STATE)?)?.checked_add(length)?;
    if file.metadata().ok()?.len() != whole as u64 {
        return None;
    }
    let mut bytes = vec![0; states * STATE];
    file.read_exact(&mut bytes).ok()?;
    let state = |bytes: &[u8]| std::array::from_fn(|i| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]));
    let table = bytes.chunks_exact(STATE).map(state).collect();
    let machine = MoveFsm::from_table(table, set.rows * set.columns, usize::try_from(number(2)).ok()?)?;
    if start != header(set, &machine, length, checksums) {
        return None;
    }
    let data = mapped::map(&file, HEADER + states * STATE, length).ok()?;
    Some((machine, data, checksums))
}
