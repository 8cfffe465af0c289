//! Generates boards with exactly one solution.
//!
//! A board is derived from its solution: a cover of the rectangle by paths that do not touch themselves. Random changes move
//! end cells from path to path and join paths, until the number of paths is right. Then the solver looks for two solutions. If
//! there are two, the paths that differ are changed again. So every generated board is proved unique.

use std::cmp::Ordering;
use std::collections::VecDeque;

use beeline_search::{Budget, Limit, Random};

use super::board::{Board, Cell, DIRS, Dir, Paths};
use super::corner;
use beeline_puzzle::recipe::{Hardness, Measure, Recipe, Scale, Spending};

/// The levels of boards with this many cells, by the solver's decisions. All plans of one board are equally long. Of 20 boards,
/// 5 x 5 to 12 x 12 with the usual number of colours, about ten take 0.6 decisions per cell, and two or three 1.2.
pub(super) fn scale(cells: usize) -> Scale {
    let effort = |tenths: usize| Measure { plan: 1, effort: (cells * tenths).div_ceil(10) as u64 };
    Scale { least: 1, medium: effort(6), hard: effort(12) }
}

/// Boards generated to find one of the required level.
const CANDIDATES: usize = 60;
/// Boards among which a hard one is the hardest.
const HARDEST_OF: usize = 10;

/// A board that fits the recipe: one solution, or none. Also returns the number of boards it was chosen from.
pub(super) fn from_recipe(recipe: &Recipe, spending: &mut Spending<'_>) -> Result<(Board, usize), MakeError> {
    let (width, height) = recipe.size_or((7, 7));
    let (board, of) = choose(width, height, recipe.pieces, recipe.hardness, recipe.seed, spending)?;
    Ok((if recipe.unsolvable { make_unsolvable(&board, recipe.seed, spending)? } else { board }, of))
}

/// Exchanges ends until there is no solution.
fn make_unsolvable(board: &Board, seed: u64, spending: &mut Spending<'_>) -> Result<Board, MakeError> {
    let mut random = Random::new(!seed);
    let labels: Vec<String> = board.colours().iter().map(|c| c.label.clone()).collect();
    for _ in 0..CHANGES {
        let mut cells = board.cells().to_vec();
        let ends: Vec<usize> = (0..cells.len()).filter(|&at| matches!(cells[at], Cell::End(_))).collect();
        cells.swap(ends[random.below(ends.len())], ends[random.below(ends.len())]);
        let Ok(unsolvable) = Board::new(board.width(), cells, labels.clone()) else { continue };
        let found = corner::solve(&unsolvable, 1, &spending.search(MOST_DECISIONS)?, |_| {});
        spending.count(found.stats.expanded, found.stopped)?;
        if found.all && found.answers.is_empty() {
            return Ok(unsolvable);
        }
    }
    Err(MakeError::GaveUp)
}

/// Why no board was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// The sides are not 2 to 64.
    #[error("a board to be made has 2 to 64 rows and columns, and at least 6 cells")]
    Size,
    /// This many paths of at least three cells do not fit, or too few to cover the board.
    #[error("a board of {cells} cells has 1 to {most} colours")]
    Colours {
        /// The cells of the board.
        cells: usize,
        /// The most colours that it can have.
        most: usize,
    },
    /// The limit on decisions was reached.
    #[error("no board with one answer was found; try more colours or another seed")]
    GaveUp,
    /// A limit of the budget.
    #[error("stopped by the {} limit", .0.name())]
    Stopped(Limit),
}

impl From<Limit> for MakeError {
    fn from(limit: Limit) -> Self {
        Self::Stopped(limit)
    }
}

/// Generates a square board. `None` as the number of colours means about as many as rows.
pub fn make(size: usize, colours: Option<usize>, hardness: Hardness, seed: u64) -> Result<Board, MakeError> {
    make_rectangle(size, size, colours, hardness, seed, &Budget::default())
}

/// The same for rectangles, within a budget.
pub fn make_rectangle(
    width: usize,
    height: usize,
    colours: Option<usize>,
    hardness: Hardness,
    seed: u64,
    budget: &Budget,
) -> Result<Board, MakeError> {
    Ok(choose(width, height, colours, hardness, seed, &mut Spending::new(budget))?.0)
}

