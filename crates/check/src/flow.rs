//! Flow Free, played out on paper: colours are painted cell by cell, and at the end the board is looked at as a whole.

use beeline_puzzles::Puzzle;
use beeline_puzzles::flow::{Board, Cell, FlowPuzzle, Rule};

use crate::{Checked, Flaw};

/// Checks a plan.
pub(crate) fn check(puzzle: &dyn Puzzle, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let board = puzzle.as_any().downcast_ref::<FlowPuzzle>().map(FlowPuzzle::board);
    let board = board.ok_or_else(|| Flaw::Unsupported("this is not a Flow Free board".to_owned()))?;
    if let Some(other) = objective.filter(|&o| o != "any") {
        return Err(Flaw::Unsupported(format!("no objective of Flow Free is called {other}")));
    }
    let mut paths: Vec<Vec<(usize, usize)>> = Vec::new();
    for colour in board.colours() {
        paths.push(vec![place(board, colour.start)]);
    }
    for step in board.drawn() {
        let letter = step.dir.letter();
        let label = board.colours()[usize::from(step.colour)].label.clone();
        draw(board, &mut paths, &format!("{label}{letter}"))
            .map_err(|why| Flaw::Unsupported(format!("what is drawn already breaks the rules: {why}")))?;
    }
    for (i, step) in steps.iter().enumerate() {
        draw(board, &mut paths, step).map_err(|why| Flaw::Step { number: i + 1, step: step.clone(), why })?;
    }
    whole(board, &paths).map_err(|why| Flaw::Goal { steps: steps.len(), why })?;
    Ok(Checked { cost: steps.len() as u64 })
}

fn place(board: &Board, at: usize) -> (usize, usize) {
    (at / board.width(), at % board.width())
}

fn beside(a: (usize, usize), b: (usize, usize)) -> bool {
    a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1
}

/// Paints one cell.
fn draw(board: &Board, paths: &mut [Vec<(usize, usize)>], step: &str) -> Result<(), String> {
    let letter = step.chars().next_back().ok_or("an empty step")?;
    let label = &step[..step.len() - letter.len_utf8()];
    let colour = board.colours().iter().position(|c| c.label == label).ok_or("there is no such colour")?;
    let goal = place(board, board.colours()[colour].goal);
    let (row, column) = *paths[colour].last().ok_or("the colour has no start")?;
    if beside((row, column), goal) {
        return Err("the colour is joined already".to_owned());
    }
    let to = match letter {
        'l' if column > 0 => (row, column - 1),
        'r' if column + 1 < board.width() => (row, column + 1),
        'u' if row > 0 => (row - 1, column),
        'd' if row + 1 < board.height() => (row + 1, column),
        'l' | 'r' | 'u' | 'd' => return Err("it leaves the board".to_owned()),
        _ => return Err("no such direction".to_owned()),
    };
    if board.cells()[to.0 * board.width() + to.1] != Cell::Free {
        return Err("the cell is a wall or an end".to_owned());
    }
    if paths.iter().any(|path| path.contains(&to)) {
        return Err("the cell is painted already".to_owned());
    }
    paths[colour].push(to);
    Ok(())
}

/// Every pair joined, no path beside itself, no cell left where the rule says so.
fn whole(board: &Board, paths: &[Vec<(usize, usize)>]) -> Result<(), String> {
    let mut painted = 0;
    for (colour, path) in board.colours().iter().zip(paths) {
        let mut whole = path.clone();
        let goal = place(board, colour.goal);
        if !whole.last().is_some_and(|&head| beside(head, goal)) {
            return Err(format!("{} is not joined", colour.label));
        }
        whole.push(goal);
        for i in 0..whole.len() {
            for j in i + 2..whole.len() {
                if beside(whole[i], whole[j]) {
                    return Err(format!("{} touches itself", colour.label));
                }
            }
        }
        painted += whole.len();
    }
    let cells = board.cells().iter().filter(|&&c| c != Cell::Wall).count();
    if board.rule == Rule::Fill && painted < cells {
        return Err(format!("{} cells are empty", cells - painted));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use beeline_puzzles::flow::make::{Random, solvable};
    use beeline_puzzles::flow::{corner, sat, text};
    use beeline_search::Budget;

    use super::*;

    fn puzzle(text: &str) -> FlowPuzzle {
        FlowPuzzle::new(text::parse(text).unwrap().remove(0))
    }

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn good_plans_hold_and_bad_ones_do_not() {
        let small = puzzle("R.R\nB..\nB..\n");
        // Joined from the start: B. The rest cannot be filled.
        assert_eq!(check(&small, None, &words("Rr")).unwrap_err().to_string(), GOAL);
        let good = puzzle("R..\n..R\n");
        assert_eq!(check(&good, None, &words("Rd Rr")).map_err(|e| e.to_string()), Err(EMPTY.to_owned()));
        let full = puzzle("RB.\n...\nR.B\n");
        assert_eq!(check(&full, None, &words("Rd Br Bd")).map_err(|e| e.to_string()), Err(TWO.to_owned()));
        assert!(check(&full, None, &words("Ru")).is_err());
        assert!(check(&full, None, &words("Rr")).is_err());
        assert!(check(&full, None, &words("Xr")).is_err());
        assert!(check(&full, None, &words("R\u{e9}")).is_err());
        assert!(check(&full, Some("pushes"), &[]).is_err());
    }

    const GOAL: &str = "all 1 steps are legal, but the goal is not met: 4 cells are empty";
    const EMPTY: &str = "all 2 steps are legal, but the goal is not met: 2 cells are empty";
    const TWO: &str = "all 3 steps are legal, but the goal is not met: 2 cells are empty";

    #[test]
    fn a_path_beside_itself_is_refused() {
        let snake = puzzle("A..\n...\n..A\n");
        let flaw = check(&snake, None, &words("Ar Ad Al Ad Ar")).unwrap_err().to_string();
        assert_eq!(flaw, "all 5 steps are legal, but the goal is not met: A touches itself");
    }

    #[test]
    fn the_plans_of_both_solvers_hold() {
        let mut random = Random::new(42);
        let mut checked = 0;
        while checked < 800 {
            let (width, height) = (2 + random.below(11), 2 + random.below(11));
            let colours = 1 + random.below(width.max(height));
            let Some(board) = solvable(width, height, colours, random.word()) else { continue };
            let puzzle = FlowPuzzle::new(board.clone());
            let budget = Budget::default();
            for found in [corner::solve(&board, 1, &budget, |_| {}), sat::solve(&board, 1, &budget)] {
                let steps: Vec<String> =
                    found.answers[0].steps(&board).into_iter().map(|s| text::show_step(&board, s)).collect();
                let cost = steps.len() as u64;
                assert_eq!(check(&puzzle, Some("any"), &steps), Ok(Checked { cost }), "{board}");
            }
            checked += 1;
        }
    }
}
