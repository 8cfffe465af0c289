//! Shows a running search: the current state, the frontier, the progress, the rates, and the pruned successors.

mod relay;
mod spark;

use std::io;
use std::time::{Duration, Instant};

use beeline_puzzle::{Job, Puzzle, Scene};
use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Outcome, Verdict};
use beeline_view::figures::{commas, size};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui_core::style::Style;
use ratatui_core::terminal::Frame;

use crate::Look;
use crate::layout::Sheet;
use crate::screen::{self, Screen};
use relay::{Figures, Link, Relay, Speed};

/// Runs a job on a puzzle and shows it. `rounds` names what bounds the strategy's rounds: "bound", "width". If the
/// user leaves the screen early, the search is cancelled.
pub fn watch(
    title: &str,
    rounds: &'static str,
    puzzle: &dyn Puzzle,
    job: &Job,
    budget: &Budget,
    look: Look,
) -> io::Result<Result<Outcome<String>, Unsupported>> {
    let link = Link::new(RATES[FIRST_RATE], budget.cancel.clone());
    let start = puzzle.game().scene();
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let outcome = puzzle.solve(job, budget, &mut Relay(&link));
            if let Ok(outcome) = &outcome {
                conclude(puzzle, outcome, &link);
            }
            outcome
        });
        let finished = || search.is_finished();
        let mut watching = Watching {
            title,
            rounds,
            look,
            link: &link,
            finished: &finished,
            scene: start,
            speed: FIRST_RATE,
            samples: Vec::new(),
            sampled: (Instant::now(), 0),
            began: Instant::now(),
            ended: None,
        };
        let left = screen::run(&mut watching, look);
        link.end();
        let outcome = search.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        left.map(|_| outcome)
    })
}

/// The budget, in decisions, of the search for a plan's description. It takes some milliseconds.
const DESCRIPTION_DECISIONS: u64 = 1 << 16;

/// Ends the display of a search: shows the goal as its last scene, and its result.
fn conclude(puzzle: &dyn Puzzle, outcome: &Outcome<String>, link: &Link) {
    let mut game = puzzle.game();
    let (verdict, scene) = match &outcome.verdict {
        Verdict::Solved(plan) => {
            // The checker reports a plan that cannot be played.
            let played = plan.moves.iter().all(|step| game.play(step).is_ok());
            let proved = if plan.is_optimal() { ", proved shortest" } else { "" };
            let words = puzzle.solved_in_words(
                &plan.moves,
                &Budget { nodes: Some(DESCRIPTION_DECISIONS), ..Budget::default() },
            );
            let words = words.unwrap_or_else(|| format!("cost {}{proved}", plan.cost));
            (format!("Solved: {words}."), played.then(|| game.scene()))
        }
        Verdict::Exhausted => ("There is no plan: the whole space was searched.".to_owned(), None),
        Verdict::GaveUp => ("No plan was found, which proves nothing.".to_owned(), None),
        Verdict::Stopped(limit) => (format!("Stopped by the {} limit.", limit.name()), None),
    };
    link.change(|shared| {
        shared.figures.copy_from(&outcome.stats);
        shared.verdict = Some(verdict);
        shared.scene = scene.or(shared.scene.take());
    });
}

/// The selectable speeds, in expansions per second.
const RATES: [Speed; 11] = [
    Speed::Rate(1.0),
    Speed::Rate(3.0),
    Speed::Rate(10.0),
    Speed::Rate(30.0),
    Speed::Rate(100.0),
    Speed::Rate(300.0),
    Speed::Rate(1_000.0),
    Speed::Rate(3_000.0),
    Speed::Rate(10_000.0),
    Speed::Rate(30_000.0),
    Speed::Full,
];
const FIRST_RATE: usize = 3;

/// The interval between drawings, and the interval between measurements of the rate.
const FRAME: Duration = Duration::from_millis(40);
const SAMPLE: Duration = Duration::from_millis(250);
/// The most samples that are kept. No window is wider.
const SAMPLES: usize = 400;

struct Watching<'a> {
    title: &'a str,
    rounds: &'static str,
    look: Look,
    link: &'a Link,
    finished: &'a dyn Fn() -> bool,
    scene: Scene,
    speed: usize,
    /// Measured rates, in expansions per second, and the count and time of the last measurement.
    samples: Vec<f64>,
    sampled: (Instant, u64),
    began: Instant,
    /// The duration of the search and its result, once it has ended.
    ended: Option<(Duration, String)>,
}

