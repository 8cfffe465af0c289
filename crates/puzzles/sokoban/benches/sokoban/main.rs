//! Sokoban benchmark: jobs, CPU time, rates and bytes, as a table.
//!
//! The classic search runs on a level drawn here. The collections are read from the folder `BEELINE_SUITES`,
//! with `sokoban/collections/*.xsb` and `sokoban/boxoban/*.txt` in it; without it those jobs are left out,
//! with a message. `BEELINE_SECONDS` is the limit per level in CPU seconds (default 20). `BEELINE_NODES`
//! limits expansions, independently of the load of the machine. `BEELINE_GIB` limits memory (default 4).
//! `BEELINE_JOBS` names the jobs to run, separated by commas: hall, rules, moves, pushes, any.
//! `BEELINE_EACH=1` prints a line for each level that is solved. For the objective any, levels with odd and
//! even numbers are listed apart: only the odd ones were used during its development.
//!
//! `BEELINE_JOBS=levels` prints a line for each level of `BEELINE_COLLECTION` (the path of a file in the
//! folder of the suites). `BEELINE_LEVELS` is `odd`, `even` or numbers with commas (default all).
//! `BEELINE_OBJECTIVE` is any (default), moves or pushes. For an unsolved level of the last two, the line
//! gives the proved lower bound. `BEELINE_SIDES` names the sides of each level to run, separated by commas:
//! plain (default), mirrored, transposed, turned. To a search they are other levels, equally hard. Where
//! success depends on tie-breaking, four sides say more than one.
//!
//! `BEELINE_JOBS=halves`, `ablation`, `orientations` and `sensitivity` run the portfolio for the objective
//! any: see [`portfolio`]. `BEELINE_MEMBERS` lists the members of the portfolio that take part, by index with
//! commas, in the order in which they start (default all).
//!
//! `BEELINE_JOBS=improve` improves the plans `sokoban/improve/NUMBER.plan` of `XSokoban` levels and prints
//! the sums for odd and even levels; `BEELINE_LEVELS` and `BEELINE_OBJECTIVE` (moves by default, or pushes)
//! as above.

mod portfolio;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use beeline_puzzle::{Job, Kind};
use beeline_search::{Budget, Outcome, Solution, Verdict};
use beeline_sokoban::board::{Board, Dir};
use beeline_sokoban::classic::{self, Corners};
use beeline_sokoban::improve::{Figure, Improved, Settings, improve};
use beeline_sokoban::make::make;
use beeline_sokoban::optimal::{Objective, best};
use beeline_sokoban::rules::prune::RULES;
use beeline_sokoban::satisficing::Options;
use beeline_sokoban::{KIND, Level, Sokoban, satisficing, text};

/// CPU seconds of this thread; wall-clock seconds where the system does not provide them.
fn cpu() -> f64 {
    cpu_of("/proc/thread-self/schedstat")
}

fn cpu_of(file: &str) -> f64 {
    let text = std::fs::read_to_string(file).ok();
    let nanoseconds = text.and_then(|line| line.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanoseconds.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0.0, |d| d.as_secs_f64() * 1e9)
    }) / 1e9
}

struct Row {
    solved: usize,
    levels: usize,
    seconds: f64,
    expanded: u64,
    worst_bytes: f64,
    failed: Vec<usize>,
}

/// Limits by CPU time, independent of the load of the machine.
struct Limits {
    seconds: f64,
    nodes: Option<u64>,
    bytes: usize,
    each: bool,
}

impl Limits {
    fn read() -> Self {
        fn env_value<T: std::str::FromStr>(name: &str) -> Option<T> {
            std::env::var(name).ok().and_then(|value| value.parse().ok())
        }
        Self {
            seconds: env_value("BEELINE_SECONDS").unwrap_or(20.0),
            nodes: env_value("BEELINE_NODES"),
            bytes: env_value("BEELINE_GIB").unwrap_or(4usize) << 30,
            each: std::env::var_os("BEELINE_EACH").is_some(),
        }
    }

    /// Runs a search and cancels it when its thread has used its CPU time.
    fn within<M>(&self, search: impl FnOnce(&Budget) -> Outcome<M>) -> Outcome<M> {
        let budget = Budget { nodes: self.nodes, bytes: Some(self.bytes), ..Budget::default() };
        let thread = std::fs::read_link("/proc/thread-self").unwrap_or_default();
        let file = format!("/proc/{}/schedstat", thread.display());
        let (done, cancel, end) = (AtomicBool::new(false), budget.cancel.clone(), cpu() + self.seconds);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    if cpu_of(&file) > end {
                        cancel.cancel();
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
            });
            let outcome = search(&budget);
            done.store(true, Ordering::Relaxed);
            outcome
        })
    }
}

