//! Builds the page as a folder of static files for any web server: `cargo xtask site`.
//!
//! The solvers are compiled to WebAssembly, which needs a compiler with that target. If rustup has the target, it is used.
//! Otherwise Debian's `rustc-web` and the sources of the standard library (`rust-web-src`) serve as well.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::prove::Found;
use crate::step::{cargo, has, is_root, root, show, target};

const TARGET: &str = "wasm32-unknown-unknown";
/// The most bytes of all files together, before compression.
const LARGEST: u64 = 3_000_000;
/// The content security policy: own files and own blobs only. A meta element cannot set `frame-ancestors`.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self' blob:; worker-src 'self'; base-uri 'none'; form-action 'none'";
/// Scripts that run in workers, not in the page.
const WORKER_SCRIPTS: [&str; 2] = ["offline.js", "worker.js"];
pub(crate) const MISSING: &str = "the page without a server needs a compiler for wasm32-unknown-unknown. With rustup: rustup target add \
                       wasm32-unknown-unknown. On Debian: apt-get install rustc-web rust-web-src lld-22";

/// The available compilers for the module.
pub(crate) enum Compiler {
    /// The default compiler, with the target installed.
    Installed,
    /// Debian's compiler. It has the sources of the standard library instead of the library.
    Debian { rustc: PathBuf, linker: PathBuf },
}

/// `cargo xtask site [FOLDER]`, `cargo xtask site --speed`.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let speed = args.first().is_some_and(|arg| arg == "--speed");
    let named = args.first().filter(|_| !speed);
    let folder = named.map_or_else(usual_folder, PathBuf::from);
    let compiler = match compiler() {
        Some(compiler) => compiler,
        None => install()?,
    };
    write(&folder, &compiler)?;
    if speed {
        show("the program", cargo().args(["build", "--release", "--package", "beeline-cli"]))?;
        let mut bench = test_command(&["speed", "--ignored", "--nocapture"]);
        bench.env("BEELINE_PROGRAM", target().join("release/beeline"));
        show("speed", &mut bench)?;
    }
    Ok(())
}

/// The compiler that is available, if any.
pub(crate) fn compiler() -> Option<Compiler> {
    let usual = std::env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
    let library = printed(&usual, &["--print", "target-libdir", "--target", TARGET])?;
    if fs::read_dir(&library).is_ok_and(|mut files| files.next().is_some()) {
        return Some(Compiler::Installed);
    }
    // The package has no other name for its compiler, and rustup's usually comes first in the path.
    let rustc = PathBuf::from("/usr/bin/rustc");
    let sources = printed(&rustc, &["--print", "sysroot"])?.join("lib/rustlib/src/rust/library/Cargo.lock");
    let linker = linker(&usual).filter(|_| sources.is_file() && is_new_enough(&rustc))?;
    Some(Compiler::Debian { rustc, linker })
}

/// The linker of the default toolchain, or Debian's. Debian's `rust-lld` is a link into a package that is only recommended.
fn linker(usual: &Path) -> Option<PathBuf> {
    let own = printed(usual, &["--print", "target-libdir"])?.parent()?.join("bin/rust-lld");
    [own, PathBuf::from("/usr/bin/rust-lld")].into_iter().find(|linker| linker.is_file())
}

/// The path in the output of a compiler.
fn printed(rustc: &Path, args: &[&str]) -> Option<PathBuf> {
    let said = Command::new(rustc).args(args).current_dir(root()).output().ok()?;
    said.status.success().then(|| PathBuf::from(String::from_utf8_lossy(&said.stdout).trim()))
}

/// Is the compiler new enough for the workspace's edition and library? Debian's older ones are not.
fn is_new_enough(rustc: &Path) -> bool {
    let Ok(said) = Command::new(rustc).arg("--version").output() else { return false };
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let minor = said.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    minor.is_some_and(|minor| minor >= 95)
}

/// Installs Debian's packages where that is allowed.
fn install() -> Result<Compiler, String> {
    if is_root() && has("apt-get") {
        let mut install = Command::new("apt-get");
        install.env("DEBIAN_FRONTEND", "noninteractive");
        let packages = ["rustc-web", "rust-web-src", "lld-22"];
        show(
            "compiler",
            install.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(packages),
        )
        .map_err(|why| format!("{why}; {MISSING}"))?;
    }
    compiler().ok_or_else(|| MISSING.into())
}

