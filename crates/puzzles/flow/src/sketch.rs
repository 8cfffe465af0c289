//! Pipes drawn by hand: begun at either dot, drawn through others, shortened, cleared.
//!
//! A search draws a colour from its start to the cell before its goal. A player may also begin at the goal, leave pipes
//! unfinished and draw over them. Both are steps of one game: a plan's step `Rr` draws red one cell to the right. A stroke
//! `R=rrd` draws red anew from its start, `R~llu` from its goal, and `R=` clears it.

use beeline_puzzle::game::Stroke;

use super::board::{Board, Cell, DIRS, Dir, Paths, Step};

/// Precedes the directions of a stroke from the start of a colour.
const FROM_START: char = '=';
/// Precedes the directions of a stroke from the goal of a colour.
const FROM_GOAL: char = '~';

/// The cells of a pipe in drawing order; the first one is a dot.
type Pipe = Vec<usize>;

/// All pipes on a board.
#[derive(Clone, Debug)]
pub struct Sketch {
    pipes: Vec<Pipe>,
    /// The colour of each occupied cell; dots are always occupied.
    owner: Vec<Option<u16>>,
}

/// Pipes before a change, for [`Sketch::restore`].
pub type Before = Vec<(u16, Pipe)>;

impl Sketch {
    /// Starts with the steps that the board has already.
    pub fn new(board: &Board) -> Self {
        let owner = board.cells().iter().map(|&cell| if let Cell::End(c) = cell { Some(c) } else { None });
        let pipes = board.colours().iter().map(|colour| vec![colour.start]).collect();
        let mut sketch = Self { pipes, owner: owner.collect() };
        for &step in board.drawn() {
            if sketch.draw(board, step).is_err() {
                break;
            }
        }
        sketch
    }

    /// Is this colour joined? A pipe beside its other dot counts, even where the rule lets it continue.
    pub fn is_joined(&self, board: &Board, colour: u16) -> bool {
        let pipe = &self.pipes[usize::from(colour)];
        let far = far_end(board, colour, pipe);
        pipe.last().is_some_and(|&head| head == far || board.adjacent(head, far))
    }

    /// Is everything joined and, if the rule requires it, filled?
    pub fn is_solved(&self, board: &Board) -> bool {
        let full = || board.cells().iter().zip(&self.owner).all(|(cell, o)| !cell.is_open() || o.is_some());
        (0..self.pipes.len()).all(|c| self.is_joined(board, c as u16)) && (!board.rule.fills() || full())
    }

    /// Draws a plan's step, which continues from the start of its colour. The error says why it is impossible. An unfinished
    /// pipe from the goal is no part of a plan: the step draws its colour anew, and cuts such a pipe of another colour.
    pub fn draw(&mut self, board: &Board, step: Step) -> Result<Before, String> {
        let c = usize::from(step.colour);
        let colour = board.colours().get(c).ok_or("there is no such colour")?;
        if !board.rule.may_touch() && self.is_joined(board, step.colour) {
            return Err(format!("{} is joined already", colour.label));
        }
        let mut pipe =
            if self.is_backward(board, step.colour) { vec![colour.start] } else { self.pipes[c].clone() };
        let head = *pipe.last().ok_or("there is no such colour")?;
        let to = board.neighbour(head, step.dir).ok_or("the board ends there")?;
        if self.owner[to].is_some_and(|other| !self.is_backward(board, other)) {
            return Err("that cell is taken".to_owned());
        }
        may_grow(board, step.colour, &pipe, to)?;
        pipe.push(to);
        Ok(self.set(board, step.colour, pipe))
    }

    /// Draws a stroke by its name; `None` if it is not the name of one, and an error if it is impossible.
    pub fn draw_stroke(&mut self, board: &Board, name: &str) -> Option<Result<Before, String>> {
        let (label, ways) = name.split_once([FROM_START, FROM_GOAL])?;
        let colour = board.colour(label)?;
        let ends = &board.colours()[usize::from(colour)];
        let from_start = name[label.len()..].starts_with(FROM_START);
        let mut pipe = vec![if from_start { ends.start } else { ends.goal }];
        for letter in ways.chars() {
            let (dir, head) = (Dir::from_letter(letter)?, *pipe.last()?);
            let grown = match board.neighbour(head, dir) {
                Some(to) if pipe.contains(&to) => Err(format!("{label} would cross itself")),
                Some(to) => may_grow(board, colour, &pipe, to).map(|()| to),
                None => Err("the board ends there".to_owned()),
            };
            match grown {
                Ok(to) => pipe.push(to),
                Err(why) => return Some(Err(why)),
            }
        }
        Some(Ok(self.set(board, colour, pipe)))
    }

