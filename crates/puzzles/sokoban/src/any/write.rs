//! The steps of a plan, from what a search knows of it.

use super::super::board::Dir;
use super::super::field::Field;
use super::super::solve::Pen;
use super::super::walk::{Reach, Reaches};
use super::advice::Move;
use super::carry::{Carried, Carry, Way};

/// The steps that carry the boxes so.
pub(crate) fn carried(field: &Field, moves: &[Move]) -> Vec<Dir> {
    let mut pen = Pen::new(field);
    let (mut carry, mut walk) = (Carry::new(field), Reach::new(field));
    for mv in moves {
        let Some(i) = pen.position.boxes.iter().position(|&b| b == mv.from) else { break };
        let player = pen.position.player;
        carry.go(Way::Pushing, field, &mut pen.position, i, Some(player));
        // The box must come to its place with the player on the right side of it.
        pen.position.shift(i, mv.to);
        walk.flood(field, &pen.position, mv.player);
        pen.position.shift(i, mv.from);
        let fits = |p: &Carried| p.to == mv.to && walk.reaches(p.player(field, Way::Pushing));
        let Some(place) = carry.places.iter().skip(1).position(fits) else { break };
        let mut at = mv.from;
        for dir in carry.way(place + 1) {
            pen.walk_to(field.near()[at as usize][dir.back() as usize]);
            pen.push(dir);
            at = field.near()[at as usize][dir as usize];
        }
    }
    pen.steps
}
