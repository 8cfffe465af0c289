//! Manual pages.

use std::io::{self, Write};

use clap_mangen::Man;

use super::Exit;

/// A page, with the exit codes as a section of their own.
pub(crate) fn render(command: clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let (nested, versioned) = (command.has_subcommands(), command.get_version().is_some());
    let man = Man::new(command.after_help("").after_long_help(""));
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if nested {
        man.render_subcommands_section(out)?;
    }
    writeln!(out, ".SH \"EXIT STATUS\"")?;
    for (exit, meaning) in Exit::ALL {
        writeln!(out, ".TP\n\\fB{}\\fR\n{meaning}", exit.code())?;
    }
    writeln!(out, ".PP\nOf several puzzles, the highest code counts.")?;
    writeln!(
        out,
        ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nif set and not empty, no colour\n.TP\n\\fBCOLORTERM\\fR\n\
         truecolor or 24bit: all colours, else 256 of them"
    )?;
    if versioned {
        man.render_version_section(out)?;
    }
    Ok(())
}
