//! `beeline completions` and `beeline man`.

use std::io;

use clap::CommandFactory;

use super::args::{self, Args};
use super::{Exit, Session, names};
use crate::report::manual::render;
use crate::report::{Stop, Trouble};

/// Prints the completion script of a shell.
pub(super) fn completions(args: &args::Completions, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    // The generator panics if its writer fails, and a pipe may be closed. So it writes to memory first.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "beeline", &mut script);
    session.io.out.write_all(&script)?;
    Ok(Exit::Done)
}

/// Prints one manual page, or writes all of them.
pub(super) fn man(args: &args::Man, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let mut whole = Args::command().disable_help_subcommand(true);
    whole.build();
    let pages: Vec<clap::Command> = whole.get_subcommands().cloned().collect();
    if let Some(folder) = &args.all {
        let write = |name: &str, command: clap::Command| -> io::Result<()> {
            let mut page = Vec::new();
            render(command, &mut page)?;
            std::fs::write(folder.join(format!("{name}.1")), page)
        };
        let all = std::iter::once(("beeline".to_owned(), whole.clone()));
        for (name, command) in all.chain(pages.into_iter().map(|c| (format!("beeline-{}", c.get_name()), c)))
        {
            write(&name, command).map_err(|error| {
                Trouble::new(
                    Exit::Usage,
                    format!("cannot write the pages to '{}': {error}", folder.display()),
                )
            })?;
        }
        return Ok(Exit::Done);
    }
    let command = match &args.command {
        None => whole,
        Some(name) => {
            let all: Vec<&str> = pages.iter().map(clap::Command::get_name).collect();
            let found = pages.iter().find(|c| c.get_name() == name);
            found.cloned().ok_or_else(|| names::unknown("command", name, &all, None))?
        }
    };
    let mut page = Vec::new();
    render(command, &mut page)?;
    session.io.out.write_all(&page)?;
    Ok(Exit::Done)
}
