//! The real process: pipes that close, a terminal, Ctrl-C.
//!
//! The terminal tests run this test binary again, as the command with the toy puzzles, because only those can be made
//! to search for ever.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::{harness::Folder, toy};

const REAL: &str = env!("CARGO_BIN_EXE_beeline");

/// Not a test: the child process of the tests below.
#[test]
#[ignore = "the child process of the terminal tests"]
fn child() {
    let Some(args) = std::env::var_os("BEELINE_TEST_CHILD") else { return };
    let args = args.to_str().expect("plain arguments").split('\n').map(Into::into);
    let code = beeline_cli::commands::main_with(std::iter::once("beeline".into()).chain(args), toy::WORLD);
    std::process::exit(code.code().into());
}

/// With one thread, the harness would write the test's name into the child's first line.
const CHILD: [&str; 5] = ["--exact", "process::child", "--ignored", "--nocapture", "--test-threads=2"];

/// A command on its own terminal.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: mpsc::Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    fn open(args: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(std::env::current_exe().expect("this program"));
        command.args(CHILD);
        command.env("BEELINE_TEST_CHILD", args.join("\n"));
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).expect("the child");
        let keys = pair.master.take_writer().expect("its keyboard");
        let mut screen = pair.master.try_clone_reader().expect("its screen");
        let (sender, output) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, master: pair.master, keys, output, seen: String::new() }
    }

    /// Reads until the screen has shown this text.
    fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + Duration::from_secs(45);
        while !self.seen.contains(text) {
            let left = end.saturating_duration_since(Instant::now());
            let bytes = self.output.recv_timeout(left);
            let bytes =
                bytes.unwrap_or_else(|_| panic!("{text:?} did not come; the screen: {:?}", self.seen));
            self.seen += &String::from_utf8_lossy(&bytes);
        }
    }

    fn press(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).and_then(|()| self.keys.flush()).expect("the keyboard works");
    }

    /// Waits for the end, and returns the exit code and everything that was shown.
    fn finish(mut self) -> (u32, String) {
        let code = self.child.wait().expect("the child ends").exit_code();
        drop(self.master);
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_secs(1)) {
            self.seen += &String::from_utf8_lossy(&bytes);
        }
        (code, self.seen)
    }
}

#[test]
fn on_a_terminal_progress_shows_and_ctrl_c_ends_the_search() {
    let folder = Folder::new("ctrl-c");
    let puzzle = folder.file("endless.txt", "toy endless\ntoy walk 3\n");
    let mut terminal = Terminal::open(&["solve", &puzzle]);
    terminal.wait_for("Ctrl-C stops");
    assert!(terminal.seen.contains("\r\x1b[2K") && terminal.seen.contains("bound 1"), "{:?}", terminal.seen);
    terminal.press(b"\x03");
    let (code, seen) = terminal.finish();
    assert_eq!(code, 23, "{seen}");
    assert!(seen.contains("interrupted") && seen.contains("expanded"), "what was reached is shown: {seen}");
    assert!(!seen.contains("#2"), "the next puzzle is not begun: {seen}");
    let last = seen.rfind("Ctrl-C stops").unwrap();
    assert!(seen[last..].contains("\r\x1b[2K"), "the progress line is taken back: {seen:?}");
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let folder = Folder::new("twice");
    let mut terminal = Terminal::open(&["solve", &folder.file("deaf.txt", "toy deaf\n")]);
    terminal.wait_for("Ctrl-C stops");
    terminal.press(b"\x03");
    std::thread::sleep(Duration::from_millis(200));
    assert!(terminal.child.try_wait().expect("the child can be asked").is_none(), "the first one only asks");
    terminal.press(b"\x03");
    assert_eq!(terminal.finish().0, 23);
}

