//! All checks, in the order in which they fail fastest.

use std::panic::resume_unwind;
use std::thread::{self, JoinHandle};

use crate::step::{cargo, for_one_build, needs_component, show};
use crate::{book, crates, page, programs, python, site};

/// The tests that play in a browser. `cargo test` leaves them out, so that it needs no browser.
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
    let (programs, time) = programs::build()?;
    took.push(("build of the tests", time));
    let browser_tests = || {
        let mut command = cargo();
        for_one_build(&mut command).args(BROWSER_TESTS);
        command
    };
    took.push((
        "build for a browser",
        show("build for a browser", browser_tests().args(["--no-run", "--quiet"]))?,
    ));
    let wheel = match joined(python) {
        Ok(()) => {
            let (wheel, time) = python::build_for_tests()?;
            took.push(("wheel", time));
            Some(wheel)
        }
        Err(missing) => {
            eprintln!("\nThe Python package was not tested: {missing}");
            None
        }
    };
    // The tests in a browser mostly wait, and those of Python and of the documents are one process each.
    let (tests, beside) = thread::scope(|scope| {
        let beside = scope.spawn(|| {
            let browser = show("tests in a browser", &mut browser_tests())?;
            let documents = show(
                "tests in documents",
                for_one_build(&mut cargo()).args(["test", "--workspace", "--doc", "--quiet"]),
            )?;
            let python = wheel.map(|wheel| python::test_wheel(&wheel)).transpose()?;
            Ok::<_, String>((browser, documents, python))
        });
        (programs::run(programs), beside.join())
    });
    let (browser, documents, python) = beside.unwrap_or_else(|panic| resume_unwind(panic))?;
    took.extend([("tests", tests?), ("tests in a browser", browser), ("tests in documents", documents)]);
    took.extend(python.map(|time| ("python", time)));
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
        eprintln!("{:>18} {:>7.1} s", name, time.as_secs_f64());
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
