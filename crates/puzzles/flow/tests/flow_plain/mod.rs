//! Plain reference implementations shared by the tests: random boards, counting without the theorem.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)] // each test file uses its part

use beeline_flow::make;
use beeline_flow::{Board, Cell, DIRS, Dir, KIND, Paths, palette, text};
use beeline_puzzle::Kind;
use beeline_search::Random;

/// The first board of a text.
pub fn board(text: &str) -> Board {
    text::parse(text).unwrap().remove(0)
}

/// The text of an example.
pub fn example(name: &str) -> &'static str {
    KIND.examples().iter().find(|e| e.name == name).unwrap().text
}

/// Random ends, sometimes walls; usually without a solution.
pub fn scattered(random: &mut Random) -> Option<Board> {
    let (width, height) = (2 + random.below(5), 2 + random.below(5));
    let colours = 1 + random.below(width.min(4));
    let mut places: Vec<usize> = (0..width * height).collect();
    random.shuffle(&mut places);
    let mut cells = vec![Cell::Free; width * height];
    let walls = if random.below(3) == 0 { random.below(3) } else { 0 };
    if 2 * colours + walls > cells.len() {
        return None;
    }
    for c in 0..colours {
        for _ in 0..2 {
            cells[places.pop()?] = Cell::End(c as u16);
        }
    }
    for _ in 0..walls {
        cells[places.pop()?] = Cell::Wall;
    }
    Board::new(width, cells, palette::labels(colours)).ok()
}

/// Random boards of all sizes from 2×2 to 12×12, with and without a solution.
pub fn generated(random: &mut Random) -> Option<Board> {
    if random.below(2) == 0 {
        return scattered(random);
    }
    let (width, height) = (2 + random.below(11), 2 + random.below(11));
    let most = (width * height / 4).clamp(1, 14);
    let colours = (width.max(height) * 2 / 3 + random.below(4)).min(most);
    make::solvable(width, height, colours, random.bits())
}

/// The number of solutions by plain backtracking over links, row by row, without the theorem.
pub fn count_plainly(board: &Board) -> usize {
    let mut count = 0;
    walk(board, 0, &mut vec![0; board.cells().len()], &mut count);
    count
}

fn walk(board: &Board, at: usize, links: &mut Vec<u8>, count: &mut usize) {
    if at == links.len() {
        *count += usize::from(is_answer(board, links));
        return;
    }
    let wanted = match board.cells()[at] {
        Cell::Wall | Cell::Hole => 0,
        Cell::End(_) => 1,
        Cell::Free => 2,
    };
    for out in 0..4u8 {
        if links[at].count_ones() + out.count_ones() != wanted {
            continue;
        }
        let mut ways = Vec::new();
        for (bit, dir) in [(1, Dir::Right), (2, Dir::Down)] {
            if out & bit != 0 {
                ways.push((dir, board.neighbour(at, dir)));
            }
        }
        if ways.iter().any(|(_, to)| to.is_none()) {
            continue;
        }
        let flip = |links: &mut Vec<u8>| {
            for &(dir, to) in &ways {
                links[at] ^= Paths::bit(dir);
                links[to.unwrap()] ^= Paths::bit(dir.back());
            }
        };
        flip(links);
        walk(board, at + 1, links, count);
        flip(links);
    }
}

/// Follows each path from end to end: right colours, no cell left over, no path touching itself.
pub fn is_answer(board: &Board, links: &[u8]) -> bool {
    let mut owner = vec![None; links.len()];
    for (c, colour) in board.colours().iter().enumerate() {
        let (mut at, mut from) = (colour.start, None);
        loop {
            owner[at] = Some(c);
            let next = DIRS.into_iter().find(|&d| links[at] & Paths::bit(d) != 0 && from != Some(d.back()));
            let Some(dir) = next else { break };
            at = board.neighbour(at, dir).unwrap();
            from = Some(dir);
            if owner[at] == Some(c) {
                return false;
            }
        }
        if at != colour.goal {
            return false;
        }
    }
    (0..links.len()).all(|at| {
        (owner[at].is_some() || board.cells()[at] == Cell::Wall)
            && DIRS.into_iter().all(|d| match board.neighbour(at, d) {
                Some(n) if owner[n].is_some() && owner[n] == owner[at] => links[at] & Paths::bit(d) != 0,
                _ => true,
            })
    })
}
