//! The command line. Options and files may come in any order.

use std::path::Path;

use beeline_puzzles::flow::Rule;
use beeline_puzzles::flow::classic::NODE_BYTES;
use beeline_puzzles::flow::prune::Rules;
use beeline_puzzles::quote::shortened;

/// What `--help` prints.
pub(super) const USAGE: &str = "\
usage: flow_solver [ OPTIONS ] BOARD1.txt
                   BOARD2.txt [ ... ] ]

Display options:
  -q, --quiet             Reduce output
  -i, --diagnostics       Print diagnostics when search unsuccessful
  -A, --animation         Animate solution
  -F, --fast              Speed up animation 4x
  -C, --color             Force use of ANSI color
  -S, --svg               Output final state to SVG

Node evaluation options:
  -d, --deadends          dead-end checking
      --deadends=board    dead-end checking of the whole board
      --prune RULE        one more sound rule: board, stranded, bottleneck, corner
      --prune-counts      Print what each rule dropped

Color ordering options:
  -r, --randomize         Shuffle order of colors before solving
  -c, --constrained       Disable order by most constrained

Search options:
  -n, --max-nodes N       Restrict storage to N nodes
  -m, --max-storage N     Restrict storage to N MB (default 1024)
      --solver NAME       classic (default), corner or sat
      --rule NAME         fill (default), numberlink: cells may stay empty,
                          or touching: a path may touch itself
      --unique            Say whether the solution is the only one, with proof
      --count N           Count solutions, up to N
      --cross-check       Ask the corner and the SAT solver and compare

Help:
  -h, --help              See this help text
";

/// The solver of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Solver {
    /// The uniform-cost search of the original.
    #[default]
    Classic,
    /// The corner theorem.
    Corner,
    /// Clauses.
    Sat,
}

/// The parsed options.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // one switch an option
pub(super) struct Options {
    pub(super) quiet: bool,
    pub(super) diagnostics: bool,
    pub(super) animation: bool,
    pub(super) fast: bool,
    pub(super) colour: bool,
    pub(super) svg: bool,
    pub(super) randomize: bool,
    pub(super) in_order: bool,
    pub(super) rules: Rules,
    pub(super) count_prunes: bool,
    pub(super) solver: Solver,
    pub(super) rule: Option<Rule>,
    pub(super) unique: bool,
    pub(super) count: Option<usize>,
    pub(super) cross_check: bool,
    nodes: Option<u64>,
    megabytes: Option<f64>,
    pub(super) files: Vec<String>,
}

/// The action that the command line requests.
#[derive(Clone, Debug)]
pub(super) enum Parsed {
    /// Print the usage.
    Help,
    /// Search.
    Run(Options),
}

fn with_usage(message: &str) -> String {
    format!("{message}\n\n{USAGE}")
}