/// A child process with the toys, with pipes.
fn toys(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(CHILD).env("BEELINE_TEST_CHILD", args.join("\n"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a toy that hangs on purpose: its word, and the arguments after the file.
fn hang(word: &str, more: &[&str]) -> std::process::Output {
    let folder = Folder::new(&format!("hang-{word}{}", more.concat()));
    let puzzle = folder.file("hang.txt", format!("toy {word} 6\n"));
    toys(&[&["solve", &puzzle], more].concat()).output().expect("the child")
}

#[test]
fn a_search_that_ignores_its_time_limit_is_ended_and_told() {
    for (word, known) in [("deaf", "77 expanded, depth 5, bound 4"), ("deadlock", "a plan of cost 6")] {
        let output = hang(word, &["--time", "100ms"]);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(39), "{out}{err}");
        assert!(err.contains("the search hangs") && err.contains("its time limit"), "{err}");
        assert!(err.replace("\n  ", " ").contains(known), "{err}");
    }
}

#[test]
fn in_json_too() {
    let output = hang("deaf", &["--time", "100ms", "--json"]);
    assert_eq!(output.status.code(), Some(39));
    let out = String::from_utf8_lossy(&output.stdout);
    let line = out.lines().find(|line| line.starts_with('{')).expect("an object");
    let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
    assert_eq!((&record["schema"], &record["command"]), (&"beeline/1".into(), &"solve".into()));
    assert_eq!((&record["verdict"], &record["reason"]), (&"error".into(), &"hung".into()));
    assert_eq!((&record["exit"], &record["stats"]["expanded"]), (&39.into(), &77.into()));
    assert!(record["source"].as_str().is_some_and(|source| source.ends_with("hang.txt")));
}

#[test]
fn a_terminal_is_given_back_by_the_watchdog() {
    let folder = Folder::new("hang-watch");
    let mut terminal = Terminal::open(&["watch", &folder.file("hang.txt", "toy deadlock\n")]);
    terminal.wait_for("\x1b[?1049h");
    terminal.wait_for("stop and leave");
    terminal.press(b"q");
    let (code, seen) = terminal.finish();
    assert_eq!(code, 39, "{seen:?}");
    let back = seen.rfind("\x1b[?1049l").expect("the ordinary screen comes back");
    assert!(seen[back..].contains("the search hangs"), "{seen:?}");
}

#[cfg(unix)]
mod signals {
    use super::*;

    /// Sends a signal.
    fn send(signal: &str, child: &std::process::Child) {
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
        assert!(kill.success());
    }

    /// Waits for the end, with a time limit.
    fn code(mut child: std::process::Child) -> Option<i32> {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            if let Some(status) = child.try_wait().expect("the child can be asked") {
                return status.code();
            }
            if Instant::now() > deadline {
                child.kill().expect("it runs");
                panic!("the process does not end");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Starts a toy and gives it time to reach the state under test.
    fn started(args: &[&str]) -> std::process::Child {
        let child = toys(args).spawn().expect("the child");
        std::thread::sleep(Duration::from_millis(400));
        child
    }

    #[test]
    fn two_of_any_kind_end_a_search_that_hears_nothing() {
        let folder = Folder::new("signals");
        let puzzle = folder.file("deaf.txt", "toy deadlock\n");
        let pairs = [("-INT", "-INT"), ("-INT", "-TERM"), ("-TERM", "-TERM"), ("-TERM", "-INT")];
        let children = pairs.map(|_| toys(&["solve", &puzzle]).spawn().unwrap());
        std::thread::sleep(Duration::from_millis(500));
        for ((first, second), child) in pairs.into_iter().zip(children) {
            send(first, &child);
            // Not its echo.
            std::thread::sleep(Duration::from_millis(200));
            send(second, &child);
            assert_eq!(code(child), Some(23), "{first} {second}");
        }
    }

    #[test]
    fn one_ends_it_too_by_the_watchdog() {
        let folder = Folder::new("signal");
        let child = started(&["solve", &folder.file("deaf.txt", "toy deadlock\n")]);
        send("-TERM", &child);
        assert_eq!(code(child), Some(39));
    }

    #[test]
    fn one_ends_a_process_whose_output_nobody_reads() {
        let folder = Folder::new("full-pipe");
        // A plan that exceeds the buffer of a pipe.
        let child = started(&["solve", &folder.file("long.txt", "toy walk 300000\n"), "--quiet"]);
        send("-TERM", &child);
        assert_eq!(code(child), Some(23));
    }

    #[test]
    fn one_ends_a_process_that_waits_for_its_input() {
        let mut command = toys(&["solve", "-"]);
        let child = command.stdin(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(400));
        send("-TERM", &child);
        assert_eq!(code(child), Some(23));
    }
}

#[test]
fn a_pipe_that_nobody_reads_is_no_hang() {
    let folder = Folder::new("slow-reader");
    let puzzle = folder.file("long.txt", "toy walk 300000\n");
    let mut child = toys(&["solve", &puzzle, "--quiet", "--time", "1ms"]).spawn().unwrap();
    // The pause is longer than the grace period. A slow reader still gets everything.
    std::thread::sleep(Duration::from_millis(900));
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(out.len() > 300_000);
}

#[test]
fn on_a_terminal_boards_are_in_colour() {
    let (code, seen) = Terminal::open(&["solve", "toy-first"]).finish();
    assert_eq!(code, 0);
    assert!(seen.contains("\x1b[0;48;5;"), "{seen:?}");
    assert!(!seen.contains("Ctrl-C stops"), "short searches show no progress: {seen:?}");
}

#[test]
fn ctrl_c_while_nothing_is_searched_ends_at_once() {
    let mut terminal = Terminal::open(&["solve", "-"]);
    terminal.wait_for("running 1 test");
    // The handler is installed when the child reads its input. Give it time to get there.
    std::thread::sleep(Duration::from_millis(300));
    terminal.press(b"\x03");
    assert_eq!(terminal.finish().0, 23);
}

#[test]
fn after_a_fault_the_terminal_is_given_back_and_the_fault_is_told_there() {
    let folder = Folder::new("fault");
    let mut terminal = Terminal::open(&["play", &folder.file("panic.txt", "toy panic\n")]);
    // The search in the background failed as well, but the game continues.
    terminal.wait_for("known");
    terminal.press(b"\x1b[C");
    terminal.wait_for("last");
    terminal.press(b"\x1b[D");
    let (code, seen) = terminal.finish();
    assert_eq!(code, 39, "{seen}");
    let back = seen.rfind("\x1b[?1049l").expect("the ordinary screen comes back");
    assert!(seen[back..].contains("internal error: the toy tripped"), "{seen:?}");
}

#[test]
fn in_a_pipe_there_is_no_progress_and_no_colour() {
    let folder = Folder::new("pipe");
    let puzzle = folder.file("endless.txt", "toy endless\n");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(CHILD)
        .env("BEELINE_TEST_CHILD", format!("solve\n{puzzle}\n--time\n1500ms"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(20));
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(!out.contains('\x1b') && out.contains("the time limit was reached"), "{out:?}");
    assert_eq!(err, "", "nothing on standard error");
}

#[cfg(unix)]
#[test]
fn a_sigterm_is_heard_and_its_echo_is_not() {
    let folder = Folder::new("sigterm");
    let puzzle = folder.file("endless.txt", "toy endless\n");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(CHILD)
        .env("BEELINE_TEST_CHILD", format!("solve\n{puzzle}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    // `timeout` sends its signal to the process, and at once again to the group.
    let twice = format!("kill {0} && for i in 1 2 3; do kill {0}; done; true", child.id());
    assert!(Command::new("sh").args(["-c", &twice]).stderr(Stdio::null()).status().unwrap().success());
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(23));
    assert!(out.contains("interrupted"), "{out}");
}

#[test]
fn a_closed_pipe_is_quiet() {
    for args in [&["list", "--json"][..], &["completions", "bash"], &["man"], &["help"]] {
        let mut child =
            Command::new(REAL).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn the_real_command_returns_its_codes() {
    let code = |args: &[&str]| Command::new(REAL).args(args).output().unwrap().status.code();
    assert_eq!(code(&["--version"]), Some(0));
    assert_eq!(code(&["solve", "/no/such/file"]), Some(31));
    assert_eq!(code(&["slove"]), Some(30));
}

#[test]
fn no_color_is_honoured() {
    let on = |no_color: &str| {
        let out =
            Command::new(REAL).args(["list", "--color", "auto"]).env("NO_COLOR", no_color).output().unwrap();
        String::from_utf8(out.stdout).unwrap()
    };
    assert!(!on("1").contains('\x1b') && !on("").contains('\x1b'));
}

#[test]
fn the_page_is_served_until_ctrl_c() {
    let mut terminal = Terminal::open(&["serve", "--port", "0"]);
    terminal.wait_for("Ctrl-C ends it");
    let (_, rest) = terminal.seen.split_once("http://").expect("an address");
    let address = rest.split('/').next().expect("an address").to_owned();
    assert!(address.starts_with("127.0.0.1:"), "only this machine: {address}");
    let mut visit = std::net::TcpStream::connect(&address).expect("it listens");
    visit
        .write_all(format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())
        .expect("it reads");
    let mut page = String::new();
    visit.read_to_string(&mut page).expect("it answers");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Beeline</title>"), "{page}");
    terminal.press(b"\x03");
    let (code, _) = terminal.finish();
    assert_eq!(code, 0);
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its number").port().to_string();
    let output = Command::new(REAL).args(["serve", "--port", &port]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(30));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot listen on 127.0.0.1:"));
}

#[test]
fn tables_are_built_listed_and_deleted() {
    let folder = std::env::temp_dir().join(format!("beeline-cache-{}", std::process::id()));
    let tables = |args: &[&str]| {
        let mut command = Command::new(REAL);
        command.args(["tiles", "tables"]).args(args).env("BEELINE_CACHE", &folder);
        let output = command.output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (output.status.code(), text)
    };
    let line = |text: &str| text.lines().find(|l| l.starts_with("4-4 ")).unwrap().to_owned();
    let (code, text) = tables(&[]);
    assert_eq!(code, Some(0));
    assert!(line(&text).contains(" no "), "{text}");
    let (code, text) = tables(&["build", "4-4"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("4-4: "), "{text}");
    let (_, text) = tables(&["list", "4-4"]);
    assert!(line(&text).contains("KiB"), "{text}");
    let (code, text) = tables(&["delete", "4-4"]);
    assert_eq!((code, text.contains("2 files deleted")), (Some(0), true), "{text}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    assert_eq!(tables(&["build"]).0, Some(30), "what to build must be said");
    assert_eq!(tables(&["build", "4-5"]).0, Some(30));
    std::fs::remove_dir(&folder).unwrap();
}
