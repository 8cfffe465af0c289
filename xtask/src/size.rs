//! `cargo xtask size`: the sizes of the six binaries and the largest parts of `beeline`. `--build` also measures how long they
//! take to build.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::dist::PROGRAMS;
use crate::step::{cargo, has, show, target};

/// The most bytes of `beeline`, and of all six binaries together, which a user downloads or links.
const BEELINE: u64 = 15_000_000;
const TOGETHER: u64 = 40_000_000;

/// Rows of each table.
const SHOWN: usize = 25;

/// `cargo xtask size`: fails if a size limit is exceeded.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if let Some(other) = args.iter().find(|arg| *arg != "--build") {
        return Err(format!("size has no option {other}"));
    }
    for tool in ["nm", "strip"] {
        if !has(tool) {
            return Err(format!("{tool} is not here; on Debian: apt-get install binutils"));
        }
    }
    let mut missed = Vec::new();
    if !args.is_empty() {
        #[cfg(unix)]
        missed.extend(clean::builds()?);
        #[cfg(not(unix))]
        return Err("--build measures processor time, which it can only on Unix".into());
    }
    // The code of a release build, with the symbol names that `nm` reads.
    show("build", cargo().args(["build", "--profile", "profiling", "--package", "beeline-cli", "--bins"]))?;
    let folder = target().join("profiling");
    let mut sizes = Vec::new();
    for name in PROGRAMS {
        sizes.push((name, stripped(&folder.join(name))?));
    }
    let all = sizes.iter().map(|(_, bytes)| bytes).sum();
    println!("\n{:>9}  binary, stripped", "bytes");
    for (name, bytes) in &sizes {
        println!("{bytes:>9}  {name}");
    }
    println!("{all:>9}  together\n");
    for (what, bytes, most) in [("beeline", sizes[0].1, BEELINE), ("the six binaries", all, TOGETHER)] {
        if bytes > most {
            missed.push(format!("{what}: {bytes} bytes, and {most} are allowed"));
        }
    }
    let symbols = symbols(&folder.join("beeline"))?;
    table("crate", &sum(&symbols, |name| crate_of(name).to_owned()));
    table("function, with its copies for other types", &sum(&symbols, generic));
    if missed.is_empty() { Ok(()) } else { Err(missed.join("\n       ")) }
}

/// The size of a binary without its symbols.
fn stripped(binary: &Path) -> Result<u64, String> {
    let bare = binary.with_extension("stripped");
    let mut strip = Command::new("strip");
    let status = strip.arg("-o").arg(&bare).arg(binary).status().map_err(|e| format!("strip: {e}"))?;
    if !status.success() {
        return Err(format!("cannot strip {}", binary.display()));
    }
    let bytes = fs::metadata(&bare).map_err(|e| format!("{}: {e}", bare.display()))?.len();
    fs::remove_file(&bare).map_err(|e| format!("{}: {e}", bare.display()))?;
    Ok(bytes)
}

