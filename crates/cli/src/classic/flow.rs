//! `flow [OPTIONS] BOARD…`: uniform-cost search for Flow Free, with the counters of the original. It also offers the
//! solver by the corner theorem, proofs of uniqueness, and a comparison of solvers.
//!
//! A file that is no board is reported and skipped. The others are still solved, and the exit code is 0, as in the
//! original.

mod options;
mod show;
mod strong;
mod svg;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use beeline_puzzles::file::{ReadError, read_file};
use beeline_puzzles::flow::classic::{self, BadFile, Classic, Flag, Searched};
use beeline_puzzles::flow::{Order, Rule};
use beeline_view::figures::commas;

use options::{Options, Parsed, Solver};
use show::{Canvas, seconds};

/// Runs the command.
pub fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let mut out = BufWriter::new(io::stdout().lock());
    let options = match Options::read(&arguments) {
        Ok(Parsed::Run(options)) => options,
        Ok(Parsed::Help) => {
            return finish(write!(out, "{}", options::USAGE).and_then(|()| out.flush()).map(|()| true));
        }
        Err(message) => {
            let mut err = io::stderr().lock();
            // If the message cannot be written, nothing better can be done.
            drop(write!(err, "{message}"));
            return ExitCode::FAILURE;
        }
    };
    let ended = run(&options, &mut out);
    let written = out.flush();
    finish(ended.and_then(|sound| written.map(|()| sound)))
}

/// Treats a closed pipe as success: the reader wants no more output.
fn finish(result: io::Result<bool>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// One line of the totals.
#[derive(Clone, Copy, Default)]
struct Total {
    boards: u64,
    seconds: f64,
    nodes: u64,
}

impl Total {
    fn add(&mut self, seconds: f64, nodes: u64) {
        self.boards += 1;
        self.seconds += seconds;
        self.nodes += nodes;
    }
}

const FLAGS: [(Flag, char, &str); 3] = [
    (Flag::Solved, 's', "successful"),
    (Flag::Unsolvable, 'u', "unsolvable"),
    (Flag::Full, 'f', "out of memory"),
];

fn place(flag: Flag) -> usize {
    FLAGS.iter().position(|f| f.0 == flag).unwrap_or(0)
}

fn run(options: &Options, out: &mut dyn Write) -> io::Result<bool> {
    let width = options.files.iter().map(|f| f.chars().count()).max().unwrap_or(0).max(11);
    let mut totals = [Total::default(); 3];
    let mut boards = 0;
    let mut sound = true;
    for file in &options.files {
        let Some(board) = load(file, out)? else { continue };
        boards += 1;
        if options.quiet {
            write!(out, "{file:>width$} ")?;
            out.flush()?;
        } else {
            if boards > 1 {
                write!(out, "\n{}\n\n", "*".repeat(70))?;
            }
            let (size, colours) = (board.size(), board.paints.len());
            write!(out, "read {size}x{size} board with {colours} colors from {file}\n\n")?;
        }
        let (searched, time) = one(options, &board, file, out)?;
        totals[place(searched.flag)].add(time, searched.nodes);
        result(options, &searched, time, out)?;
        if options.svg {
            let name = svg::file_name(file);
            std::fs::write(&name, svg::draw(&board, &searched.plan))?;
            if !options.quiet {
                writeln!(out, "wrote {name}")?;
            }
        }
        sound &= strong::questions(options, &board, searched.flag, out)?;
    }
    if boards > 1 {
        summary(options, &totals, width, out)?;
    }
    Ok(sound)
}

/// Reads a board. Its error goes to standard error, after everything that was written before.
fn load(file: &str, out: &mut dyn Write) -> io::Result<Option<Classic>> {
    let message = match read_file(file) {
        Ok(bytes) => match Classic::read(file, &bytes) {
            Ok(board) => return Ok(Some(board)),
            Err(BadFile::Message(message)) => message,
            Err(BadFile::OneEnd { message, size, cells }) => {
                show::ends_only(size, &cells, out)?;
                format!("\n\n{message}")
            }
        },
        Err(ReadError::Io(_)) => format!("error opening {file}"),
        Err(error @ ReadError::TooLarge(_)) => format!("{file}: {error}"),
    };
    out.flush()?;
    eprintln!("{message}");
    Ok(None)
}

/// Searches one board, and prints what is known before the search.
fn one(options: &Options, board: &Classic, file: &str, out: &mut dyn Write) -> io::Result<(Searched, f64)> {
    let mut order = Order::by_edge(&board.board, !options.in_order);
    if options.randomize {
        show::shuffle(&mut order.list);
    }
    let canvas = Canvas { board, colour: options.colour };
    let max_nodes = options.max_nodes();
    if !options.quiet {
        branching(options, board, &order, out)?;
        initial(&canvas, max_nodes, out)?;
        out.flush()?;
    }
    let started = Instant::now();
    let searched = match options.solver {
        Solver::Classic => {
            let rule = options.rule.unwrap_or(Rule::Fill);
            classic::search(&board.board.clone().with_rule(rule), &order, options.rules, max_nodes)
        }
        Solver::Corner | Solver::Sat => Some(strong::search(options, &board.board)),
    };
    let time = started.elapsed().as_secs_f64();
    let searched = searched.ok_or_else(|| io::Error::other(format!("{file}: the board is too large")))?;
    if options.diagnostics && searched.flag == Flag::Full {
        diagnostics(board, &searched, out)?;
    }
    if options.animation && !options.quiet && searched.flag == Flag::Solved {
        canvas.animate(file, &searched.plan, options.fast, out)?;
    }
    Ok((searched, time))
}

fn branching(options: &Options, board: &Classic, order: &Order, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}", "*".repeat(48))?;
    writeln!(out, "*               Branching Order                *")?;
    if options.in_order {
        let glyphs: String = order.list.iter().map(|&c| show::glyph(board, usize::from(c))).collect();
        writeln!(out, "* Will choose colors in order: {glyphs}")?;
    } else {
        writeln!(out, "* Will choose color by most constrained")?;
    }
    write!(out, "{}\n\n", "*".repeat(49))
}

