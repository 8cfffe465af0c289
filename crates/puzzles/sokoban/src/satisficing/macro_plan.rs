//! Converts a sequence of macro moves to the steps of a plan.

use super::advisors::Move;
use crate::board::Dir;
use crate::field::Field;
use crate::macro_moves::{MacroMove, MacroMoves, MoveKind};
use crate::optimal::PlanWriter;
use crate::walk::Reach;

/// The steps of a plan given as macro moves.
pub(crate) fn steps_of(field: &Field, moves: &[Move]) -> Vec<Dir> {
    let mut writer = PlanWriter::new(field);
    let (mut macro_moves, mut walk) = (MacroMoves::new(field), Reach::new(field));
    for mv in moves {
        let Some(i) = writer.position.boxes.iter().position(|&b| b == mv.from) else { break };
        let player = writer.position.player;
        macro_moves.survey_and_generate(MoveKind::Push, field, &mut writer.position, i, Some(player));
        // The box must arrive with the player on the right side of it.
        writer.position.shift(i, mv.to);
        walk.flood(field, &writer.position, mv.player);
        writer.position.shift(i, mv.from);
        let fits = |p: &MacroMove| p.to == mv.to && walk.reaches(p.player(field, MoveKind::Push));
        let Some(place) = macro_moves.places.iter().skip(1).position(fits) else { break };
        let mut at = mv.from;
        for dir in macro_moves.directions(place + 1) {
            writer.walk_to(field.near()[at as usize][dir.back() as usize]);
            writer.push(dir);
            at = field.near()[at as usize][dir as usize];
        }
    }
    writer.steps
}
