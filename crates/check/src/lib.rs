//! The independent checker: it parses a puzzle's text a second time and replays a plan with its own plain rules.
//!
//! It shares nothing with the solvers: no parser, no board, no move generator, no goal test, no cost function. It needs the
//! name of the kind and the *canonical text*, which a puzzle writes of itself. Only the main parser reads the many other
//! notations. A reader here refuses them, so that both parsers never see different boards in one text.
//!
//! One small file per puzzle, optimised for reading, not for speed.
//!
//! ```
//! let plan = ["0r".to_owned(), "0r".to_owned()];
//! let checked = beeline_check::check("gate", "#####\n#0 G#\n#####\n", Some("moves"), &plan);
//! assert_eq!(checked, Ok(beeline_check::Checked { cost: 1 }));
//! ```

mod bricks;
pub mod certificate;
mod flow;
mod gate;
mod sliding;
mod sokoban;
mod tiles;

/// A plan that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its cost under its objective, counted by the checker.
    pub cost: u64,
}

/// A plan that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A step that the rules forbid.
    #[error("step {number} ({step}): {why}")]
    Step {
        /// Its number, from 1.
        number: usize,
        /// The step.
        step: String,
        /// The fault.
        why: String,
    },
    /// Every step is legal, but the goal is not met at the end.
    #[error("all {steps} steps are legal, but the goal is not met: {why}")]
    Goal {
        /// The number of steps.
        steps: usize,
        /// What is missing.
        why: String,
    },
    /// There is no checker for this kind or this objective.
    #[error("{0}")]
    Unsupported(String),
    /// The text is not the canonical text of a puzzle.
    #[error("the checker cannot read the puzzle: {0}")]
    Text(String),
}

/// Checks a plan: the kind by name, the puzzle's canonical text, the objective (`None` is the kind's default), and the steps.
pub fn check(kind: &str, text: &str, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    (rules(kind)?.check)(text, objective, steps)
}

/// The board that the checker reads in a text, written back in canonical form, without titles and comments.
pub fn draw(kind: &str, text: &str) -> Result<String, Flaw> {
    (rules(kind)?.draw)(text)
}

/// Replays the steps of a plan for a text and an objective.
type Check = fn(&str, Option<&str>, &[String]) -> Result<Checked, Flaw>;

/// The rules of one kind.
struct Rules {
    name: &'static str,
    check: Check,
    draw: fn(&str) -> Result<String, Flaw>,
}

/// The kinds.
const RULES: &[Rules] = &[
    Rules { name: "gate", check: gate::check, draw: gate::draw },
    Rules { name: "tiles", check: tiles::check, draw: tiles::draw },
    Rules { name: "flow", check: flow::check, draw: flow::draw },
    Rules { name: "sokoban", check: sokoban::check, draw: sokoban::draw },
    Rules { name: "bricks", check: bricks::check, draw: bricks::draw },
];

fn rules(kind: &str) -> Result<&'static Rules, Flaw> {
    let rules = RULES.iter().find(|rules| rules.name == kind);
    rules.map_or_else(|| no_kind(kind), Ok)
}

fn no_kind<T>(kind: &str) -> Result<T, Flaw> {
    Err(Flaw::Unsupported(format!("no checker knows the kind {kind}")))
}

/// The error for an unreadable text.
fn unreadable<T>(why: impl Into<String>) -> Result<T, Flaw> {
    Err(Flaw::Text(why.into()))
}

/// The error for an objective that the kind does not have.
fn no_objective<T>(kind: &str, name: &str) -> Result<T, Flaw> {
    Err(Flaw::Unsupported(format!("{kind} has no objective {name}")))
}

/// The neighbour of a place in the direction u, d, l or r; `None` off a board of this size.
fn beside(
    (row, column): (usize, usize),
    way: char,
    (height, width): (usize, usize),
) -> Option<(usize, usize)> {
    let (row, column) = match way {
        'u' => (row.checked_sub(1)?, column),
        'd' => (row + 1, column),
        'l' => (row, column.checked_sub(1)?),
        'r' => (row, column + 1),
        _ => return None,
    };
    (row < height && column < width).then_some((row, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_knows_is_refused_in_words() {
        let none = check("chess", "", None, &[]).unwrap_err().to_string();
        assert_eq!(none, "no checker knows the kind chess");
        let text = draw("gate", "").unwrap_err().to_string();
        assert_eq!(text, "the checker cannot read the puzzle: there is no board");
    }

    /// Readers refuse text that is not canonical or is no board; a reader never panics.
    #[test]
    fn readers_refuse_what_is_not_canonical() {
        for (kind, texts) in [
            ("gate", &["", "\n", "#0x#\n", "##\n###\n", "#0G#\n\n", "#é0G#\n"][..]),
            (
                "tiles",
                &[
                    "",
                    "0 1 2 3\n",
                    "0 1\n2\n",
                    "0 1\n2 2\n",
                    "0 1\n2 x\n",
                    "0 1\n\n2 3\n",
                    "goal: x\n0 1\n2 3\n",
                ],
            ),
            (
                "flow",
                &["", "A.\n", "A.A\nA..\n", "A.A\n..\n", "A?A\n", "rule: x\nA.A\n", "A.A\n\n", "A.A\nx: y\n"],
            ),
            (
                "sokoban",
                &["", "###\n", "#@@#\n", "#@1#\n", "#@ #\n\n", "Author: x\n#@#\n", "#@#\nAuthor: x\n#.#\n"],
            ),
            (
                "bricks",
                &[
                    "",
                    "2,1,\n2,\n",
                    "2,1,\n2,x,\n",
                    "2,1,\n3,-1,\n",
                    "2,1,\n2,0,\n",
                    "2,1,\n2,-3,\n",
                    "2,1,\n2,0,\n0,9,\n",
                ],
            ),
        ] {
            for text in texts {
                let flaw = draw(kind, text).unwrap_err();
                assert!(matches!(flaw, Flaw::Text(_)), "{kind}: {text:?}: {flaw}");
            }
        }
    }
}