/// Generates boards until one has the required level, or takes the closest. Also returns the number of boards generated.
fn choose(
    width: usize,
    height: usize,
    colours: Option<usize>,
    hardness: Hardness,
    seed: u64,
    spending: &mut Spending<'_>,
) -> Result<(Board, usize), MakeError> {
    let cells = width * height;
    if !(2..=64).contains(&width) || !(2..=64).contains(&height) || cells < 6 {
        return Err(MakeError::Size);
    }
    let usual = usual_colours(width, height);
    let most = cells / 3;
    let colours = colours.unwrap_or(usual);
    if colours == 0 || colours > most {
        return Err(MakeError::Colours { cells, most });
    }
    let mut random = Random::new(seed);
    let scale = scale(cells);
    let level = |effort: u64| scale.level(Measure { plan: 1, effort });
    // How many levels the board is too easy or too hard. Then the harder ones first if hard is required or all are too easy.
    let worse = |effort: u64| {
        let easier = level(effort) < hardness || hardness == Hardness::Hard;
        ((level(effort) as u8).abs_diff(hardness as u8), if easier { u64::MAX - effort } else { effort })
    };
    let mut best: Option<(u64, Board)> = None;
    let mut made = 0;
    while made < CANDIDATES {
        let Some(board) = one(width, height, colours, &mut random, spending)? else { break };
        made += 1;
        let found = corner::solve(&board, 1, &spending.search(MOST_DECISIONS)?, |_| {});
        spending.count(found.stats.expanded, found.stopped)?;
        let effort = found.stats.expanded;
        if best.as_ref().is_none_or(|(so_far, _)| worse(effort) < worse(*so_far)) {
            best = Some((effort, board));
        }
        let right = best.as_ref().is_some_and(|(effort, _)| level(*effort) == hardness);
        if right && (hardness != Hardness::Hard || made >= HARDEST_OF) {
            break;
        }
    }
    best.map(|(_, board)| (board, made)).ok_or(MakeError::GaveUp)
}

/// A board with at least one solution, perhaps many: a random cover without a proof. `None` if the cover did not reach this
/// many paths.
pub fn solvable(width: usize, height: usize, colours: usize, seed: u64) -> Option<Board> {
    if !(2..=64).contains(&width) || !(2..=64).contains(&height) || colours == 0 {
        return None;
    }
    let mut random = Random::new(seed);
    let mut cover = Cover::rows(width, height);
    if cover.reach(colours, &mut random) { cover.board(&mut random) } else { None }
}

/// About as many colours as the shorter side, more on long boards.
fn usual_colours(width: usize, height: usize) -> usize {
    let (short, long) = (width.min(height), width.max(height));
    let usual = if long <= 15 { short } else { width * height / 16 };
    usual.clamp(1, width * height / 3)
}

/// How often a cover is changed before another is begun, and how many are begun.
const CHANGES: usize = 400;
const RESTARTS: usize = 60;
/// Decisions above which a board is rejected because its uniqueness proof takes too long.
pub(super) const MOST_DECISIONS: u64 = 200_000;

fn one(
    width: usize,
    height: usize,
    colours: usize,
    random: &mut Random,
    spending: &mut Spending<'_>,
) -> Result<Option<Board>, Limit> {
    for _ in 0..RESTARTS {
        spending.left()?;
        let mut cover = Cover::rows(width, height);
        if !cover.reach(colours, random) {
            continue;
        }
        for _ in 0..CHANGES {
            let Some(board) = cover.board(random) else { return Ok(None) };
            let found = corner::solve(&board, 2, &spending.search(MOST_DECISIONS)?, |_| {});
            spending.count(found.stats.expanded, found.stopped)?;
            if found.all && found.answers.len() == 1 {
                return Ok(Some(board));
            }
            let other = found.answers.iter().find(|a| a.links != cover.links().links);
            cover.change_paths(other, random);
        }
    }
    Ok(None)
}

/// A cover of the rectangle by paths.
struct Cover {
    width: usize,
    height: usize,
    /// The path of each cell.
    owner: Vec<u16>,
    paths: Vec<VecDeque<usize>>,
}

impl Cover {
    /// Starts with one path per row.
    fn rows(width: usize, height: usize) -> Self {
        // Paths along the shorter side, so that there are many at the start.
        let owner = (0..width * height)
            .map(|at| if width > height { at % width } else { at / width } as u16)
            .collect::<Vec<_>>();
        let count = width.max(height);
        let mut paths = vec![VecDeque::new(); count];
        for (at, &path) in owner.iter().enumerate() {
            paths[usize::from(path)].push_back(at);
        }
        Self { width, height, owner, paths }
    }

    fn neighbour(&self, at: usize, dir: Dir) -> Option<usize> {
        let (row, column) = (at / self.width, at % self.width);
        match dir {
            Dir::Left => (column > 0).then(|| at - 1),
            Dir::Right => (column + 1 < self.width).then(|| at + 1),
            Dir::Up => (row > 0).then(|| at - self.width),
            Dir::Down => (row + 1 < self.height).then(|| at + self.width),
        }
    }

    /// The number of cells of a path that are adjacent to a cell.
    fn beside(&self, at: usize, path: u16) -> usize {
        DIRS.into_iter().filter(|&d| self.neighbour(at, d).is_some_and(|n| self.owner[n] == path)).count()
    }

