//! Validates plans with an independent tool: unified-planning, from the Python index, in a virtual environment.

use std::process::Command;

use crate::prove::Found;
use crate::step::{cargo, has, root, show};

/// Exports small boards of every kind and validates their plans.
pub(crate) fn prove() -> Found {
    if !has("python3") {
        return Found::NotHere("python3 is not here".into());
    }
    let folder = root().join("target/pddl");
    let python = folder.join("bin/python");
    let mut environment = Command::new("python3");
    environment.args(["-m", "venv"]).arg(&folder);
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "unified-planning"]);
    if let Err(why) = show("environment", &mut environment).and_then(|_| show("install", &mut install)) {
        return Found::NotHere(format!("unified-planning cannot be had here: {why}"));
    }
    let mut tests = cargo();
    tests.args(["test", "--package", "beeline-puzzles", "--test", "pddl", "--", "--ignored"]);
    tests.env("BEELINE_PDDL_PYTHON", &python);
    match show("PDDL", &mut tests) {
        Ok(_) => Found::Passed(
            "whole plans of every kind are valid, plans without their last action are not".into(),
        ),
        Err(why) => Found::Failed(why),
    }
}
