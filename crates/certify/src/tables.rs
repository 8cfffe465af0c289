//! Pattern databases: for each set of tiles, the moves they need if all other tiles are ignored.

use beeline_search::{Budget, Limit, Meter};

use crate::NotWritten;

/// Table entries per block.
const BLOCK: usize = 1 << 20;
/// The entry of a placement that is not reached yet.
const FAR: u8 = u8::MAX;

/// The entries for all placements of each set in index order, in blocks. The square of the set's first tile is in the lowest
/// bits of an index.
pub(crate) fn build(sets: &str, text: &str, budget: &Budget) -> Result<Vec<Vec<u8>>, NotWritten> {
    let unreadable = || NotWritten::Unsupported("the sets of tiles cannot be read".to_owned());
    let drawn = beeline_check::draw("tiles", text)?;
    let rows: Vec<Vec<usize>> = drawn
        .lines()
        .filter(|line| !line.starts_with("goal"))
        .map(|line| line.split_whitespace().map_while(|word| word.parse().ok()).collect())
        .collect();
    let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
    let squares = height * width;
    let home = |tile: usize| if drawn.starts_with("goal") { tile - 1 } else { tile };
    let beside = |at: usize| {
        let (row, column) = (at / width, at % width);
        let open = [row > 0, row + 1 < height, column > 0, column + 1 < width];
        let near = [at.wrapping_sub(width), at + width, at.wrapping_sub(1), at + 1];
        (0..4).filter(move |&i| open[i]).map(move |i| near[i])
    };
    let bits = usize::BITS - (squares - 1).leading_zeros();
    let mut meter = Meter::new(&Budget { nodes: None, checkpoint: None, ..budget.clone() });
    let mut numbers: Vec<u8> = Vec::new();
    for set in sets.split('/') {
        let tiles: Option<Vec<usize>> = set.split(',').map(|tile| tile.parse().ok()).collect();
        let tiles = tiles.filter(|tiles| tiles.iter().all(|tile| (1..squares).contains(tile)));
        let tiles = tiles.filter(|tiles| tiles.len() as u32 * bits <= 25).ok_or_else(unreadable)?;
        let shifts: Vec<u32> = (0..tiles.len() as u32).map(|j| j * bits).collect();
        let square = |index: usize, shift: u32| index >> shift & ((1 << bits) - 1);
        let mut table = meter.ledger.filled(FAR, 1 << (tiles.len() as u32 * bits)).map_err(Limit::from)?;
        let goal = tiles.iter().zip(&shifts).map(|(&tile, shift)| home(tile) << shift).sum();
        table[goal] = 0;
        let mut layer = vec![goal];
        let mut far = 0;
        while !layer.is_empty() {
            far += 1;
            let mut next = Vec::new();
            for index in layer {
                meter.work(256)?;
                let held = shifts.iter().fold(0u64, |held, &shift| held | 1 << square(index, shift));
                for &shift in &shifts {
                    let from = square(index, shift);
                    for to in beside(from).filter(|&to| held >> to & 1 == 0) {
                        let after = index ^ (from ^ to) << shift;
                        if table[after] == FAR {
                            table[after] = far;
                            next.push(after);
                        }
                    }
                }
            }
            layer = next;
        }
        let valid = (0..table.len()).filter(|&index| {
            let mut held = 0u64;
            shifts.iter().all(|&shift| {
                let square = square(index, shift);
                let free = square < squares && held >> square & 1 == 0;
                held |= 1 << square;
                free
            })
        });
        numbers.extend(valid.map(|index| table[index]));
        meter.ledger.forget(table);
    }
    Ok(numbers.chunks(BLOCK).map(<[u8]>::to_vec).collect())
}
