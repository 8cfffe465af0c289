//! The long checks. Each is a command that can fail. Their results, with dates, are written to docs/proof.md.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime};

use crate::step::{cargo, has, root, show, target};
use crate::{dist, mpi, pddl, site, slurm};

/// The result of a check.
pub(crate) enum Found {
    Passed(String),
    Failed(String),
    NotHere(String),
}

/// How a check is made.
enum Proof {
    /// A cargo command with environment variables, and what its success shows.
    Cargo { args: &'static str, env: &'static [(&'static str, &'static str)], shows: &'static str },
    /// Any other check.
    Own(fn() -> Found),
}

/// The checks: a name, what is shown, and how.
const PROOFS: &[(&str, &str, Proof)] = &[
    (
        "long",
        "the tests that are too long for CI: exact figures, whole spaces, large differential runs",
        Proof::Own(long_tests),
    ),
    (
        "model",
        "every piece of code where threads meet, under a model checker: limits, cancels and refused threads at any moment",
        Proof::Cargo {
            args: "test -p beeline-search -p beeline-sliding -p beeline-tiles -p beeline-sokoban --features model --lib --test engine model_",
            env: &[],
            shows: "no schedule ends in a deadlock; the checker finds the deadlock that a test puts there",
        },
    ),
    (
        "cancel",
        "every solver by 2 to 1000 threads on a crowded machine, stopped in every round and at random by each limit",
        Proof::Cargo {
            args: "test --release -p beeline-puzzles --test threads -- --ignored",
            env: &[],
            shows: "every run ended, by the limit that was set",
        },
    ),
    (
        "offers",
        "every kind, objective, strategy, heuristic and rule on hundreds of boards, through the checker",
        Proof::Cargo {
            args: "test --release -p beeline-puzzles --test on_offer -- --ignored",
            env: &[],
            shows: "every plan passed, every cost agreed, every refusal said why",
        },
    ),
    (
        "memory",
        "what a process holds under `--memory` and under `ulimit -v`: every search of every kind",
        Proof::Cargo {
            args: "test --release -p beeline-cli --test limits -- --ignored",
            env: &[],
            shows: "within a tenth and 16 MiB of the limit; none stopped early; none aborted",
        },
    ),
    (
        "limits",
        "how close each strategy comes to its limits by the clock, at widths up to 4 and on the largest boards",
        Proof::Cargo {
            args: "bench --package beeline-bench --bench limits",
            env: &[],
            shows: "every strategy stopped within 50 ms or 1 % of its limit",
        },
    ),
    ("valgrind", "every command under valgrind: no invalid access, nothing lost", Proof::Own(valgrind)),
    ("sanitizer", "the engine's tests under the address sanitizer", Proof::Own(sanitizer)),
    (
        "fuzz",
        "broken files at every parser: an error or a puzzle, never a panic",
        Proof::Cargo {
            args: "test --release --package beeline-puzzles --test broken_files -- --nocapture",
            env: &[("BEELINE_BROKEN_FILES", "1000000")],
            shows: "1,000,000 broken files at each of the five parsers",
        },
    ),
    (
        "slurm",
        "a job array of the lab on a Slurm cluster of one node: every run made once",
        Proof::Own(slurm),
    ),
    (
        "site",
        "the page without a server, in a browser: every kind, Stop, memory, offline, the plans and figures of the native solvers",
        Proof::Own(site::prove),
    ),
    ("deny", "licences, sources and doubled versions of all dependencies, by `deny.toml`", Proof::Own(deny)),
    (
        "package",
        "the Debian package of `cargo xtask dist`: installs, runs, leaves nothing",
        Proof::Own(dist::prove),
    ),
    ("mpi", "`beeline cluster solve` by real ranks under mpirun", Proof::Own(mpi::prove)),
    ("pddl", "plans of every kind as PDDL, validated by unified-planning", Proof::Own(pddl::prove)),
    (
        "latency",
        "the page for 200 visitors while two searches run: below 100 ms for 99 of 100",
        Proof::Cargo {
            args: "bench --package beeline-web --bench latency",
            env: &[],
            shows: "200 visitors, two searches: below 100 ms at 99 %",
        },
    ),
    (
        "hostile",
        "200 visitors of whom half never read, or read and write too slowly; four searches at the limit of memory",
        Proof::Cargo {
            args: "test --release -p beeline-web --test hostile --test process -- --ignored visitors four_searches",
            env: &[],
            shows: "the others waited less than 100 ms in 99 of 100; the server kept to its memory",
        },
    ),
];

/// Long tests that have a check of their own.
const NAMED: &[&str] = &[
    "a_hundred_of_two_hundred_visitors",
    "every_offer_passes_the_checker",
    "every_search_of_every_kind_holds",
    "every_search_that_stops_for_memory",
    "every_solver_ends_at_every_limit",
    "four_searches_at_the_limit",
    "no_address_space_ends",
    "own_solvers_end_in_every_round",
    "tables_end_at_every_limit",
    "unified_planning_validates",
];

impl Proof {
    fn make(&self, name: &str) -> Found {
        match self {
            Self::Own(make) => make(),
            Self::Cargo { args, env, shows } => {
                let mut command = cargo();
                command.args(args.split(' ')).envs(env.iter().copied());
                match show(name, &mut command) {
                    Ok(_) => Found::Passed((*shows).to_owned()),
                    Err(why) => Found::Failed(why),
                }
            }
        }
    }
}

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (mut only, mut write) = (None, false);
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--write" => write = true,
            "--only" => only = words.next(),
            _ => return Err(format!("prove takes --write and --only NAME, not '{word}'")),
        }
    }
    if let Some(name) = only.filter(|name| PROOFS.iter().all(|(n, ..)| n != name)) {
        let names: Vec<_> = PROOFS.iter().map(|(n, ..)| *n).collect();
        return Err(format!("there is no proof called '{name}'; there are {}", names.join(", ")));
    }
    let path = root().join("docs/proof.md");
    let mut rows = old_rows(&std::fs::read_to_string(&path).unwrap_or_default());
    let mut failed = Vec::new();
    for (name, about, proof) in PROOFS.iter().filter(|(n, ..)| only.is_none_or(|o| o == n)) {
        let clock = Instant::now();
        let (mark, detail) = match proof.make(name) {
            Found::Passed(detail) => ("passed", detail),
            Found::NotHere(why) => ("not run", why),
            Found::Failed(why) => {
                failed.push(*name);
                ("FAILED", why)
            }
        };
        let seconds = clock.elapsed().as_secs();
        eprintln!("\n{name}: {mark} ({seconds} s) {detail}");
        let row = format!("| {name} | {about} | {mark} | {} | {seconds} s | {detail} |", today());
        match rows.iter_mut().find(|(of, _)| of == name) {
            Some((_, old)) => *old = row,
            None => rows.push((name, row)),
        }
    }
    if write {
        let mut page = String::from(PAGE);
        for (_, row) in rows {
            page.push_str(&row);
            page.push('\n');
        }
        std::fs::write(&path, page).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// The results on the page. A run of some checks keeps the results of the others.
fn old_rows(page: &str) -> Vec<(&'static str, String)> {
    let row_of = |name: &str| page.lines().find(|line| line.starts_with(&format!("| {name} |")));
    PROOFS.iter().filter_map(|(name, ..)| Some((*name, row_of(name)?.to_owned()))).collect()
}

const PAGE: &str = "\
# Proofs that are too long for CI

Written by `cargo xtask prove --write`. Each line is a command that can fail, with the day on which its result was seen;
`cargo xtask prove --only NAME` runs one.

| name | what | result | day | took | detail |
|---|---|---|---|---|---|
";

fn long_tests() -> Found {
    let mut command = cargo();
    command.args(["test", "--release", "--workspace", "--", "--ignored"]);
    command.args(NAMED.iter().flat_map(|name| ["--skip", name]));
    match show("long tests", &mut command) {
        Ok(_) if std::env::var_os("BEELINE_SUITES").is_some() => {
            Found::Passed("all tests marked `long`".into())
        }
        Ok(_) => {
            Found::Passed("all tests marked `long` but Korf's hundred: BEELINE_SUITES is not set".into())
        }
        Err(why) => Found::Failed(why),
    }
}

/// The folder of the built commands.
fn built() -> Result<PathBuf, String> {
    let mut command = cargo();
    command.args(["build", "--package", "beeline-cli", "--bins"]);
    show("build", &mut command)?;
    Ok(target().join("debug"))
}

fn valgrind() -> Found {
    if !has("valgrind") {
        return Found::NotHere("valgrind is not here; on Debian: apt-get install valgrind".into());
    }
    let bin = match built() {
        Ok(bin) => bin,
        Err(why) => return Found::Failed(why),
    };
    let mut runs = 0;
    for line in include_str!("valgrind.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let mut words = line.split_whitespace();
        let Some(program) = words.next() else { continue };
        let output = Command::new("valgrind")
            .args(["--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite", "--quiet"])
            .arg(bin.join(program))
            .args(words)
            .current_dir(root())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .output();
        match output {
            Ok(output) if output.status.code() == Some(99) => {
                return Found::Failed(format!("{line}: {}", String::from_utf8_lossy(&output.stderr)));
            }
            Ok(output) if output.status.code().is_none() => {
                return Found::Failed(format!("{line}: ended by a signal"));
            }
            Ok(_) => runs += 1,
            Err(e) => return Found::Failed(format!("{line}: {e}")),
        }
    }
    Found::Passed(format!("{runs} commands, no error, nothing lost"))
}

fn deny() -> Found {
    if !cargo().args(["deny", "--version"]).output().is_ok_and(|o| o.status.success()) {
        return Found::NotHere("cargo-deny is not here: cargo install cargo-deny".into());
    }
    // Advisories come from a database on the network. `cargo deny check` reads them as well.
    match show("dependencies", cargo().args(["deny", "check", "bans", "licenses", "sources"])) {
        Ok(_) => Found::Passed(
            "every dependency has an allowed licence, comes from the registry and stands once".into(),
        ),
        Err(why) => Found::Failed(why),
    }
}

fn slurm() -> Found {
    let missing = slurm::missing();
    if !missing.is_empty() {
        let (missing, packages) = (missing.join(", "), slurm::PACKAGES);
        return Found::NotHere(format!("no {missing} here; on Debian: apt-get install {packages}"));
    }
    match built().and_then(|bin| slurm::prove(&bin.join("beeline"))) {
        Ok(seen) => Found::Passed(seen),
        Err(why) => Found::Failed(why),
    }
}

fn sanitizer() -> Found {
    let Some(target) = sanitized_target() else {
        return Found::NotHere("this toolchain comes without the sanitizer's runtime".into());
    };
    let mut command = cargo();
    command.args(["test", "--package", "beeline-search", "--lib", "--tests", "--target", &target]);
    // The sanitizer's shadow memory exceeds the address space that this test allows.
    command.args(["--", "--skip", "address_space"]);
    // The flag is unstable, but every toolchain for this target ships its runtime. Only these tests enable it.
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
    // Some tests request impossible amounts of memory to see the refusal.
    command.env("ASAN_OPTIONS", "allocator_may_return_null=1");
    command.env("CARGO_TARGET_DIR", root().join("target/sanitizer"));
    match show("address sanitizer", &mut command) {
        Ok(_) => {
            Found::Passed("all tests of beeline-search, whose unsafe code is the workspace's most".into())
        }
        Err(why) => Found::Failed(why),
    }
}

/// The host's target, if its libraries include the address sanitizer.
fn sanitized_target() -> Option<String> {
    let ask = |args: &[&str]| {
        let output = Command::new("rustc").args(args).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let target = ask(&["--print", "host-tuple"])?;
    let libraries = std::fs::read_dir(ask(&["--print", "target-libdir"])?).ok()?;
    let there = libraries.flatten().any(|file| file.file_name().to_string_lossy().ends_with("_rt.asan.a"));
    there.then_some(target)
}

/// Today's date as year-month-day (UTC).
fn today() -> String {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    // Howard Hinnant's algorithm `civil_from_days`.
    let days = (seconds / 86_400) as i64 + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}
