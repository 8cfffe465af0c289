//! A database in sparse ("spread") form: the squares of the tiles, as digits of one number, are the address of an entry. It takes more
//! memory than the compact form (addresses at which two tiles share a square stay empty) and far fewer instructions: a move
//! adds a constant to the address.
//!
//! A byte holds two entries: for the blank in the largest region, and for the blank in any other. In most placements there is
//! one region and both are the same, so the region is not determined.

use std::sync::Arc;

use beeline_search::prefetch::prefetch;
use beeline_search::{Budget, Limit, Meter};

use super::database::{self, Database};
use super::form::Form;
use super::mapped::{self, Pages};
use super::places::Squares;
use super::shapes::Shapes;

/// Work for the regions around a shape, in units of [`Meter::work`].
const FLOODS: u64 = 256;

/// The databases of some patterns, concatenated in one array.
#[derive(Debug)]
pub struct Direct {
    patterns: Vec<Pattern>,
    data: Pages,
    sides: (usize, usize),
}

#[derive(Debug)]
struct Pattern {
    tiles: Vec<usize>,
    /// The offset of its entries.
    start: u32,
    outside: Arc<Outside>,
}

/// The blank squares outside the largest region; patterns with equally many tiles share them.
#[derive(Debug)]
struct Outside {
    shapes: Shapes,
    aware: bool,
    /// By shape: the free squares outside the largest region.
    squares: Vec<u32>,
    /// Does every region have its own entry?
    exact: bool,
}

/// The placement of the tiles: the address, and their squares as bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    address: u32,
    squares: u32,
}

/// The bytes of the sparse databases of these patterns; `None` if there are more addresses than fit in a [`Place`].
pub fn size(patterns: &[database::Pattern]) -> Option<usize> {
    let size = |p: &database::Pattern| (p.rows * p.columns).checked_pow(p.tiles.len() as u32);
    let total = patterns.iter().try_fold(0usize, |sum, pattern| sum.checked_add(size(pattern)?))?;
    u32::try_from(total).is_ok().then_some(total)
}

impl Direct {
    /// Converts databases to the sparse form.
    pub fn new(databases: &[Arc<Database>], budget: &Budget) -> Result<Self, Limit> {
        let mut meter = Meter::new(budget);
        let patterns: Vec<database::Pattern> = databases.iter().map(|d| d.pattern().clone()).collect();
        let own = layout(&patterns, &mut meter)?;
        let mut data = size(&patterns).and_then(mapped::zeroed).ok_or(Limit::Memory)?;
        for (pattern, database) in own.iter().zip(databases) {
            let bytes = data.get_mut(pattern.start as usize..).unwrap_or_default();
            spread(database, &pattern.outside, bytes, &mut meter)?;
        }
        let data = mapped::frozen(data).ok_or(Limit::Memory)?;
        Ok(Self { patterns: own, data, sides: sides(&patterns) })
    }

    /// Takes sparse entries, in the order of their patterns; `None` if the size does not match.
    pub fn from_data(
        patterns: &[database::Pattern],
        data: Pages,
        meter: &mut Meter,
    ) -> Result<Option<Self>, Limit> {
        let fits = size(patterns) == Some(data.len());
        let own = layout(patterns, meter)?;
        Ok(fits.then(|| Self { patterns: own, data, sides: sides(patterns) }))
    }

    /// All entries.
    pub fn data(&self) -> &[u8] {
        &self.data
    }
}

fn sides(patterns: &[database::Pattern]) -> (usize, usize) {
    patterns.first().map_or((0, 0), |first| (first.rows, first.columns))
}