/// Compiles the module, writes the folder and returns the compile time.
pub(crate) fn write(folder: &Path, compiler: &Compiler) -> Result<Duration, String> {
    let mut build = cargo();
    build.args(["build", "--profile", "site", "--package", "beeline-wasm", "--target", TARGET]);
    if let Compiler::Debian { rustc, linker } = compiler {
        build.args(["-Z", "build-std=std,panic_abort"]);
        build.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
        build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    // Without this flag, every address in the code takes five bytes.
    build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-Clink-arg=--compress-relocations");
    let took = show("solvers for the browser", &mut build)?;
    let module = target().join(TARGET).join("site/beeline_wasm.wasm");
    let mut files = page()?;
    let module = fs::read(&module).map_err(|e| format!("cannot read {}: {e}", module.display()))?;
    files.push(("beeline.wasm".to_owned(), module));
    finish(&mut files)?;
    put(folder, &files)?;
    let total: u64 = files.iter().map(|(_, content)| content.len() as u64).sum();
    eprintln!("\n{} files, {total} bytes, in {}", files.len(), folder.display());
    if total > LARGEST {
        return Err(format!("the page has {total} bytes; at most {LARGEST} are wanted"));
    }
    Ok(took)
}

/// Tests the folder in a browser.
pub(crate) fn test() -> Result<Duration, String> {
    show("site in a browser", &mut test_command(&[]))
}

fn test_command(more: &[&str]) -> Command {
    let mut test = cargo();
    test.args(["test", "--package", "beeline-web", "--features", "site", "--test", "site"]);
    test.env("BEELINE_SITE", usual_folder());
    // Tables in the user's cache would change the native solver's search, so that it would differ from the browser's.
    test.env("BEELINE_CACHE", target().join("no-tables"));
    test.arg("--").args(more);
    test
}

/// Writes and tests the folder, where there is a compiler for it.
pub(crate) fn prove() -> Found {
    let Some(compiler) = compiler() else { return Found::NotHere(MISSING.into()) };
    match write(&usual_folder(), &compiler).and_then(|_| test()) {
        Ok(_) => Found::Passed("the browser found the plans and the figures of the native solvers".into()),
        Err(why) => Found::Failed(why),
    }
}

/// The page's files: names and contents.
type Page = Vec<(String, Vec<u8>)>;

/// The page's files as the server has them.
fn page() -> Result<Page, String> {
    let folder = root().join("crates/web/page");
    let fault = |e: std::io::Error| format!("cannot read {}: {e}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        files.push((name, fs::read(&path).map_err(fault)?));
    }
    files.sort();
    Ok(files)
}

/// Sets the page to solve in the browser, and gives the service worker its list of files.
fn finish(files: &mut Page) -> Result<(), String> {
    let preloads = preload_links(files);
    change(
        files,
        "index.html",
        &[(
            "<meta name=\"solver\" content=\"server\">",
            &format!(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<meta name=\"solver\" content=\"browser\">\n{preloads}"
            ),
        )],
    )?;
    let mut hash = Hash::default();
    let mut names = vec!["\"./\"".to_owned()];
    for (name, content) in files.iter() {
        hash.add(name.as_bytes());
        hash.add(content);
        if name != "offline.js" {
            names.push(format!("{:?}", format!("./{name}")));
        }
    }
    change(
        files,
        "offline.js",
        &[
            ("const VERSION = \"0\";", &format!("const VERSION = \"{:016x}\";", hash.0)),
            ("const FILES = [];", &format!("const FILES = [{}];", names.join(", "))),
        ],
    )
}

/// The links that make the browser fetch the module and the scripts at once. Otherwise it would find each script only when
/// another one has arrived.
fn preload_links(files: &Page) -> String {
    let scripts = files
        .iter()
        .map(|(name, _)| name)
        .filter(|name| name.rsplit_once('.').is_some_and(|(_, end)| end == "js"));
    let scripts = scripts.filter(|name| !WORKER_SCRIPTS.contains(&name.as_str()));
    let scripts = scripts.map(|name| format!("<link rel=\"modulepreload\" href=\"./{name}\">"));
    let module =
        "<link rel=\"preload\" href=\"./beeline.wasm\" as=\"fetch\" type=\"application/wasm\" crossorigin>";
    [module.to_owned()].into_iter().chain(scripts).collect::<Vec<_>>().join("\n")
}

fn change(files: &mut Page, name: &str, changes: &[(&str, &str)]) -> Result<(), String> {
    let file =
        files.iter_mut().find(|(known, _)| known == name).ok_or_else(|| format!("{name} is missing"))?;
    let mut text =
        String::from_utf8(std::mem::take(&mut file.1)).map_err(|_| format!("{name} is no text"))?;
    for (old, new) in changes {
        if !text.contains(old) {
            return Err(format!("{name} has no {old}"));
        }
        text = text.replace(old, new);
    }
    file.1 = text.into_bytes();
    Ok(())
}

fn put(folder: &Path, files: &Page) -> Result<(), String> {
    let fault = |e: std::io::Error| format!("cannot write {}: {e}", folder.display());
    fs::create_dir_all(folder).map_err(fault)?;
    for (name, content) in files {
        fs::write(folder.join(name), content).map_err(fault)?;
    }
    Ok(())
}

/// FNV-1a. The hash of all files identifies the version of the page.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The default folder of the page. It is not `target/site`, where cargo builds the profile `site`.
pub(crate) fn usual_folder() -> PathBuf {
    target().join("page")
}
