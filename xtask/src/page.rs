//! Checks of the page: TypeScript checks its types, and a browser runs it. Both tools are fetched where they are missing and
//! fetching is allowed.

use std::process::Command;
use std::time::Duration;

use crate::step::{has, is_root, root, show, target};

const BROWSER: &str = "the browser tests need Chromium and ChromeDriver; on Debian: apt-get install chromium chromium-driver; \
                       elsewhere install both and set BEELINE_CHROMIUM and BEELINE_CHROMEDRIVER to where they are";

/// Checks the types of the page's modules. npm fetches TypeScript, in the locked version, into the target folder.
pub(crate) fn types() -> Result<Duration, String> {
    if !has("npm") || !has("node") {
        return Err("the types of the page are checked by TypeScript, which needs Node.js and npm; on Debian: apt-get \
                    install nodejs npm"
            .into());
    }
    let home = root().join("crates/web/types");
    let folder = target().join("page-types");
    std::fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let compiler = folder.join("node_modules/typescript/bin/tsc");
    let mut fresh = compiler.is_file();
    for name in ["package.json", "package-lock.json"] {
        let wanted = std::fs::read(home.join(name)).map_err(|e| format!("cannot read {name}: {e}"))?;
        if std::fs::read(folder.join(name)).ok().as_ref() != Some(&wanted) {
            fresh = false;
            std::fs::write(folder.join(name), wanted).map_err(|e| format!("cannot write {name}: {e}"))?;
        }
    }
    if !fresh {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&folder);
        show("TypeScript", &mut npm)?;
    }
    let mut check = Command::new("node");
    check.arg(compiler).arg("--project").arg(home.join("tsconfig.json"));
    show("types of the page", &mut check)
}

/// Makes sure that there is a browser, or says what is missing.
pub(crate) fn browser() -> Result<(), String> {
    let given = |name: &str| std::env::var_os(name).is_some();
    let here = || {
        let chromium = ["chromium", "chromium-browser", "google-chrome"].iter().any(|name| has(name));
        (given("BEELINE_CHROMIUM") || chromium) && (given("BEELINE_CHROMEDRIVER") || has("chromedriver"))
    };
    if here() {
        return Ok(());
    }
    // Only root may install packages, and only Debian and its derivatives have this command.
    if is_root() && has("apt-get") {
        let mut update = Command::new("apt-get");
        show("package lists", update.args(["update", "--quiet"]))?;
        let mut install = Command::new("apt-get");
        install.env("DEBIAN_FRONTEND", "noninteractive");
        show(
            "browser",
            install.args([
                "install",
                "--yes",
                "--quiet",
                "--no-install-recommends",
                "chromium",
                "chromium-driver",
            ]),
        )?;
    }
    if here() { Ok(()) } else { Err(BROWSER.into()) }
}
