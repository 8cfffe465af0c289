//! All checks, in the order in which they fail fastest.

use crate::step::{cargo, needs_component, show};
use crate::{page, site};

pub(crate) fn run() -> Result<(), String> {
    needs_component("fmt", "rustfmt")?;
    needs_component("clippy", "clippy")?;
    page::browser()?;
    let mut took = vec![("page", page::types()?)];
    let mut step = |name: &'static str, args: &[&str], env: &[(&str, &str)]| -> Result<(), String> {
        let mut command = cargo();
        command.args(args).envs(env.iter().copied());
        if std::env::var_os("CI").is_some() {
            // Nobody builds there a second time: what is kept for that costs a tenth of the build.
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
    // A first build of the solvers for the browser takes minutes. CI, which always builds anew, leaves it to `cargo xtask prove`.
    match site::compiler() {
        Some(_) if std::env::var_os("CI").is_some() => {}
        Some(compiler) => {
            took.push(("site", site::write(&site::target_folder().join("site"), &compiler)?));
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
