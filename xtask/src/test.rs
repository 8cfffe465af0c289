//! All checks, in the order in which they fail fastest.

use std::panic::resume_unwind;
use std::thread::{self, JoinHandle};

use crate::step::{cargo, for_one_build, needs_component, show};
use crate::{book, crates, page, python, site};

/// The tests that play in a browser. They are not among those of `cargo test`, so that it needs no browser.
const BROWSER_TESTS: [&str; 4] = ["test", "--workspace", "--test", "browser"];

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if let Some(name) = args.iter().position(|a| a == "--only").and_then(|i| args.get(i + 1)) {
        return only(name);
    }
    needs_component("fmt", "rustfmt")?;
    needs_component("clippy", "clippy")?;
    crates::run(&[])?;
    book::check()?;
    // The network works beside the compiler. Each thread is joined where its result is needed.
    let browser = thread::spawn(page::browser);
    let python = thread::spawn(python::environment);
    let mut took = vec![("page", page::types()?)];
    let mut step = |name: &'static str, args: &[&str], env: &[(&str, &str)]| -> Result<(), String> {
        took.push((name, show(name, for_one_build(&mut cargo()).args(args).envs(env.iter().copied()))?));
        Ok(())
    };
    step("format", &["fmt", "--all", "--check"], &[])?;
    step("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"], &[])?;
    step(
        "documentation",
        &["doc", "--workspace", "--no-deps", "--quiet"],
        &[("RUSTDOCFLAGS", "--deny warnings")],
    )?;
    joined(browser)?;
    step("build of the tests", &["test", "--workspace", "--no-run", "--quiet"], &[])?;
    step("build for a browser", &[&BROWSER_TESTS[..], &["--no-run", "--quiet"]].concat(), &[])?;
    let wheel = match joined(python) {
        Ok(()) => Some(python::build_for_tests()?),
        Err(missing) => {
            eprintln!("\nThe Python package was not tested: {missing}");
            None
        }
    };
    // pytest is one process, and the browser's tests mostly wait, so both run beside the other tests.
    let (tests, browser, python) = thread::scope(|scope| {
        let python = scope.spawn(|| wheel.map(|wheel| python::test_wheel(&wheel)).transpose());
        let browser =
            scope.spawn(|| show("tests in a browser", for_one_build(&mut cargo()).args(BROWSER_TESTS)));
        let tests = show("tests", for_one_build(&mut cargo()).args(["test", "--workspace"]));
        (tests, browser.join(), python.join())
    });
    took.push(("tests", tests?));
    took.push(("tests in a browser", browser.unwrap_or_else(|panic| resume_unwind(panic))?));
    if let Some(time) = python.unwrap_or_else(|panic| resume_unwind(panic))? {
        took.push(("python", time));
    }
    // A first build of the solvers for the browser takes minutes. CI always builds anew and leaves it to `cargo xtask prove`.
    match site::compiler() {
        Some(_) if std::env::var_os("CI").is_some() => {}
        Some(compiler) => {
            took.push(("site", site::write(&site::usual_folder(), &compiler)?));
            took.push(("site in a browser", site::test()?));
        }
        None => eprintln!("\nThe page without a server was not tested: {}", site::MISSING),
    }
    eprintln!("\nAll checks passed:");
    for (name, time) in took {
        eprintln!("{:>14} {:>7.1} s", name, time.as_secs_f64());
    }
    Ok(())
}

/// The result of a thread.
fn joined<T>(thread: JoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Format, lints and tests of one crate, for use between two edits.
fn only(name: &str) -> Result<(), String> {
    let package = format!("beeline-{name}");
    show("format", cargo().args(["fmt", "--check", "--package", &package]))?;
    show(
        "lints",
        cargo().args([
            "clippy",
            "--all-targets",
            "--quiet",
            "--package",
            &package,
            "--",
            "--deny",
            "warnings",
        ]),
    )?;
    show("tests", cargo().args(["test", "--package", &package]))?;
    Ok(())
}