/// The offset of each pattern's entries.
fn layout(patterns: &[database::Pattern], meter: &mut Meter) -> Result<Vec<Pattern>, Limit> {
    let mut known: Vec<Arc<Outside>> = Vec::new();
    let mut start = 0;
    let mut own = Vec::new();
    for pattern in patterns {
        let fits = |o: &&Arc<Outside>| (o.shapes.tiles, o.aware) == (pattern.tiles.len(), pattern.aware);
        let outside = if let Some(outside) = known.iter().find(fits) {
            Arc::clone(outside)
        } else {
            let outside = Arc::new(Outside::new(pattern, meter)?);
            known.push(Arc::clone(&outside));
            outside
        };
        own.push(Pattern { tiles: pattern.tiles.clone(), start, outside });
        start += ((pattern.rows * pattern.columns) as u32).pow(pattern.tiles.len() as u32);
    }
    Ok(own)
}

impl Outside {
    fn new(pattern: &database::Pattern, meter: &mut Meter) -> Result<Self, Limit> {
        let shapes = Shapes::within(pattern.rows, pattern.columns, pattern.tiles.len(), meter)?;
        let shapes = shapes.ok_or(Limit::Memory)?;
        let (aware, mut exact) = (pattern.aware, pattern.aware);
        let mut squares = vec![0; shapes.shapes()];
        if aware {
            for (shape, squares) in squares.iter_mut().enumerate() {
                meter.work(FLOODS)?;
                exact &= shapes.regions_around(shape).count() <= 2;
                *squares = (shapes.free(shape) & !largest(shapes.regions_around(shape)).1) as u32;
            }
        }
        Ok(Self { shapes, aware, squares, exact })
    }
}

/// The largest region and its number; of equally large ones the last.
fn largest(regions: impl Iterator<Item = Squares>) -> (usize, Squares) {
    regions.enumerate().max_by_key(|(_, region)| region.count_ones()).unwrap_or_default()
}

/// Writes the entries of a database to their addresses.
fn spread(database: &Database, outside: &Outside, bytes: &mut [u8], meter: &mut Meter) -> Result<(), Limit> {
    let places = database.numbering();
    let squares = (places.rows * places.columns) as u32;
    let weights: Vec<u32> = (0..places.tiles).map(|tile| squares.pow(tile as u32)).collect();
    let mut addresses = vec![0; places.arrangements];
    for shape in 0..places.shapes() {
        if meter.due() {
            meter.look()?;
        }
        meter.count();
        places.sums(shape, |tile, square| weights[tile] * square as u32, &mut addresses);
        let regions = if outside.aware { places.region_count(shape) } else { 1 };
        let main = if outside.aware { largest(outside.shapes.regions_around(shape)).0 } else { 0 };
        let block = |region: usize| database.block(shape, region) * places.arrangements;
        let first = block(main);
        let others: Vec<usize> = (0..regions).filter(|&r| r != main).map(block).collect();
        for (i, &address) in addresses.iter().enumerate() {
            let value = database.extra(first + i);
            let other = others.iter().map(|other| database.extra(other + i)).min().unwrap_or(value);
            if let Some(byte) = bytes.get_mut(address as usize) {
                *byte = value | other << 4;
            }
        }
    }
    Ok(())
}

impl Form for Direct {
    type Place = Place;

    fn sides(&self) -> (usize, usize) {
        self.sides
    }

    fn patterns(&self) -> usize {
        self.patterns.len()
    }

    fn tiles(&self, pattern: usize) -> &[usize] {
        &self.patterns[pattern].tiles
    }

    fn exact(&self) -> bool {
        self.patterns.iter().all(|pattern| pattern.outside.exact)
    }

    fn bytes(&self) -> usize {
        self.data.len()
    }

    fn weight(&self, tile: usize) -> u32 {
        ((self.sides.0 * self.sides.1) as u32).pow(tile as u32)
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
    /// The entry for the blank's region.
    #[inline(never)]
    fn choose(&self, place: Place, main: u8, other: u8, blank: usize) -> u8 {
        let shape = self.outside.shapes.shape(Squares::from(place.squares));
        if self.outside.squares[shape] >> blank & 1 == 0 { main } else { other }
    }
}