impl Options {
    /// Parses the arguments. The error is the message to print before exiting.
    pub(super) fn read(arguments: &[String]) -> Result<Parsed, String> {
        if arguments.is_empty() {
            return Err(with_usage("not enough args!"));
        }
        let mut options = Self { colour: colour_terminal(), ..Self::default() };
        let arguments: Vec<String> = arguments.iter().flat_map(|argument| separated(argument)).collect();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let name = argument.as_str();
            if matches!(name, "-h" | "--help") {
                return Ok(Parsed::Help);
            }
            if options.switch(name) {
                continue;
            }
            if TAKES_VALUE.contains(&name) {
                let value = rest.next().ok_or_else(|| with_usage(&format!("{name} needs argument")))?;
                options.set(name, value).map_err(|wanted| {
                    with_usage(&format!("{name} {}: expected {wanted}", shortened(value)))
                })?;
            } else if Path::new(name).exists() {
                options.files.push(name.to_owned());
            } else if name.starts_with('-') {
                return Err(with_usage(&format!("unrecognized option: {}", shortened(name))));
            } else {
                return Err(format!("there is no file {}\n", shortened(name)));
            }
        }
        if options.rule.is_some_and(Rule::may_touch) && options.solver == Solver::Classic {
            return Err(with_usage("--rule touching needs --solver corner or --solver sat"));
        }
        if options.files.is_empty() {
            return Err("no input files\n".to_owned());
        }
        Ok(Parsed::Run(options))
    }

    fn switch(&mut self, name: &str) -> bool {
        let switch = match name {
            "-q" | "--quiet" => &mut self.quiet,
            "-i" | "--diagnostics" => &mut self.diagnostics,
            "-A" | "--animation" => &mut self.animation,
            "-F" | "--fast" => &mut self.fast,
            "-C" | "--color" => &mut self.colour,
            "-S" | "--svg" => &mut self.svg,
            "-d" | "--deadends" => &mut self.rules.deadends,
            "--deadends=board" => &mut self.rules.board,
            "--prune-counts" => &mut self.count_prunes,
            "-r" | "--randomize" => &mut self.randomize,
            "-c" | "--constrained" => &mut self.in_order,
            "--unique" => &mut self.unique,
            "--cross-check" => &mut self.cross_check,
            _ => return false,
        };
        *switch = true;
        true
    }

    /// Sets an option with a value. The error says what was expected.
    fn set(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "-n" | "--max-nodes" => {
                let nodes = value.parse().ok().filter(|&n| n > 0);
                self.nodes = Some(nodes.ok_or("a whole number above 0")?);
            }
            "-m" | "--max-storage" => {
                let megabytes = value.parse().ok().filter(|m: &f64| *m > 0.0 && m.is_finite());
                self.megabytes = Some(megabytes.ok_or("a number above 0")?);
            }
            "--prune" => {
                if !self.rules.add(value) {
                    return Err("deadends, board, stranded, bottleneck or corner");
                }
            }
            "--solver" => {
                self.solver = match value {
                    "classic" => Solver::Classic,
                    "corner" => Solver::Corner,
                    "sat" => Solver::Sat,
                    _ => return Err("classic, corner or sat"),
                };
            }
            "--rule" => {
                self.rule = Some(Rule::by_name(value).ok_or("fill, numberlink or touching")?);
            }
            _ => {
                let count = value.parse().ok().filter(|&n| n > 0);
                self.count = Some(count.ok_or("a whole number above 0")?);
            }
        }
        Ok(())
    }

    /// The most nodes that may enter the queue.
    pub(super) fn max_nodes(&self) -> u64 {
        let megabytes = self.megabytes.unwrap_or(1024.0);
        self.nodes.unwrap_or_else(|| (megabytes * 1_048_576.0 / NODE_BYTES).floor() as u64)
    }
}

/// Splits joined short options: `-qd` is `-q -d`, `-qn` is `-q -n`. Other arguments stay unchanged.
fn separated(argument: &str) -> Vec<String> {
    let whole = || vec![argument.to_owned()];
    let Some(letters) = argument.strip_prefix('-').filter(|letters| letters.chars().count() > 1) else {
        return whole();
    };
    let mut options: Vec<String> = letters.chars().map(|letter| format!("-{letter}")).collect();
    let last = options.pop();
    let switch = |name: &String| name == "-h" || Options::default().switch(name);
    let ends = last.as_ref().is_some_and(|name| switch(name) || TAKES_VALUE.contains(&name.as_str()));
    if !ends || !options.iter().all(switch) {
        return whole();
    }
    options.extend(last);
    options
}

const TAKES_VALUE: [&str; 8] =
    ["-n", "--max-nodes", "-m", "--max-storage", "--prune", "--solver", "--rule", "--count"];

/// Is the output a terminal that is known to support colours?
fn colour_terminal() -> bool {
    use std::io::IsTerminal;
    let term = std::env::var("TERM").unwrap_or_default();
    std::io::stdout().is_terminal() && (term.starts_with("xterm") || term.starts_with("rxvt"))
}
