//! Plain rules of Sokoban: the player follows the letters over the grid.
//!
//! Canonical text: a title behind `;` and an empty line, the rows in the usual symbols (`-` for a row without any; the first has a wall), and then
//! lines with `Author:`, `Comment:`, `Solution:` and `Saved game:`. Everything outside the rows is wall.

use crate::certificate::Graph;
use crate::certificate::boxes::Boxes;
use crate::{Checked, Flaw, beside, no_objective, unreadable};

/// The rows, all equally long, with the symbols of walls, goals and floor only; the boxes; the player.
struct Level {
    rows: Vec<Vec<char>>,
    boxed: Vec<Vec<bool>>,
    player: (usize, usize),
}

fn read(text: &str) -> Result<Level, Flaw> {
    let keys = ["Author:", "Comment:", "Solution:", "Saved game:"];
    let note = |line: &&str| keys.iter().any(|key| line.starts_with(key));
    let mut lines: Vec<&str> = text.lines().collect();
    if let [title, "", ..] = lines[..]
        && title.starts_with(';')
    {
        lines.drain(..2);
    }
    while lines.last().is_some_and(note) {
        lines.pop();
    }
    // Rows without a symbol around the board do not belong to it.
    let blank = |line: &&str| *line == "-" || (!line.is_empty() && line.trim_start_matches(' ').is_empty());
    while lines.last().is_some_and(blank) {
        lines.pop();
    }
    let above = lines.iter().take_while(|line| blank(line)).count();
    lines.drain(..above);
    if lines.first().is_none_or(|first| !first.contains('#')) {
        return unreadable("the first row has no wall");
    }
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (mut rows, mut boxed, mut players) = (Vec::new(), Vec::new(), Vec::new());
    for (row, line) in lines.into_iter().enumerate() {
        // Only `-` is a row without symbols; a line of blanks ends a board.
        if line.trim_matches(' ').is_empty() {
            return unreadable("an empty line");
        }
        let line = if line == "-" { " " } else { line };
        let mut symbols: Vec<char> = line.chars().collect();
        if let Some(odd) = symbols.iter().find(|symbol| !"# .$*@+".contains(**symbol)) {
            return unreadable(format!("{odd:?} is no cell"));
        }
        symbols.resize(width, ' ');
        let here = symbols.iter().enumerate().filter(|(_, symbol)| "@+".contains(**symbol));
        players.extend(here.map(|(column, _)| (row, column)));
        boxed.push(symbols.iter().map(|symbol| "$*".contains(*symbol)).collect());
        let ground = symbols.iter().map(|symbol| match symbol {
            '#' => '#',
            '.' | '*' | '+' => '.',
            _ => ' ',
        });
        rows.push(ground.collect());
    }
    match players[..] {
        [player] => Ok(Level { rows, boxed, player }),
        _ => unreadable(format!("{} players", players.len())),
    }
}

/// The board as this parser read it.
pub(crate) fn draw(text: &str) -> Result<String, Flaw> {
    let Level { rows, boxed, player } = read(text)?;
    let mut drawing = String::new();
    for (r, row) in rows.iter().enumerate() {
        let symbols =
            row.iter().enumerate().map(|(c, ground)| match (ground, boxed[r][c], (r, c) == player) {
                ('.', true, _) => '*',
                ('.', _, true) => '+',
                (_, true, _) => '$',
                (_, _, true) => '@',
                (ground, ..) => *ground,
            });
        let line: String = symbols.collect();
        let line = line.trim_end();
        drawing += if line.is_empty() { "-" } else { line };
        drawing += "\n";
    }
    Ok(drawing)
}

/// Does the objective count pushes first?
pub(crate) fn by_pushes(objective: Option<&str>) -> Result<bool, Flaw> {
    match objective {
        None | Some("moves" | "moves-pushes" | "any") => Ok(false),
        Some("pushes" | "pushes-moves") => Ok(true),
        Some(name) => no_objective("sokoban", name),
    }
}

/// The board as a graph of states.
pub(crate) fn graph(text: &str, objective: &str, bound: &str) -> Result<Box<dyn Graph>, Flaw> {
    let Level { rows, boxed, player } = read(text)?;
    let size = (rows.len(), rows[0].len());
    let next = |at, way| beside(at, way, size).filter(|&(r, c)| rows[r][c] != '#');
    let mut squares = vec![player];
    let mut head = 0;
    while let Some(&at) = squares.get(head) {
        head += 1;
        let around = "lrud".chars().filter_map(|way| next(at, way));
        let new: Vec<_> = around.filter(|to| !squares.contains(to)).collect();
        squares.extend(new);
    }
    squares.sort_unstable();
    let number = |at: &(usize, usize)| squares.binary_search(at).ok();
    let near = squares.iter().map(|&at| ['l', 'r', 'u', 'd'].map(|way| number(&next(at, way)?))).collect();
    let goal = squares.iter().map(|&(r, c)| rows[r][c] == '.').collect();
    let cells = (0..size.0).flat_map(|r| (0..size.1).map(move |c| (r, c)));
    let all: Vec<_> = cells.filter(|&(r, c)| boxed[r][c]).collect();
    let boxes: Vec<usize> = all.iter().filter_map(number).collect();
    let lost = all.iter().any(|at| number(at).is_none() && rows[at.0][at.1] != '.');
    let player = number(&player).unwrap_or(0);
    Ok(Box::new(Boxes::new(near, goal, (&boxes, player, lost), (objective, bound))?))
}