fn run<M>(levels: &[Level], limits: &Limits, solve: impl Fn(&Level, &Budget) -> Outcome<M>) -> Row {
    let mut row = Row {
        solved: 0,
        levels: levels.len(),
        seconds: 0.0,
        expanded: 0,
        worst_bytes: 0.0,
        failed: Vec::new(),
    };
    for (i, level) in levels.iter().enumerate() {
        let before = cpu();
        let outcome = limits.within(|budget| solve(level, budget));
        let seconds = cpu() - before;
        if let Verdict::Solved(solution) = &outcome.verdict {
            row.solved += 1;
            row.seconds += seconds;
            if limits.each {
                let (cost, expanded) = (solution.cost, outcome.stats.expanded);
                println!("  {:>4}: {cost:>5}, {seconds:>7.2} s, {expanded:>10} expanded", i + 1);
            }
        } else {
            row.failed.push(i + 1);
        }
        row.expanded += outcome.stats.expanded;
        if outcome.stats.stored > 100_000 {
            row.worst_bytes = row.worst_bytes.max(outcome.stats.bytes_per_state().unwrap_or(0.0));
        }
    }
    row
}

/// Prints the expansions with each dead-end rule alone, with none and with all, on shipped and generated
/// levels.
fn rules(limits: &Limits) {
    let shipped = KIND.examples().iter().filter(|example| example.name != "sokoban-hall");
    let mut levels: Vec<Level> = shipped.flat_map(|e| text::parse(e.text).unwrap_or_default()).collect();
    for seed in 0..24 {
        let made = make(8 + seed as usize % 3, 8, 3 + seed as usize % 2, seed);
        levels.extend(made.map(Level::new));
    }
    for (strategy, objective) in [("bfs", "moves"), ("best", "moves"), ("best", "pushes")] {
        let expanded = |names: Vec<String>| {
            let job = Job {
                strategy: Some(strategy.to_owned()),
                objective: Some(objective.to_owned()),
                rules: Some(names),
                ..Job::default()
            };
            let solve = |level: &Level, budget: &Budget| {
                let solved =
                    beeline_puzzle::Puzzle::solve(&Sokoban::new(level.board.clone()), &job, budget, &mut ());
                solved.unwrap_or_else(|fault| panic!("{fault}"))
            };
            let row = run(&levels, limits, solve);
            (row.expanded, row.seconds, row.solved)
        };
        let (all, each) = (levels.len(), limits.seconds);
        println!("{strategy}, {objective}: {all} levels, at most {each} s each");
        let names = RULES.iter().map(|rule| vec![rule.name.to_owned()]);
        let every: Vec<String> = RULES.iter().map(|rule| rule.name.to_owned()).collect();
        for set in std::iter::once(Vec::new()).chain(names).chain([every]) {
            let name = match set.len() {
                0 => "no rule".to_owned(),
                1 => set.concat(),
                _ => "all".to_owned(),
            };
            let (expanded, seconds, solved) = expanded(set);
            println!("  {name:<14} {expanded:>10} expanded {seconds:>8.2} s, {solved} solved");
        }
    }
}

fn print(name: &str, row: &Row) {
    println!(
        "{name:<44} {:>4}/{:<4} {:>9.2} s {:>12} expanded {:>6.1} bytes a state at worst; not solved: {:?}",
        row.solved, row.levels, row.seconds, row.expanded, row.worst_bytes, row.failed
    );
}

/// The collections, as paths in the folder of the suites.
const COLLECTIONS: [&str; 5] = [
    "collections/Microban_155.xsb",
    "collections/Microban_II_135.xsb",
    "boxoban/hard_000.txt",
    "collections/Sasquatch_50.xsb",
    "collections/XSokoban_90.xsb",
];

/// The collections whose optima are proved too.
const PROVED: [&str; 2] = [COLLECTIONS[0], COLLECTIONS[4]];

fn collection(folder: &Path, name: &str) -> Option<Vec<Level>> {
    let file = std::fs::read_to_string(folder.join("sokoban").join(name)).ok()?;
    text::parse(&file).ok()
}

/// Does the filter `wanted` include this level number?
fn is_selected(wanted: &str, number: usize) -> bool {
    match wanted {
        "" | "all" => true,
        "odd" => number % 2 == 1,
        "even" => number.is_multiple_of(2),
        list => list.split(',').any(|n| n.trim().parse() == Ok(number)),
    }
}