    /// The stroke for a press on a cell and a drag over others. A press on a dot begins its colour anew there; a press on a
    /// pipe continues from that cell. `None` if there is nothing to draw from.
    pub fn stroke(&self, board: &Board, trail: &[usize]) -> Option<Stroke> {
        let (&first, rest) = trail.split_first()?;
        let colour = (*self.owner.get(first)?)?;
        let old = &self.pipes[usize::from(colour)];
        let is_dot = matches!(board.cells()[first], Cell::End(_));
        let kept = old.iter().position(|&cell| cell == first).filter(|_| !is_dot);
        let mut pipe = kept.map_or_else(|| vec![first], |at| old[..=at].to_vec());
        let mut refused = None;
        for &cell in rest.iter().filter(|&&cell| cell < self.owner.len()) {
            refused = reach(board, colour, &mut pipe, cell).err();
        }
        // Colours without a pipe are alike, whichever dot was tapped.
        let changed = *old != pipe && (old.len() > 1 || pipe.len() > 1);
        Some(Stroke { thing: colour, step: changed.then(|| stroke_name(board, colour, &pipe)), refused })
    }

    /// The step for an arrow key: one cell on, or one cell back.
    pub fn toward(&self, board: &Board, colour: u16, dir: Dir) -> Option<String> {
        let pipe = self.pipes.get(usize::from(colour))?;
        let to = board.neighbour(*pipe.last()?, dir);
        let mut changed = pipe.clone();
        if pipe.len() > 1 && to == Some(pipe[pipe.len() - 2]) {
            changed.pop();
        } else if self.is_backward(board, colour) && to.is_some() {
            changed.extend(to);
        } else {
            return Some(super::plan::show_step(board, Step { colour, dir }));
        }
        Some(stroke_name(board, colour, &changed))
    }

    /// Gives a colour this pipe. Other pipes on its cells are cut before the first such cell.
    fn set(&mut self, board: &Board, colour: u16, pipe: Pipe) -> Before {
        let mut before = Vec::new();
        let cut = |other: u16| other != colour && pipe.iter().any(|&cell| self.owner[cell] == Some(other));
        let others: Vec<u16> = (0..self.pipes.len() as u16).filter(|&other| cut(other)).collect();
        for other in others {
            let old = &self.pipes[usize::from(other)];
            let kept = old.iter().position(|cell| pipe.contains(cell)).unwrap_or(old.len());
            let shorter = old[..kept].to_vec();
            before.push((other, self.replace(board, other, shorter)));
        }
        before.push((colour, self.replace(board, colour, pipe)));
        before
    }

    /// Undoes a change.
    pub fn restore(&mut self, board: &Board, before: Before) {
        // The cutting pipe is the last one. It must be removed before the pipes that it cut are restored.
        for (colour, pipe) in before.into_iter().rev() {
            self.replace(board, colour, pipe);
        }
    }

    fn replace(&mut self, board: &Board, colour: u16, pipe: Pipe) -> Pipe {
        let place = &mut self.pipes[usize::from(colour)];
        for &cell in place.iter().filter(|&&cell| board.cells()[cell] == Cell::Free) {
            self.owner[cell] = None;
        }
        for &cell in &pipe {
            self.owner[cell] = Some(colour);
        }
        std::mem::replace(place, pipe)
    }

    /// Is the pipe of this colour unfinished and drawn from the goal?
    fn is_backward(&self, board: &Board, colour: u16) -> bool {
        let pipe = &self.pipes[usize::from(colour)];
        pipe.len() > 1
            && pipe.first() == Some(&board.colours()[usize::from(colour)].goal)
            && !self.is_joined(board, colour)
    }

    /// The steps of a plan that draws the same pipes, without unfinished pipes from the goal.
    pub fn steps(&self, board: &Board) -> Vec<Step> {
        let mut steps = Vec::new();
        for (c, (pipe, ends)) in self.pipes.iter().zip(board.colours()).enumerate() {
            let colour = c as u16;
            let mut cells = pipe.clone();
            if pipe.first() == Some(&ends.goal) {
                if !self.is_joined(board, colour) {
                    continue;
                }
                cells.reverse();
                if cells.first() != Some(&ends.start) {
                    cells.insert(0, ends.start);
                }
            }
            cells.retain(|&cell| cell != ends.goal);
            steps.extend(ways(board, &cells).map(|dir| Step { colour, dir }));
        }
        steps
    }