impl Watching<'_> {
    fn set_speed(&mut self, speed: usize) {
        self.speed = speed.min(RATES.len() - 1);
        let speed = RATES[self.speed];
        self.link.change(|shared| shared.speed = speed);
    }

    fn sample(&mut self, expanded: u64) {
        let (then, before) = self.sampled;
        let now = Instant::now();
        let took = now - then;
        if took >= SAMPLE {
            self.samples.push(expanded.saturating_sub(before) as f64 / took.as_secs_f64());
            if self.samples.len() > SAMPLES {
                self.samples.remove(0);
            }
            self.sampled = (now, expanded);
        }
    }

    fn facts(&self, figures: &Figures, paused: bool) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("expanded", commas(figures.expanded)),
            ("generated", commas(figures.generated)),
            ("duplicates", commas(figures.duplicates)),
        ];
        if let Some(waiting) = figures.waiting {
            facts.push(("frontier", commas(waiting)));
        }
        if let Some((bound, number)) = figures.round {
            facts.push((self.rounds, format!("{} (round {number})", commas(bound))));
        }
        if figures.reports_states {
            facts.push(("cost", commas(figures.cost)));
            if figures.estimate > 0 {
                facts.push(("estimate", commas(figures.estimate)));
            }
        }
        facts.push(("deepest", commas(figures.deepest)));
        for (rule, pruned) in &figures.pruned {
            facts.push(("pruned", format!("{} {rule}", commas(*pruned))));
        }
        facts.push(("memory", size(figures.bytes)));
        if let Some(rate) = self.samples.last() {
            facts.push(("rate", format!("{} a second", commas(rate.round() as u64))));
            facts.push(("", spark::line(&self.samples, 20, self.look.ascii)));
        }
        let speed = match RATES[self.speed] {
            _ if paused => "paused".to_owned(),
            Speed::Full => "full".to_owned(),
            Speed::Rate(rate) => format!("{} a second", commas(rate as u64)),
        };
        facts.push(("speed", speed));
        facts
    }

    fn message(&self, figures: &Figures, paused: bool) -> (Style, String) {
        match &self.ended {
            Some((_, verdict)) => (self.look.good(), format!("{verdict} q leaves.")),
            None if paused => (Look::bold(), "Paused: . makes one expansion, space goes on.".to_owned()),
            None if !figures.reports_states && figures.expanded > 0 => {
                (Style::new(), "This solver works in bulk and shows no single states.".to_owned())
            }
            None => (Style::new(), String::new()),
        }
    }
}

const KEYS: [(&str, &str); 5] = [
    ("space", "pause, go on"),
    (".", "one expansion"),
    ("+ -", "faster, slower"),
    ("f", "full speed"),
    ("q", "stop and leave"),
];

impl Screen for Watching<'_> {
    type End = ();

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let (figures, paused) = {
            let mut shared = self.link.lock();
            if let Some(scene) = shared.scene.take() {
                self.scene = scene;
            }
            shared.wants_scene = true;
            (shared.figures.clone(), shared.paused)
        };
        let seconds =
            self.ended.as_ref().map_or_else(|| self.began.elapsed(), |(took, _)| *took).as_secs_f64();
        let sheet = Sheet {
            look: self.look,
            title: self.title.to_owned(),
            place: format!("{seconds:.1} s"),
            scene: Some(&self.scene),
            facts: self.facts(&figures, paused),
            message: Some(self.message(&figures, paused)),
            keys: KEYS.iter().map(|&(key, does)| (key.to_owned(), does)).collect(),
            ..Sheet::default()
        };
        let area = frame.area();
        sheet.draw(frame.buffer_mut(), area);
    }

    fn key(&mut self, key: KeyEvent) -> Option<()> {
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc | KeyCode::Enter => return Some(()),
            KeyCode::Char(' ') => self.link.change(|shared| shared.paused = !shared.paused),
            KeyCode::Char('.' | 's') | KeyCode::Right => self.link.change(|shared| {
                shared.steps = if shared.paused { shared.steps + 1 } else { 0 };
                shared.paused = true;
            }),
            KeyCode::Char('+' | '=') => self.set_speed(self.speed + 1),
            KeyCode::Char('-' | '_') => self.set_speed(self.speed.saturating_sub(1)),
            KeyCode::Char('f') => self.set_speed(RATES.len() - 1),
            _ => {}
        }
        None
    }

    fn due(&self) -> Option<Instant> {
        self.ended.is_none().then(|| Instant::now() + FRAME)
    }

    fn tick(&mut self) -> Option<()> {
        if self.ended.is_none() {
            // The order matters: a search that has finished has already set its verdict, or has none.
            let finished = (self.finished)();
            let (expanded, verdict) = {
                let shared = self.link.lock();
                (shared.figures.expanded, shared.verdict.clone())
            };
            self.sample(expanded);
            self.ended = verdict.map(|verdict| (self.began.elapsed(), verdict));
            return (finished && self.ended.is_none()).then_some(());
        }
        None
    }
}
