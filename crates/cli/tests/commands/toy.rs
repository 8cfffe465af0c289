//! A kind of puzzle whose text determines how the search ends, so that every ending can be tested.
//!
//! A file holds lines `toy WORD [N] [title]`; `both` instead of `toy` is recognised by two kinds.

use std::any::Any;
use std::time::Duration;

use beeline_check::{Checked, Flaw};
use beeline_cli::commands::World;
use beeline_puzzles::scene::{Form, Ground, Scene, Thing};
use beeline_puzzles::{Choice, Example, Game, Job, Kind, Puzzle, TextError, Watcher, Way, text};
use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Meter, Outcome, Round, Solution, Stats, Verdict};

/// Hanging toys are ended after less than a second, so that the tests are fast.
pub(crate) const WORLD: World = World {
    kinds: &[&Toys { name: "toy" }, &Toys { name: "other" }],
    check,
    grace: Duration::from_millis(400),
};

/// The kind, under two names.
struct Toys {
    name: &'static str,
}

static TOY: Toys = Toys { name: "toy" };

const WORDS: [&str; 13] = [
    "walk", "stuck", "giveup", "endless", "hungry", "lie", "miscount", "bounded", "unproved", "panic",
    "deaf", "deadlock", "anytime",
];

impl Kind for Toys {
    fn name(&self) -> &'static str {
        self.name
    }
    fn title(&self) -> &'static str {
        "Toy corridors"
    }
    fn about(&self) -> &'static str {
        "Walk to the right until you stand on the goal. Some corridors only pretend."
    }
    fn recognises(&self, text: &str) -> bool {
        text.starts_with("both") || (self.name == "toy" && text.starts_with("toy"))
    }
    fn parse(&self, text: &str) -> Result<Vec<Box<dyn Puzzle>>, TextError> {
        text::lines(text).filter(|l| !l.text.is_empty()).map(|line| read(&line)).collect()
    }
    fn examples(&self) -> &'static [Example] {
        if self.name == "toy" { &EXAMPLES } else { &[] }
    }
    fn heuristics(&self) -> &'static [Choice] {
        &[Choice { name: "distance", about: "The cells that are left." }]
    }
    fn objectives(&self) -> &'static [Choice] {
        &[Choice { name: "steps", about: "Fewest steps." }, Choice { name: "any", about: "Any way will do." }]
    }
    fn solvers(&self) -> &'static [Choice] {
        &[Choice { name: "best", about: "Walks. Nothing else." }]
    }
    fn rules(&self) -> &'static [Choice] {
        &[Choice { name: "corner", about: "Never stand in a corner." }]
    }
}

const EXAMPLES: [Example; 2] = [
    Example { name: "toy-first", title: "Three steps", text: "toy walk 3\n" },
    Example {
        name: "toy-pack",
        title: "Several corridors",
        text: "toy walk 1 Short\ntoy stuck 2 Closed\ntoy walk 4 Long\n",
    },
];

fn read(line: &text::Line<'_>) -> Result<Box<dyn Puzzle>, TextError> {
    let mut words = line.text.split_whitespace();
    let _ = words.next();
    let word = words.next().unwrap_or_default();
    let at = line.text.find(word).unwrap_or(0) + line.start;
    let Some(&word) = WORDS.iter().find(|w| **w == word) else {
        let error =
            TextError::new(at..at + word.len(), format!("unknown word '{word}'"), "one of the toy words");
        return Err(error.help("write 'walk', for example"));
    };
    let length = words.next().unwrap_or("3").parse().unwrap_or(3);
    let title = words.next().map(str::to_owned);
    Ok(Box::new(Toy { word, length, title, at: 0, history: Vec::new() }))
}

#[derive(Clone)]
struct Toy {
    word: &'static str,
    length: usize,
    title: Option<String>,
    at: usize,
    history: Vec<String>,
}

impl Toy {
    fn figures(&self) -> Stats {
        let n = self.length as u64;
        Stats {
            expanded: 1000 * n,
            generated: 2000 * n,
            duplicates: n,
            pruned: vec![("corner", 7)],
            rounds: vec![
                Round { bound: 1, expanded: 10, generated: 20, duplicates: 0 },
                Round { bound: 2, expanded: 990, generated: 1980, duplicates: 3 },
            ],
            depth: n,
            stored: 900,
            frontier_peak: 12,
            bytes: 4096,
            elapsed: Duration::from_millis(5),
            ..Stats::default()
        }
    }

    fn plan(steps: usize, cost: u64, lower_bound: u64) -> Verdict<String> {
        Verdict::Solved(Solution { moves: vec!["r".into(); steps], cost, lower_bound })
    }

