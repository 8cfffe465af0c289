//! The report on the check of a plan.

use std::io;

use beeline_api::units::{commas, plural};
use beeline_check::{Checked, Flaw};

use super::Exit;
use super::Io;
use super::answer::warn;
use super::certificate::{self, Certified};
use super::instance::Instance;
use super::json::{self, CheckRecord, Origin};
use super::layout::{boards, entry};

/// A checked plan, and the certificate that was verified with it.
pub(crate) struct Verdict<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) objective: &'a str,
    pub(crate) steps: &'a [String],
    /// `None` without a plan.
    pub(crate) plan: Option<Result<Checked, Flaw>>,
    pub(crate) certified: Option<Certified>,
}

impl Verdict<'_> {
    pub(crate) fn exit(&self) -> Exit {
        let plan = if matches!(self.plan, Some(Err(_))) { Exit::Rejected } else { Exit::Done };
        plan.max(self.certified.as_ref().map_or(Exit::Done, |there| there.exit))
    }

    /// Prints it as a JSON object.
    pub(crate) fn json(self, io: &mut Io<'_>) -> io::Result<()> {
        let exit = self.exit();
        let flaw = self.plan.as_ref().and_then(|plan| plan.as_ref().err());
        let valid = match &self.plan {
            Some(_) => exit != Exit::Rejected,
            None => self.certified.as_ref().is_some_and(|there| there.holds),
        };
        let record = CheckRecord {
            origin: Origin::new("check", self.instance),
            objective: self.objective,
            verdict: if valid { "valid" } else { "invalid" },
            exit: exit.code(),
            steps: self.steps.len(),
            cost: self.plan.as_ref().and_then(|plan| plan.as_ref().ok()).map(|checked| checked.cost),
            bad_step: flaw.and_then(bad_step),
            reason: flaw.map(ToString::to_string).or_else(|| self.certified.as_ref()?.reason.clone()),
            certificate: self.certified,
        };
        json::line(io.out, &record)
    }

    /// Prints it for a person.
    pub(crate) fn text(&self, io: &mut Io<'_>) -> io::Result<()> {
        warn(self.instance, io)?;
        let checked = match &self.plan {
            Some(Err(flaw)) => return flawed(self.instance, self.steps, flaw, io),
            Some(Ok(checked)) => Some(checked),
            None => None,
        };
        if let Some(checked) = checked {
            let shortest = self.certified.as_ref().is_some_and(|there| there.proves(checked.cost));
            let proved = if shortest { " · proved shortest (certified)" } else { "" };
            let (steps, cost) = (plural(self.steps.len(), "step"), commas(checked.cost));
            let good = io.screen.good("valid");
            writeln!(io.out, "{good} {steps} · cost {cost} ({}){proved}", self.objective)?;
        }
        self.certified.as_ref().map_or(Ok(()), |certified| certificate::print(certified, io))
    }
}

/// Prints the name of one of several puzzles.
pub(crate) fn name(instance: &Instance, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "{}", io.screen.bold(&instance.name()))
}

/// Prints how many puzzles of the files have no plan.
pub(crate) fn without(count: usize, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "{} without a plan", plural(count, "puzzle"))
}

fn bad_step(flaw: &Flaw) -> Option<usize> {
    match flaw {
        Flaw::Step { number, .. } => Some(*number),
        _ => None,
    }
}

/// Shows the error in a plan: the board just before the bad step.
fn flawed(instance: &Instance, steps: &[String], flaw: &Flaw, io: &mut Io<'_>) -> io::Result<()> {
    let good = bad_step(flaw).map_or(steps.len(), |number| number.saturating_sub(1));
    let mut game = instance.puzzle.game();
    let played = steps.iter().take(good).take_while(|step| game.play(step).is_ok()).count();
    let screen = io.screen;
    let mut out = entry("invalid", &flaw.to_string(), &screen);
    if played == good {
        out += &format!("\nthe board after {}:\n\n", plural(good, "step"));
        out += &boards(&game.scene(), None, &screen);
    }
    io.out.write_all(out.as_bytes())
}
