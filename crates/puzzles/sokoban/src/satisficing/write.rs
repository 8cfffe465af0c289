//! The steps of a plan, from what a search knows of it.

use super::advisors::Move;
use crate::board::Dir;
use crate::field::Field;
use crate::macro_moves::{MacroMove, MacroMoves, Way};
use crate::optimal::PlanWriter;
use crate::walk::{Reach, Reaches};

/// The steps that carry the boxes so.
pub(crate) fn carried(field: &Field, moves: &[Move]) -> Vec<Dir> {
    let mut writer = PlanWriter::new(field);
    let (mut carry, mut walk) = (MacroMoves::new(field), Reach::new(field));
    for mv in moves {
        let Some(i) = writer.position.boxes.iter().position(|&b| b == mv.from) else { break };
        let player = writer.position.player;
        carry.go(Way::Pushing, field, &mut writer.position, i, Some(player));
        // The box must come to its place with the player on the right side of it.
        writer.position.shift(i, mv.to);
        walk.flood(field, &writer.position, mv.player);
        writer.position.shift(i, mv.from);
        let fits = |p: &MacroMove| p.to == mv.to && walk.reaches(p.player(field, Way::Pushing));
        let Some(place) = carry.places.iter().skip(1).position(fits) else { break };
        let mut at = mv.from;
        for dir in carry.way(place + 1) {
            writer.walk_to(field.near()[at as usize][dir.back() as usize]);
            writer.push(dir);
            at = field.near()[at as usize][dir as usize];
        }
    }
    writer.steps
}