    /// Runs until a limit, like a real search.
    fn endless(&self, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<String> {
        let mut meter = Meter::new(budget);
        let (mut stats, mut held) = (Stats::default(), Vec::new());
        watcher.round(1);
        let limit = loop {
            if meter.due() {
                if let Err(limit) = meter.look() {
                    break limit;
                }
                stats.expanded = meter.expanded();
                stats.close(&meter);
                watcher.tick(&stats);
            }
            meter.count();
            std::thread::sleep(Duration::from_micros(50));
            if self.word == "hungry" && meter.ledger.push(&mut held, [0u8; 1024]).is_err() {
                break beeline_search::Limit::Memory;
            }
        };
        stats.expanded = meter.expanded();
        stats.close(&meter);
        Outcome { verdict: Verdict::Stopped(limit), stats }
    }
}

impl Puzzle for Toy {
    fn kind(&self) -> &'static dyn Kind {
        &TOY
    }
    fn title(&self) -> Option<String> {
        self.title.clone()
    }
    fn text(&self) -> String {
        format!("toy {} {}\n", self.word, self.length)
    }
    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![("length", self.length.to_string())]
    }
    fn warnings(&self) -> Vec<String> {
        if self.length > 90 { vec!["this is a long walk".into()] } else { Vec::new() }
    }
    fn solve(
        &self,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        if job.strategy.as_deref() == Some("bidirectional") {
            return Err(Unsupported::needs("bidirectional", "a corridor has no way back"));
        }
        let (n, cost) = (self.length, self.length as u64);
        let verdict = match self.word {
            "walk" => Self::plan(n, cost, cost),
            "bounded" => Self::plan(n, cost, cost / 2),
            "unproved" => Self::plan(n, cost, 0),
            "lie" => Self::plan(n - 1, cost, cost),
            "miscount" => Self::plan(n, cost + 1, cost),
            "stuck" => Verdict::Exhausted,
            "giveup" => Verdict::GaveUp,
            "panic" => panic!("the toy broke"),
            // A search that never checks its budget.
            "deaf" => loop {
                std::thread::sleep(Duration::from_millis(20));
                watcher.round(4);
                watcher.tick(&Stats { expanded: 77, depth: 5, ..Stats::default() });
            },
            // Two threads that wait for each other, after one of them has found a plan.
            "deadlock" => {
                watcher.found(self.length as u64);
                loop {
                    std::thread::park();
                }
            }
            // A plan without proof before the limit.
            "anytime" => {
                let stats = self.endless(budget, watcher).stats;
                let stopped = Some(beeline_search::Limit::Time);
                return Ok(Outcome {
                    verdict: Self::plan(n, cost, cost / 2),
                    stats: Stats { stopped, ..stats },
                });
            }
            _ => return Ok(self.endless(budget, watcher)),
        };
        Ok(Outcome { verdict, stats: self.figures() })
    }
    fn game(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
    fn read_plan(&self, text: &str) -> Result<Vec<String>, TextError> {
        let letters = text.char_indices().filter(|(_, c)| !c.is_whitespace());
        letters
            .map(|(i, c)| match c {
                'l' | 'r' => Ok(c.to_string()),
                _ => Err(TextError::new(i..i + c.len_utf8(), format!("'{c}' is no step"), "l or r")),
            })
            .collect()
    }
    fn write_plan(&self, steps: &[String]) -> String {
        steps.concat()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Game for Toy {
    fn scene(&self) -> Scene {
        let mut scene = Scene::new(self.length + 3, 3);
        for (i, cell) in scene.cells.iter_mut().enumerate() {
            let (row, column) = (i / (self.length + 3), i % (self.length + 3));
            if row != 1 || column == 0 || column == self.length + 2 {
                cell.ground = Ground::Wall;
            } else if column == self.length + 1 {
                cell.ground = Ground::Goal;
            }
            if row == 1 && column == self.at + 1 {
                let label = String::new();
                cell.thing = Some(Thing { id: 0, form: Form::Player, label, links: 0, colour: None });
            }
        }
        scene
    }
    fn legal(&self) -> Vec<String> {
        vec!["r".into()]
    }
    fn play(&mut self, step: &str) -> Result<(), String> {
        if step != "r" || self.at == self.length {
            return Err("there is a wall".into());
        }
        self.at += 1;
        self.history.push(step.into());
        Ok(())
    }
    fn toward(&self, _: Option<u16>, way: Way) -> Option<String> {
        assert!(self.word != "panic" || way != Way::Left, "the toy tripped");
        Some(way.letter().to_string())
    }
    fn undo(&mut self) -> bool {
        self.at -= usize::from(self.at > 0);
        self.history.pop().is_some()
    }
    fn solved(&self) -> bool {
        self.at == self.length
    }
    fn history(&self) -> &[String] {
        &self.history
    }
    fn here(&self) -> Box<dyn Puzzle> {
        Box::new(self.clone())
    }
}

fn check(puzzle: &dyn Puzzle, _: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let Some(toy) = puzzle.as_any().downcast_ref::<Toy>() else {
        return Err(Flaw::Unsupported("not a toy".into()));
    };
    if let Some(bad) = steps.iter().position(|s| s != "r") {
        return Err(Flaw::Step { number: bad + 1, step: steps[bad].clone(), why: "there is a wall".into() });
    }
    if steps.len() != toy.length {
        return Err(Flaw::Goal { steps: steps.len(), why: "the walker is not there yet".into() });
    }
    Ok(Checked { cost: steps.len() as u64 })
}
