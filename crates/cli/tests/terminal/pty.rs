//! A program on its own terminal. Tests read its screen and press its keys.
//!
//! Nothing here sleeps: a test states what it waits for, and reads until the screen shows it.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::{Color, MouseProtocolMode, Parser, Screen};

pub(crate) const BEELINE: &str = env!("CARGO_BIN_EXE_beeline");

/// A timeout that is long enough for any machine. A passing test never waits for it.
const PATIENCE: Duration = Duration::from_secs(90);

const FRAME_BEGINS: &[u8] = b"\x1b[?2026h";
const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

pub(crate) const UP: &str = "\x1b[A";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const RIGHT: &str = "\x1b[C";
pub(crate) const LEFT: &str = "\x1b[D";
pub(crate) const BACKSPACE: &str = "\x7f";

/// A running program.
pub(crate) struct Pty {
    pub(crate) child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    pub(crate) terminal: Parser,
    /// The last bytes that were read, and whether they are inside a frame.
    recent: Vec<u8>,
    inside: bool,
    /// The settings of the terminal before the program started.
    terminal_settings: String,
}

/// The configuration of a program to start.
pub(crate) struct Start<'a> {
    pub(crate) program: &'a str,
    pub(crate) args: Vec<String>,
    pub(crate) size: (u16, u16),
    pub(crate) env: Vec<(&'a str, &'a str)>,
    pub(crate) folder: Option<&'a Path>,
}

impl<'a> Start<'a> {
    /// `beeline` with these arguments, on a terminal of 80 columns and 24 lines with all colours.
    pub(crate) fn beeline(args: &[&str]) -> Self {
        Self::program(BEELINE, args)
    }

    pub(crate) fn program(program: &'a str, args: &[&str]) -> Self {
        let args = args.iter().map(|&a| a.to_owned()).collect();
        let env = vec![("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")];
        Self { program, args, size: (80, 24), env, folder: None }
    }

    pub(crate) fn size(self, columns: u16, lines: u16) -> Self {
        Self { size: (columns, lines), ..self }
    }

    pub(crate) fn env(mut self, name: &'a str, value: &'a str) -> Self {
        self.env.push((name, value));
        self
    }

    pub(crate) fn open(self) -> Pty {
        let (columns, lines) = self.size;
        let pair = native_pty_system().openpty(pty_size(columns, lines)).expect("a pseudo-terminal");
        let terminal_settings = terminal_settings(&*pair.master);
        let mut command = CommandBuilder::new(self.program);
        command.args(&self.args);
        for name in ["NO_COLOR", "LC_ALL", "LC_CTYPE"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color");
        for (name, value) in self.env {
            command.env(name, value);
        }
        if let Some(folder) = self.folder {
            command.cwd(folder);
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let keys = pair.master.take_writer().expect("its keyboard");
        let mut screen = pair.master.try_clone_reader().expect("its screen");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let terminal = Parser::new(positive(lines), positive(columns), 0);
        Pty {
            child,
            master: pair.master,
            keys,
            output,
            terminal,
            recent: Vec::new(),
            inside: false,
            terminal_settings,
        }
    }
}

fn positive(length: u16) -> NonZeroU16 {
    NonZeroU16::new(length).expect("windows are not empty")
}

fn pty_size(columns: u16, lines: u16) -> PtySize {
    PtySize { rows: lines, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// The settings of the terminal: echo, lines, signals.
fn terminal_settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios())
}

impl Pty {
    pub(crate) fn screen(&self) -> &Screen {
        self.terminal.screen()
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("the keyboard works");
    }

    /// Processes output. It watches the marks around frames, because an incomplete frame must not be compared.
    fn take(&mut self, bytes: &[u8]) {
        self.terminal.process(bytes);
        self.recent.extend_from_slice(bytes);
        let last = |mark: &[u8]| self.recent.windows(mark.len()).rposition(|window| window == mark);
        let (begin, end) = (last(FRAME_BEGINS), last(FRAME_ENDS));
        if begin.is_some() || end.is_some() {
            self.inside = begin > end;
        }
        // A mark may be split between two reads.
        let keep = FRAME_BEGINS.len() - 1;
        self.recent.drain(..self.recent.len().saturating_sub(keep));
    }

    /// Reads until the screen satisfies a condition.
    pub(crate) fn wait(&mut self, what: &str, is: impl Fn(&Screen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while self.inside || !is(self.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(why) => panic!("{what} did not come ({why}); the screen:\n{}", self.screen().contents()),
            }
        }
    }

    /// Reads until the screen shows this text.
    pub(crate) fn see(&mut self, text: &str) {
        self.wait(&format!("{text:?}"), |screen| screen.contents().contains(text));
    }

    /// Reads until the panel shows this value and nothing after it.
    pub(crate) fn see_fact(&mut self, name: &str, value: &str) {
        let end = format!("{name:<11}{value}");
        let is_there =
            |screen: &Screen| screen.contents().lines().any(|line| line.trim_end().ends_with(&end));
        self.wait(&end, is_there);
    }

    pub(crate) fn resize(&mut self, columns: u16, lines: u16) {
        self.terminal.screen_mut().set_size(positive(lines), positive(columns));
        self.master.resize(pty_size(columns, lines)).expect("the terminal changes its size");
    }

    /// Waits for the end of the program, checks that the terminal is restored, and returns the exit code.
    pub(crate) fn ends(&mut self) -> u32 {
        let code = self.child.wait().expect("the program ends").exit_code();
        let restored = |screen: &Screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && screen.mouse_protocol_mode() == MouseProtocolMode::None
        };
        self.wait("the restored screen", restored);
        assert_eq!(terminal_settings(&*self.master), self.terminal_settings, "the keyboard is as it was");
        code
    }

    /// All cells of the screen.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        cells(self.screen())
    }

    /// Reads until all cells are like these.
    pub(crate) fn see_cells(&mut self, what: &str, wanted: &[Cell]) {
        self.wait(what, |screen| cells(screen) == wanted);
    }
}

/// The line and column of every cell.
pub(crate) fn places(screen: &Screen) -> impl Iterator<Item = (u16, u16)> {
    let (lines, columns) = screen.size();
    (0..lines.get()).flat_map(move |line| (0..columns.get()).map(move |column| (line, column)))
}

/// The visible content of a cell: its character, its colours, and whether it is reversed.
pub(crate) type Cell = (String, Color, Color, bool);

fn cells(screen: &Screen) -> Vec<Cell> {
    let cells = places(screen).filter_map(|(line, column)| screen.cell(line, column));
    cells
        .map(|cell| {
            // A cell that was never written looks like a blank.
            let text = if cell.contents().is_empty() { " " } else { cell.contents() };
            (text.to_owned(), cell.fgcolor(), cell.bgcolor(), cell.inverse())
        })
        .collect()
}

impl Drop for Pty {
    fn drop(&mut self) {
        // Kills the program of a failed test. A passed test has none left.
        let _ = self.child.kill();
    }
}