    /// Moves the first or last cell of a path to a path that ends beside it.
    fn hand_over(&mut self, path: usize, back: bool, dir: Dir) -> bool {
        if self.paths[path].len() <= 3 {
            return false;
        }
        let end = if back { self.paths[path].back() } else { self.paths[path].front() };
        let Some(&at) = end else { return false };
        let Some(to) = self.neighbour(at, dir) else { return false };
        let other = usize::from(self.owner[to]);
        if other == path || self.beside(at, other as u16) != 1 {
            return false;
        }
        if self.paths[other].back() == Some(&to) {
            self.paths[other].push_back(at);
        } else if self.paths[other].front() == Some(&to) {
            self.paths[other].push_front(at);
        } else {
            return false;
        }
        if back {
            self.paths[path].pop_back();
        } else {
            self.paths[path].pop_front();
        }
        self.owner[at] = other as u16;
        true
    }

    /// Joins a path to one that ends beside its end, if the result does not touch itself.
    fn join(&mut self, path: usize, back: bool, dir: Dir) -> bool {
        let end = if back { self.paths[path].back() } else { self.paths[path].front() };
        let Some(&at) = end else { return false };
        let Some(to) = self.neighbour(at, dir) else { return false };
        let other = usize::from(self.owner[to]);
        if other == path {
            return false;
        }
        let at_back = self.paths[other].back() == Some(&to);
        if !at_back && self.paths[other].front() != Some(&to) {
            return false;
        }
        let touches: usize = self.paths[path].iter().map(|&c| self.beside(c, other as u16)).sum();
        if touches != 1 {
            return false;
        }
        let mut moved = std::mem::take(&mut self.paths[path]);
        if back {
            moved.make_contiguous().reverse();
        }
        for cell in moved {
            self.owner[cell] = other as u16;
            if at_back {
                self.paths[other].push_back(cell);
            } else {
                self.paths[other].push_front(cell);
            }
        }
        self.remove(path);
        true
    }

    fn remove(&mut self, path: usize) {
        self.paths.swap_remove(path);
        if let Some(moved) = self.paths.get(path) {
            for &cell in moved {
                self.owner[cell] = path as u16;
            }
        }
    }

    /// Splits a path in two.
    fn cut(&mut self, random: &mut Random) -> bool {
        let path = random.below(self.paths.len());
        let length = self.paths[path].len();
        if length < 6 {
            return false;
        }
        let rest = self.paths[path].split_off(3 + random.below(length - 5));
        for &cell in &rest {
            self.owner[cell] = self.paths.len() as u16;
        }
        self.paths.push(rest);
        true
    }

    fn try_random(&mut self, random: &mut Random) -> bool {
        let path = random.below(self.paths.len());
        self.hand_over(path, random.below(2) == 0, DIRS[random.below(4)])
    }

    /// Makes random changes until there are this many paths.
    fn reach(&mut self, colours: usize, random: &mut Random) -> bool {
        let cells = self.owner.len();
        for _ in 0..40 * cells {
            self.try_random(random);
        }
        for _ in 0..100 * cells {
            for _ in 0..4 {
                self.try_random(random);
            }
            match self.paths.len().cmp(&colours) {
                Ordering::Equal => return true,
                Ordering::Less => {
                    self.cut(random);
                }
                Ordering::Greater => {
                    let path = random.below(self.paths.len());
                    self.join(path, random.below(2) == 0, DIRS[random.below(4)]);
                }
            }
        }
        false
    }

    /// Changes the paths that another solution draws differently, or any.
    fn change_paths(&mut self, other: Option<&Paths>, random: &mut Random) {
        let ours = self.links();
        let mut suspects: Vec<u16> = Vec::new();
        if let Some(other) = other {
            suspects = (0..ours.links.len())
                .filter(|&at| ours.links[at] != other.links[at])
                .map(|at| self.owner[at])
                .collect();
            suspects.sort_unstable();
            suspects.dedup();
        }
        let mut done = 0;
        for _ in 0..40 * (suspects.len() + 4) {
            let path = if suspects.is_empty() {
                random.below(self.paths.len())
            } else {
                usize::from(suspects[random.below(suspects.len())])
            };
            done += usize::from(self.hand_over(path, random.below(2) == 0, DIRS[random.below(4)]));
            if done > random.below(4) {
                break;
            }
        }
    }

    /// The cover as a solution.
    fn links(&self) -> Paths {
        let mut links = vec![0; self.owner.len()];
        for path in &self.paths {
            for (&a, &b) in path.iter().zip(path.iter().skip(1)) {
                let dir = DIRS.into_iter().find(|&d| self.neighbour(a, d) == Some(b));
                if let Some(dir) = dir {
                    links[a] |= Paths::bit(dir);
                    links[b] |= Paths::bit(dir.back());
                }
            }
        }
        Paths { links }
    }

    /// The board with this solution.
    fn board(&self, random: &mut Random) -> Option<Board> {
        let mut cells = vec![Cell::Free; self.owner.len()];
        let mut order: Vec<usize> = (0..self.paths.len()).collect();
        random.shuffle(&mut order);
        for (colour, &path) in order.iter().enumerate() {
            for &end in [self.paths[path].front()?, self.paths[path].back()?] {
                cells[end] = Cell::End(colour as u16);
            }
        }
        Board::new(self.width, cells, super::palette::labels(order.len())).ok()
    }
}