/// A level from another side.
fn seen_from(side: &str, level: &Level) -> Level {
    let board = &level.board;
    let (width, height) = (board.width(), board.height());
    let (wide, high) = if side == "transposed" { (height, width) } else { (width, height) };
    let from = |row: usize, column: usize| match side {
        "plain" => board.cell(row, column),
        "mirrored" => board.cell(row, width - 1 - column),
        "transposed" => board.cell(column, row),
        "turned" => board.cell(height - 1 - row, width - 1 - column),
        other => panic!("BEELINE_SIDES: {other} is none of plain, mirrored, transposed, turned"),
    };
    let cells = (0..high).flat_map(|row| (0..wide).map(move |column| (row, column)));
    let board = Board::new(wide, cells.map(|(row, column)| from(row, column)).collect());
    Level { board: board.expect("a level stays one on its other sides"), ..level.clone() }
}

/// How many steps of a plan push a box.
fn pushes(board: &Board, plan: &[Dir]) -> usize {
    let (mut player, mut boxes) = (board.player(), board.boxes().to_vec());
    let mut pushes = 0;
    for &dir in plan {
        player = board.next(player, dir);
        if let Some(at) = boxes.iter_mut().find(|at| **at == player) {
            *at = board.next(player, dir);
            pushes += 1;
        }
    }
    pushes
}

/// One line for each level: solved or not, CPU seconds, expansions, steps of the plan.
fn line_by_line(
    levels: &[Level],
    wanted: &str,
    sides: &str,
    limits: &Limits,
    solve: impl Fn(&Level, &Budget) -> Outcome<Dir>,
) {
    let (mut solved, mut tried, mut total) = ([0; 2], [0; 2], 0.0);
    let selected_levels = levels.iter().enumerate().filter(|(i, _)| is_selected(wanted, i + 1));
    for (i, level, side) in
        selected_levels.flat_map(|(i, level)| sides.split(',').map(move |side| (i, level, side)))
    {
        let level = seen_from(side, level);
        let before = cpu();
        let outcome = limits.within(|budget| solve(&level, budget));
        let seconds = cpu() - before;
        total += seconds;
        tried[i % 2] += 1;
        let said = match &outcome.verdict {
            Verdict::Solved(solution) => {
                solved[i % 2] += 1;
                let pushes = pushes(&level.board, &solution.moves);
                format!("solved {:>5} moves {pushes:>4} pushes", solution.moves.len())
            }
            Verdict::Exhausted | Verdict::GaveUp => "no plan".to_owned(),
            Verdict::Stopped(limit) => match outcome.stats.rounds.last() {
                Some(round) => format!("{limit:?}, {} or more", round.bound),
                None => format!("{limit:?}"),
            },
        };
        let rate = outcome.stats.expanded as f64 / seconds.max(1e-6);
        println!(
            "{:>4} {side:<10} {said:<30} {seconds:>8.2} s {:>9} expanded {rate:>8.0} a second {:>9} stored",
            i + 1,
            outcome.stats.expanded,
            outcome.stats.stored
        );
    }
    println!("odd {} of {}, even {} of {}; {total:.1} s in all", solved[0], tried[0], solved[1], tried[1]);
}

/// The levels of the plans in `sokoban/improve`.
const XSOKOBAN: &str = COLLECTIONS[4];

/// Improves the plans `sokoban/improve/NUMBER.plan` of the folder of the suites: moves and pushes before and after.
fn improve_plans(folder: &Path, levels: &[Level], wanted: &str, settings: Settings, limits: &Limits) {
    let mut sums = [[0; 4]; 2];
    for (i, level) in levels.iter().enumerate().filter(|(i, _)| is_selected(wanted, i + 1)) {
        let number = i + 1;
        let file = folder.join(format!("sokoban/improve/{number:04}.plan"));
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let plan: Vec<Dir> = text.chars().filter_map(Dir::of).collect();
        let before = cpu();
        let outcome = limits.within(|budget| {
            let Improved { plan, stats } = improve(&level.board, &plan, &settings, budget, &mut ());
            let solution = Solution { cost: plan.len() as u64, moves: plan, lower_bound: 0 };
            Outcome { verdict: Verdict::Solved(solution), stats }
        });
        let better = outcome.solution().map_or(&plan, |solution| &solution.moves);
        let seconds = cpu() - before;
        let of = |plan: &[Dir]| [plan.len(), pushes(&level.board, plan)];
        let ([moves, pushed], [then, after]) = (of(&plan), of(better));
        println!(
            "{number:>4} {moves:>5} moves {pushed:>4} pushes -> {then:>5} moves {after:>4} pushes {seconds:>6.2} s"
        );
        for (sum, figure) in sums[i % 2].iter_mut().zip([moves, pushed, then, after]) {
            *sum += figure;
        }
    }
    for (half, [moves, pushed, then, after]) in ["odd", "even"].iter().zip(sums) {
        println!("{half:>4} {moves:>5} moves {pushed:>4} pushes -> {then:>5} moves {after:>4} pushes");
    }
}

