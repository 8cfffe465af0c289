//! All checks, in the order in which they fail fastest.

use crate::step::{cargo, needs_component, show};
use crate::{book, crates, page, python, site};

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if let Some(name) = args.iter().position(|a| a == "--only").and_then(|i| args.get(i + 1)) {
        return only(name);
    }
    needs_component("fmt", "rustfmt")?;
    needs_component("clippy", "clippy")?;
    crates::run(&[])?;
    book::check()?;
    page::browser()?;
    let mut took = vec![("page", page::types()?)];
    let mut step = |name: &'static str, args: &[&str], env: &[(&str, &str)]| -> Result<(), String> {
        let mut command = cargo();
        command.args(args).envs(env.iter().copied());
        if std::env::var_os("CI").is_some() {
            // This build is used only once. Incremental data for another build would cost a tenth of the time.
            command.env("CARGO_INCREMENTAL", "0");
        }
        took.push((name, show(name, &mut command)?));
        Ok(())
    };
    step("format", &["fmt", "--all", "--check"], &[])?;
    step("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"], &[])?;
    step(
        "documentation",
        &["doc", "--workspace", "--no-deps", "--quiet"],
        &[("RUSTDOCFLAGS", "--deny warnings")],
    )?;
    step("tests", &["test", "--workspace"], &[])?;
    let started = std::time::Instant::now();
    if python::test_where_possible()?.is_some() {
        took.push(("python", started.elapsed()));
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