fn initial(canvas: &Canvas<'_>, max_nodes: u64, out: &mut dyn Write) -> io::Result<()> {
    let megabytes = max_nodes as f64 * classic::NODE_BYTES / 1_048_576.0;
    writeln!(out, "\n{}", "*".repeat(48))?;
    writeln!(out, "*               Initializing Search            *")?;
    writeln!(out, "* Will search up to {} nodes ({} MB) ", commas(max_nodes), show::decimals(megabytes, 2))?;
    writeln!(out, "* Num Free cells at start is {}\n", canvas.board.board.free_cells())?;
    writeln!(out, "* Initial State:")?;
    canvas.draw(&[], out)?;
    write!(out, "{}\n\n", "*".repeat(49))
}

fn diagnostics(board: &Classic, searched: &Searched, out: &mut dyn Write) -> io::Result<()> {
    let cost = searched.next.len();
    let to_go = board.board.free_cells() - cost;
    write!(out, "here's the lowest cost thing on the queue:\n\n{}\n\n", "#".repeat(70))?;
    writeln!(out, "node has cost to node {cost} and cost to go {to_go}")?;
    match searched.next.last() {
        Some(step) => {
            let label = &board.board.colours()[usize::from(step.colour)].label;
            writeln!(out, "last move was for color {label}")
        }
        None => writeln!(out, "no moves yet?"),
    }
}

fn result(options: &Options, searched: &Searched, time: f64, out: &mut dyn Write) -> io::Result<()> {
    let (_, letter, word) = FLAGS[place(searched.flag)];
    if options.quiet {
        writeln!(out, "{letter} {:>12} {:>12}", seconds(time), commas(searched.nodes))?;
    } else {
        let megabytes = show::decimals(searched.nodes as f64 * classic::NODE_BYTES / 1_048_576.0, 2);
        let nodes = commas(searched.nodes);
        writeln!(out, "\nsearch {word} after {} seconds and {nodes} nodes ({megabytes} MB)", seconds(time))?;
    }
    if options.count_prunes {
        for (rule, count) in &searched.pruned {
            writeln!(out, "pruned by {rule}: {}", commas(*count))?;
        }
    }
    Ok(())
}

fn summary(options: &Options, totals: &[Total; 3], width: usize, out: &mut dyn Write) -> io::Result<()> {
    let pad = " ".repeat(width - 9);
    let seen = || totals.iter().zip(FLAGS).filter(|(t, _)| t.boards > 0);
    let mut all = Total::default();
    if options.quiet {
        writeln!(out)?;
    } else {
        write!(out, "\n{}\n\n", "*".repeat(70))?;
    }
    for (total, (_, letter, word)) in seen() {
        let (time, nodes) = (seconds(total.seconds), commas(total.nodes));
        if options.quiet {
            writeln!(out, "{pad}{:>3} total {letter} {time:>12} {nodes:>12}", total.boards)?;
        } else {
            let boards = total.boards;
            writeln!(out, "{boards} {word} searches took a total of {time} seconds and {nodes} nodes")?;
        }
        all.boards += total.boards;
        all.seconds += total.seconds;
        all.nodes += total.nodes;
    }
    if seen().filter(|(t, _)| t.nodes > 0).count() > 1 {
        let (boards, time, nodes) = (all.boards, seconds(all.seconds), commas(all.nodes));
        if options.quiet {
            writeln!(out, "\n{pad}{boards:>3} overall {time:>12} {nodes:>12}")?;
        } else {
            writeln!(out, "\noverall, {boards} searches took a total of {time} seconds and {nodes} nodes")?;
        }
    }
    Ok(())
}