/// A hall of the kind that the classic search is slow on.
const HALL: &str = "\
##################
#        $      .#
#           ######
#  $  @  .  ######
#           ######
#   .    $  ######
##################
";

fn main() {
    let limits = Limits::read();
    let env_value = |name: &str| std::env::var(name).unwrap_or_default();
    let jobs = env_value("BEELINE_JOBS");
    let wanted = |job: &str| jobs.is_empty() || jobs.split(',').any(|name| name == job);
    let folder = std::env::var_os("BEELINE_SUITES").map(PathBuf::from);
    let threads = env_value("BEELINE_THREADS").parse().unwrap_or(1);
    let options = Options { threads, members: portfolio::members(), ..Options::default() };
    if jobs == "levels" {
        let levels = folder.and_then(|folder| collection(&folder, &env_value("BEELINE_COLLECTION")));
        let objective = match env_value("BEELINE_OBJECTIVE").as_str() {
            "moves" => Some(Objective::Moves),
            "pushes" => Some(Objective::Pushes),
            _ => None,
        };
        let sides = Some(env_value("BEELINE_SIDES")).filter(|sides| !sides.is_empty());
        let (levels, wanted) = (levels.unwrap_or_default(), env_value("BEELINE_LEVELS"));
        line_by_line(&levels, &wanted, sides.as_deref().unwrap_or("plain"), &limits, |level, budget| {
            match objective {
                Some(objective) => best(&level.board, objective, budget, &mut ()),
                None => satisficing::solve(&level.board, &options, budget, &mut ()),
            }
        });
        return;
    }
    if jobs == "improve" {
        let levels = folder.as_deref().and_then(|folder| collection(folder, XSOKOBAN));
        let figure = if env_value("BEELINE_OBJECTIVE") == "pushes" { Figure::Pushes } else { Figure::Moves };
        let settings = Settings { figure, ..Settings::default() };
        let (folder, levels) = (folder.unwrap_or_default(), levels.unwrap_or_default());
        improve_plans(&folder, &levels, &env_value("BEELINE_LEVELS"), settings, &limits);
        return;
    }
    if matches!(jobs.as_str(), "ablation" | "orientations" | "halves" | "sensitivity") {
        portfolio::run(&jobs, folder.as_deref(), &limits);
        return;
    }
    if wanted("hall") {
        let hall = text::parse(HALL).unwrap_or_default();
        let reference = run(&hall, &limits, |l, b| classic::solve(&l.board, Corners::Reference, b));
        print("classic, the reference", &reference);
        let sound = run(&hall, &limits, |l, b| classic::solve(&l.board, Corners::Sound, b));
        print("classic, sound", &sound);
        print("best, moves", &run(&hall, &limits, |l, b| best(&l.board, Objective::Moves, b, &mut ())));
    }
    if wanted("rules") {
        rules(&limits);
    }
    let Some(folder) = folder else {
        println!("collections: left out, BEELINE_SUITES is not set");
        return;
    };
    for name in COLLECTIONS {
        let Some(levels) = collection(&folder, name) else {
            println!("{name}: left out, not found");
            continue;
        };
        let proved = [(Objective::Moves, "moves"), (Objective::Pushes, "pushes")];
        for (objective, title) in proved.into_iter().filter(|(_, job)| wanted(job) && PROVED.contains(&name))
        {
            let row = run(&levels, &limits, |l, budget| best(&l.board, objective, budget, &mut ()));
            print(&format!("{name} {title}"), &row);
        }
        for (first, title) in [(0, "odd"), (1, "even")].into_iter().filter(|_| wanted("any")) {
            let half: Vec<Level> = levels.iter().skip(first).step_by(2).cloned().collect();
            let mut row =
                run(&half, &limits, |l, budget| satisficing::solve(&l.board, &options, budget, &mut ()));
            // Numbers as in the collection.
            row.failed.iter_mut().for_each(|number| *number = 2 * *number - 1 + first);
            print(&format!("{name} any, {title}"), &row);
        }
    }
}