/// The symbols of a binary with their sizes.
fn symbols(binary: &Path) -> Result<Vec<(String, u64)>, String> {
    let mut nm = Command::new("nm");
    let output = nm.args(["--print-size", "--radix=d", "--demangle"]).arg(binary).output();
    let output = output.map_err(|e| format!("nm: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let found: Vec<_> = text.lines().filter_map(symbol).collect();
    if found.is_empty() { Err(format!("{} has no symbols", binary.display())) } else { Ok(found) }
}

/// Parses a line of `nm`: address, size, type, name. Symbols without a size, or without space in the file, are left out.
fn symbol(line: &str) -> Option<(String, u64)> {
    let mut words = line.splitn(4, ' ');
    let (_address, size, sort, name) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let in_file = !matches!(sort, "b" | "B" | "U");
    let size = size.parse().ok().filter(|_| in_file)?;
    Some((name.to_owned(), size))
}

/// The crate of a symbol: the first word of its path. For a method `<crate::Type as ...>::name`, it is the type's crate.
fn crate_of(name: &str) -> &str {
    let path = name.trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
    let path = ["dyn ", "mut ", "impl "].iter().fold(path, |path, word| path.trim_start_matches(word));
    let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(path.len());
    if path[end..].starts_with("::") { &path[..end] } else { "other" }
}

/// The name that all instances of a generic function share, without the hash and without generic arguments.
fn generic(name: &str) -> String {
    let name = match name.rsplit_once("::h") {
        Some((path, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => path,
        _ => name,
    };
    let mut out = String::new();
    let mut depth = 0;
    for (at, c) in name.char_indices() {
        // The angle of `<Type as Trait>::method` begins no list of arguments.
        match c {
            '<' if at > 0 || depth > 0 => depth += 1,
            '>' if depth > 0 && !name[..at].ends_with('-') => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out.trim_end_matches("::").to_owned()
}

/// Sums bytes and symbols by a key of their names, the largest first.
fn sum(symbols: &[(String, u64)], key: impl Fn(&str) -> String) -> Vec<(String, u64, usize)> {
    let mut sums: BTreeMap<String, (u64, usize)> = BTreeMap::new();
    for (name, size) in symbols {
        let sum = sums.entry(key(name)).or_default();
        *sum = (sum.0 + size, sum.1 + 1);
    }
    let mut rows: Vec<_> = sums.into_iter().map(|(name, (bytes, count))| (name, bytes, count)).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.1));
    rows
}

fn table(what: &str, rows: &[(String, u64, usize)]) {
    println!("{:>9} {:>7}  {what}", "bytes", "symbols");
    for (name, bytes, count) in rows.iter().take(SHOWN) {
        println!("{bytes:>9} {count:>7}  {name}");
    }
    println!();
}

/// Builds from scratch, as a user builds.
#[cfg(unix)]
mod clean {
    use super::{cargo, fs, target};
    use crate::figures::wait;

    /// What is built, and the most seconds of wall time and of processor time on two cores.
    const BUILDS: [(&str, &[&str], u64, Option<u64>); 2] = [
        ("cargo build --release", &["build", "--release"], 180, Some(330)),
        (
            "the bare solver",
            &["build", "--release", "--package", "beeline-cli", "--no-default-features"],
            90,
            None,
        ),
    ];

    /// Prints how long each build took, and returns the limits that were exceeded.
    pub(super) fn builds() -> Result<Vec<String>, String> {
        let mut missed = Vec::new();
        let folder = target().join("size");
        println!("{:>6} {:>6}  build from nothing", "clock", "CPU");
        for (name, args, clock, most_cpu) in BUILDS {
            if folder.exists() {
                fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            }
            let mut command = cargo();
            command.args(args).env("CARGO_TARGET_DIR", &folder);
            let took = wait(&mut command)?;
            let (wall, cpu) = (took.wall.as_secs(), took.cpu.as_secs());
            println!("{wall:>4} s {cpu:>4} s  {name}");
            if wall > clock || most_cpu.is_some_and(|most| cpu > most) {
                let most = most_cpu.map_or_else(String::new, |most| format!(", {most} s of processor time"));
                missed.push(format!(
                    "{name}: {wall} s, {cpu} s of processor time; {clock} s{most} are allowed"
                ));
            }
        }
        fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(missed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_read() {
        let line = "0000000000012345 0000000000000678 t beeline_search::graph::search::h0123456789abcdef";
        assert_eq!(symbol(line), Some(("beeline_search::graph::search::h0123456789abcdef".into(), 678)));
        assert_eq!(symbol("                                 U malloc"), None);
        assert_eq!(symbol("0000000000012345 0000000000000678 b a::STATIC"), None);
    }

    #[test]
    fn copies_share_a_name() {
        for (name, of, shared) in [
            (
                "beeline_search::graph::search::h0123456789abcdef",
                "beeline_search",
                "beeline_search::graph::search",
            ),
            (
                "beeline_search::graph::search::<a::B, c::D<e::F>>",
                "beeline_search",
                "beeline_search::graph::search",
            ),
            ("<a::B as c::D>::go", "a", "<a::B as c::D>::go"),
            ("<&mut a::B<u8> as c::D<u8>>::go::hfedcba9876543210", "a", "<&mut a::B as c::D>::go"),
            ("main", "other", "main"),
        ] {
            assert_eq!((crate_of(name), generic(name).as_str()), (of, shared), "{name}");
        }
    }
}