/// Replays a plan of l r u d L R U D. The cost is the primary count of the objective: steps, or pushes.
pub(crate) fn check(text: &str, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let Level { rows, mut boxed, mut player } = read(text)?;
    let by_pushes = by_pushes(objective)?;
    let size = (rows.len(), rows[0].len());
    let open = |place: &(usize, usize)| rows[place.0][place.1] != '#';
    let mut pushes = 0;
    for (i, step) in steps.iter().enumerate() {
        let flaw = |why: &str| Flaw::Step { number: i + 1, step: step.clone(), why: why.to_owned() };
        if !["l", "r", "u", "d", "L", "R", "U", "D"].contains(&step.as_str()) {
            return Err(flaw("not one of l r u d L R U D"));
        }
        let capital = step.chars().all(char::is_uppercase);
        let go = |from| {
            let way = step.chars().next()?.to_ascii_lowercase();
            beside(from, way, size).filter(open)
        };
        let to = go(player).ok_or_else(|| flaw("a wall is in the way"))?;
        if boxed[to.0][to.1] {
            let beyond = go(to).filter(|beyond| !boxed[beyond.0][beyond.1]);
            let beyond = beyond.ok_or_else(|| flaw("the box cannot move"))?;
            if !capital {
                return Err(flaw("this step pushes a box, so its letter is a capital"));
            }
            boxed[to.0][to.1] = false;
            boxed[beyond.0][beyond.1] = true;
            pushes += 1;
        } else if capital {
            return Err(flaw("a capital, but no box is pushed"));
        }
        player = to;
    }
    let all = boxed.concat().into_iter().zip(rows.concat());
    let missing = all.filter(|&(boxed, ground)| boxed && ground != '.').count();
    if missing > 0 {
        return Err(Flaw::Goal { steps: steps.len(), why: format!("{missing} boxes are not on a goal") });
    }
    Ok(Checked { cost: if by_pushes { pushes } else { steps.len() as u64 } })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: &str = "; A title: #1\n\n #####\n##@ .#\n# $  #\n##  ##\n ####\nAuthor: nobody\nComment: none\nSolution: RR\nSaved game: r\n";

    fn checked(objective: Option<&str>, plan: &str) -> Result<Checked, Flaw> {
        let steps: Vec<String> = plan.chars().map(String::from).collect();
        check(LEVEL, objective, &steps)
    }

    #[test]
    fn rows_without_a_symbol_are_none_of_the_board() {
        let board = "#####\n#@$.#\n#####\n";
        for around in ["-\n", " \n", "   \n-\n"] {
            assert_eq!(draw(&format!("{around}{board}{around}")), draw(board), "{around:?}");
        }
        assert!(draw(&format!("{board}\n{board}")).is_err());
        assert!(draw(&format!(".\n{board}")).is_err(), "a row without a wall begins no board");
    }

    #[test]
    fn good_and_bad_plans() {
        let why = |plan: &str| checked(None, plan).unwrap_err().to_string();
        assert!(why("").contains("1 boxes are not on a goal"));
        assert!(why("u").contains("a wall"));
        assert!(why("d").contains("so its letter is a capital"));
        assert!(why("R").contains("a capital, but no box is pushed"));
        assert!(why("DD").contains("step 2 (D): the box cannot move"));
        assert!(why("x").contains("not one of"));
        assert!(checked(Some("time"), "").is_err());
        let corridor = "#######\n#@$ .##\n#######\n";
        let steps = ["R".to_owned(), "R".to_owned()];
        for (objective, cost) in [("moves", 2), ("pushes", 2), ("pushes-moves", 2), ("any", 2)] {
            assert_eq!(check(corridor, Some(objective), &steps), Ok(Checked { cost }));
        }
        let walk = ["l".to_owned(), "r".to_owned(), "R".to_owned()];
        let room = "######\n# @$.#\n######\n";
        assert_eq!(check(room, Some("moves-pushes"), &walk), Ok(Checked { cost: 3 }));
        assert_eq!(check(room, Some("pushes"), &walk), Ok(Checked { cost: 1 }));
    }

    #[test]
    fn rows_without_a_symbol_around_a_board_are_none_of_it() {
        assert_eq!(draw("-\n####\n#@.#\n####\n-\n-\n"), draw("####\n#@.#\n####\n"));
    }

    #[test]
    fn boards_are_drawn_as_they_were_read() {
        assert_eq!(draw(LEVEL).as_deref(), Ok(" #####\n##@ .#\n# $  #\n##  ##\n ####\n"));
        for text in ["####\n#+ #\n#$*#\n####\n", "###\n#@#\n###\n-\n##\n"] {
            assert_eq!(draw(text).as_deref(), Ok(text));
        }
    }
}
