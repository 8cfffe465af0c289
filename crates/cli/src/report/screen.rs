//! The capabilities of the terminal.

use std::io::IsTerminal;

#[cfg(feature = "terminal")]
use beeline_terminal::Look;
use beeline_view::{Colour, Style};

use clap::ValueEnum;

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// The capabilities of the output streams.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each answers a question of its own
pub struct Screen {
    /// Colours of standard output.
    pub colour: Colour,
    /// Use colours on standard error?
    pub err_colour: bool,
    /// Is standard error a terminal? Then there is a progress line.
    pub progress: bool,
    /// Print notes on standard error on what is built and stored?
    pub notes: bool,
    /// Is standard output a terminal? Then there can be screens with keys.
    pub interactive: bool,
    /// Use only ASCII in drawings?
    pub ascii: bool,
    /// Columns of standard output.
    pub columns: usize,
    /// Lines of standard output.
    pub rows: usize,
    /// Write tables in full width? They are if a program reads them and `COLUMNS` is not set.
    pub whole: bool,
    /// The best colours that the terminal supports, used if colours are forced.
    palette: Colour,
}

impl Screen {
    /// No terminal: plain text with this many columns.
    pub fn plain(columns: usize) -> Self {
        Self {
            colour: Colour::None,
            err_colour: false,
            progress: false,
            notes: true,
            interactive: false,
            ascii: false,
            columns,
            rows: 1000,
            whole: false,
            palette: Colour::True,
        }
    }

    /// Detects the terminal of this process.
    pub fn detect() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        let value = |name: &str| std::env::var(name).unwrap_or_default();
        let dumb = value("TERM") == "dumb";
        let allowed = !set("NO_COLOR") && !dumb;
        let (out, err) = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
        let palette = if matches!(value("COLORTERM").as_str(), "truecolor" | "24bit") {
            Colour::True
        } else {
            Colour::Indexed
        };
        let size = terminal_size::terminal_size().filter(|_| out);
        let (columns, rows) = size.map_or((80, 1000), |(w, h)| (w.0.into(), h.0.into()));
        let told = value("COLUMNS").parse().ok().filter(|&columns: &usize| columns > 0);
        let columns = told.unwrap_or(columns);
        Self {
            colour: if allowed && out { palette } else { Colour::None },
            err_colour: allowed && err,
            progress: err && !dumb,
            notes: true,
            interactive: out && !dumb,
            ascii: dumb || !utf8_locale(),
            columns: usize::max(columns, 20),
            rows,
            whole: !out && told.is_none(),
            palette,
        }
    }

    /// Applies the options of the command line.
    pub(crate) fn choose(&mut self, when: When, ascii: bool) {
        match when {
            When::Auto => {}
            When::Always => (self.colour, self.err_colour) = (self.palette, true),
            When::Never => (self.colour, self.err_colour) = (Colour::None, false),
        }
        self.ascii |= ascii;
    }

    pub(crate) fn out_colour(&self) -> bool {
        self.colour != Colour::None
    }

    /// The style of interactive screens.
    #[cfg(feature = "terminal")]
    pub fn look(&self) -> Look {
        Look { colour: self.colour, ascii: self.ascii }
    }

    /// The style of drawn boards.
    pub(crate) fn style(&self) -> Style {
        Style { colour: self.colour, ascii: self.ascii, ..Style::default() }
    }

    /// Formats important text.
    pub(crate) fn bold(&self, text: &str) -> String {
        if self.out_colour() { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Formats less important text.
    pub(crate) fn dim(&self, text: &str) -> String {
        if self.out_colour() { format!("\x1b[2m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Formats good news.
    pub(crate) fn good(&self, text: &str) -> String {
        if self.out_colour() { format!("\x1b[32m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Does the locale use UTF-8? "C" and "POSIX" mean ASCII. Without a locale the answer is yes, as for files and pipes.
fn utf8_locale() -> bool {
    let named =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|n| std::env::var(n).ok().filter(|v| !v.is_empty()));
    named.is_none_or(|name| name.to_lowercase().contains("utf"))
}
