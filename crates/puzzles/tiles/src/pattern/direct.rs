//! A database spread out, so that an entry is found without any look-up: the squares of the tiles, as digits of one number,
//! are its address. It takes more memory than the compact form (addresses at which two tiles share a square stay empty) and
//! far fewer instructions: a move adds a constant to the address.
//!
//! A byte holds two entries: for the blank in the largest region, and for the blank in any other. In most placements there
//! is one region and both are the same, so that the region is not even asked for.

use std::sync::Arc;

use beeline_search::prefetch::prefetch;
use beeline_search::{Budget, Limit, Meter};

use super::database::Database;
use super::form::Form;
use super::mapped::Bytes;
use super::places::{Places, Squares};
use memmap2::MmapMut;

/// The databases of some patterns, one behind the other in the same memory.
#[derive(Debug)]
pub struct Direct {
    patterns: Vec<Pattern>,
    data: MmapMut,
    /// Squares of the board.
    squares: u32,
}

#[derive(Debug)]
struct Pattern {
    tiles: Vec<usize>,
    places: Arc<Places>,
    /// Where its entries begin.
    start: u32,
    /// By shape: the free squares outside the largest region.
    apart: Vec<u32>,
    /// Did no two regions have to share an entry?
    exact: bool,
}

/// Where the tiles stand: the address, and their squares as bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    address: u32,
    squares: u32,
}

impl Direct {
    /// How many bytes this form takes; `None` if there would be more addresses than fit in a place.
    pub fn size(databases: &[Arc<Database>]) -> Option<usize> {
        let size = |places: &Places| (places.rows * places.columns).checked_pow(places.tiles as u32);
        let total = databases.iter().try_fold(0usize, |sum, d| sum.checked_add(size(d.numbering())?))?;
        u32::try_from(total).is_ok().then_some(total)
    }

    /// Spreads databases out.
    pub fn new(databases: &[Arc<Database>], budget: &Budget) -> Result<Self, Limit> {
        let mut meter = Meter::new(budget);
        let data = Self::size(databases).and_then(Bytes::zeroed);
        let mut data = data.ok_or(Limit::Memory)?;
        let mut rest = &mut data[..];
        let mut start = 0;
        let mut patterns = Vec::new();
        let mut squares = 0;
        for database in databases {
            let places = database.numbering();
            squares = (places.rows * places.columns) as u32;
            let (bytes, behind) = rest.split_at_mut(squares.pow(places.tiles as u32) as usize);
            let apart = spread(database, bytes, &mut meter)?;
            let two = (0..places.shapes()).all(|shape| places.region_count(shape) <= 2);
            patterns.push(Pattern {
                exact: database.aware() && two,
                tiles: database.tiles().to_vec(),
                places: Arc::clone(places),
                start,
                apart,
            });
            start += bytes.len() as u32;
            rest = behind;
        }
        Ok(Self { patterns, data, squares })
    }
}

/// Writes the entries of a database to their addresses; gives, by shape, the free squares outside the largest region.
fn spread(database: &Database, bytes: &mut [u8], meter: &mut Meter) -> Result<Vec<u32>, Limit> {
    let places = database.numbering();
    let squares = (places.rows * places.columns) as u32;
    let weights: Vec<u32> = (0..places.tiles).map(|tile| squares.pow(tile as u32)).collect();
    let mut addresses = vec![0; places.arrangements];
    let mut apart = Vec::with_capacity(places.shapes());
    for shape in 0..places.shapes() {
        if meter.due() {
            meter.look()?;
        }
        meter.count();
        places.sums(shape, |tile, square| weights[tile] * square as u32, &mut addresses);
        let regions: Vec<Squares> = database.regions(shape).collect();
        let largest = (0..regions.len()).max_by_key(|&r| regions[r].count_ones()).unwrap_or(0);
        let main = regions.get(largest).copied().unwrap_or(0);
        apart.push((places.free(shape) & !main) as u32);
        let block = |region: usize| database.block(shape, region) * places.arrangements;
        let first = block(largest);
        let others: Vec<usize> = (0..regions.len()).filter(|&r| r != largest).map(block).collect();
        for (i, &address) in addresses.iter().enumerate() {
            let value = database.extra(first + i);
            let other = others.iter().map(|other| database.extra(other + i)).min().unwrap_or(value);
            if let Some(byte) = bytes.get_mut(address as usize) {
                *byte = value | other << 4;
            }
        }
    }
    Ok(apart)
}

impl Form for Direct {
    type Place = Place;

    fn sides(&self) -> (usize, usize) {
        self.patterns.first().map_or((0, 0), |first| (first.places.rows, first.places.columns))
    }

    fn patterns(&self) -> usize {
        self.patterns.len()
    }

    fn tiles(&self, pattern: usize) -> &[usize] {
        &self.patterns[pattern].tiles
    }

    fn exact(&self) -> bool {
        self.patterns.iter().all(|pattern| pattern.exact)
    }

    fn bytes(&self) -> usize {
        self.data.len()
    }

    fn weight(&self, tile: usize) -> u32 {
        self.squares.pow(tile as u32)
    }

    fn place(&self, pattern: usize, at: &[usize]) -> Place {
        let parts = at.iter().enumerate().map(|(tile, &square)| self.weight(tile) * square as u32);
        let address = self.patterns[pattern].start + parts.sum::<u32>();
        Place { address, squares: at.iter().fold(0, |m, s| m | 1 << s) }
    }

    #[inline(always)]
    fn slide(&self, _: usize, place: Place, weight: u32, from: usize, to: usize) -> Place {
        Place {
            address: place.address.wrapping_add(weight.wrapping_mul((to as u32).wrapping_sub(from as u32))),
            squares: place.squares ^ 1 << from ^ 1 << to,
        }
    }

    #[inline(always)]
    fn ask(&self, _: usize, place: Place, _: usize) -> u32 {
        prefetch(&self.data, place.address as usize);
        place.address
    }

    #[inline(always)]
    fn answer(&self, pattern: usize, place: Place, asked: u32, blank: usize) -> u8 {
        let byte = self.data.get(asked as usize).copied().unwrap_or(0);
        let (main, other) = (byte & 15, byte >> 4);
        if main == other { main } else { self.patterns[pattern].choose(place, main, other, blank) }
    }
}

impl Pattern {
    /// The entry for the region that the blank is in.
    #[inline(never)]
    fn choose(&self, place: Place, main: u8, other: u8, blank: usize) -> u8 {
        let shape = self.places.shape(Squares::from(place.squares));
        if self.apart[shape] >> blank & 1 == 0 { main } else { other }
    }
}