    /// The colour of each cell, and the sides to which its pipe continues (joined pipes reach into their other dot).
    pub fn picture(&self, board: &Board) -> (Vec<Option<u16>>, Vec<u8>) {
        let mut links = vec![0; self.owner.len()];
        for (c, pipe) in self.pipes.iter().enumerate() {
            let mut cells = pipe.clone();
            let far = far_end(board, c as u16, pipe);
            if self.is_joined(board, c as u16) && cells.last() != Some(&far) {
                cells.push(far);
            }
            for (dir, pair) in ways(board, &cells).zip(cells.windows(2)) {
                links[pair[0]] |= Paths::bit(dir);
                links[pair[1]] |= Paths::bit(dir.back());
            }
        }
        (self.owner.clone(), links)
    }
}

/// Extends a pipe towards a cell: back along itself, or on by steps that bring it nearer. It goes as far as it can.
fn reach(board: &Board, colour: u16, pipe: &mut Pipe, to: usize) -> Result<(), String> {
    if let Some(at) = pipe.iter().position(|&cell| cell == to) {
        pipe.truncate(at + 1);
        return Ok(());
    }
    while let Some(&head) = pipe.last().filter(|&&head| head != to) {
        let mut refused = None;
        let next = nearer(board, head, to).find(|&next| {
            let grown = may_grow(board, colour, pipe, next);
            let free = pipe.contains(&next) || grown.is_ok();
            refused = refused.take().or(grown.err());
            free
        });
        let Some(next) = next else { return Err(refused.unwrap_or_default()) };
        match pipe.iter().position(|&cell| cell == next) {
            Some(at) => pipe.truncate(at + 1),
            None => pipe.push(next),
        }
    }
    Ok(())
}

/// May a pipe grow into this neighbour of its head? Pipes of other colours are no obstacle: they are cut.
fn may_grow(board: &Board, colour: u16, pipe: &[usize], to: usize) -> Result<(), String> {
    let label = &board.colours()[usize::from(colour)].label;
    let far = far_end(board, colour, pipe);
    let head = pipe.last().copied();
    if head == Some(far) {
        return Err(format!("{label} is joined already"));
    }
    if to == far {
        return Ok(());
    }
    match board.cells()[to] {
        cell if !cell.is_open() => return Err("there is a wall".to_owned()),
        Cell::End(other) if other != colour => {
            return Err(format!("that is a dot of {}", board.colours()[usize::from(other)].label));
        }
        _ => {}
    }
    let touches_pipe = board.neighbours(to).any(|n| Some(n) != head && pipe.contains(&n));
    let leaves_far_end = head.is_some_and(|head| board.adjacent(head, far));
    if !board.rule.may_touch() && (touches_pipe || leaves_far_end) {
        return Err(format!("{label} would touch itself"));
    }
    Ok(())
}

/// The dot that a pipe leads to.
fn far_end(board: &Board, colour: u16, pipe: &[usize]) -> usize {
    let ends = &board.colours()[usize::from(colour)];
    if pipe.first() == Some(&ends.goal) { ends.start } else { ends.goal }
}

/// The directions along consecutive neighbouring cells.
fn ways(board: &Board, cells: &[usize]) -> impl Iterator<Item = Dir> {
    cells
        .windows(2)
        .filter_map(|pair| DIRS.into_iter().find(|&d| board.neighbour(pair[0], d) == Some(pair[1])))
}

/// The name of the stroke that draws this pipe.
fn stroke_name(board: &Board, colour: u16, pipe: &[usize]) -> String {
    let ends = &board.colours()[usize::from(colour)];
    let from_goal = pipe.len() > 1 && pipe.first() == Some(&ends.goal);
    let mark = if from_goal { FROM_GOAL } else { FROM_START };
    let letters: String = ways(board, pipe).map(Dir::letter).collect();
    format!("{}{mark}{letters}", ends.label)
}

/// The neighbours of a cell that are nearer to another cell; first the one along the longer side.
fn nearer(board: &Board, from: usize, to: usize) -> impl Iterator<Item = usize> {
    let place = |cell: usize| (cell / board.width(), cell % board.width());
    let ((row, column), (to_row, to_column)) = (place(from), place(to));
    let down = (row != to_row).then_some(if to_row > row { Dir::Down } else { Dir::Up });
    let across = (column != to_column).then_some(if to_column > column { Dir::Right } else { Dir::Left });
    let steep = row.abs_diff(to_row) > column.abs_diff(to_column);
    let order = if steep { [down, across] } else { [across, down] };
    order.into_iter().flatten().filter_map(move |dir| board.neighbour(from, dir))
}
