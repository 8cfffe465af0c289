//! Both ends opened first, and then the way between them.
//!
//! The start is opened by pushes, the goals by pulls, or both. What is left is a level of its own: from one open position to
//! another. Its goals lie apart from each other and its boxes can be moved, so the other searches solve it easily; the plan is
//! then put together. Every turn begins anew, with more work and with other open positions.

use beeline_search::{Limit, Meter, Stats};

use super::super::Steps;
use super::super::board::{Board, Dir, Square};
use super::super::field::Field;
use super::advice::Move;
use super::carry::Way;
use super::insight::Insight;
use super::drift::{Aim, Drift, Opened};
use super::write;
use super::{Found, Race};

/// Which ends are opened.
#[derive(Clone, Copy, Debug)]
enum Ends {
    Goals,
    Start,
    Both,
}

/// The ends that are opened, in turn.
const ENDS: [Ends; 3] = [Ends::Goals, Ends::Both, Ends::Start];

pub(crate) struct Middle<'a, const N: usize> {
    space: &'a Steps<N>,
    field: &'a Field,
    turns: usize,
}

impl<'a, const N: usize> Middle<'a, N> {
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field) -> Self {
        Self { space, field, turns: 0 }
    }

    /// Works for about so many visits.
    pub(crate) fn advance(
        &mut self,
        meter: &mut Meter,
        work: u64,
        insight: &mut Insight,
        stats: &mut Stats,
    ) -> Result<Found, Limit> {
        let ends = ENDS[self.turns % ENDS.len()];
        let seed = (self.turns / ENDS.len()) as u64;
        self.turns += 1;
        let share = work / 5;
        let used = meter.ledger.used();
        let mut open = |way| {
            let mut drift = Drift::new(self.space, self.field, way, Aim::Open, seed);
            drift.begin(&mut meter.ledger, insight)?;
            drift.advance(meter, share, insight)?;
            Ok::<_, Limit>(drift.best())
        };
        let start = match ends {
            Ends::Goals => None,
            Ends::Start | Ends::Both => open(Way::Pushing)?,
        };
        let goals = match ends {
            Ends::Start => None,
            Ends::Goals | Ends::Both => open(Way::Pulling)?,
        };
        let before = self.field.board().clone();
        let (prefix, board) = match &start {
            None => (Vec::new(), before.clone()),
            Some(opened) => {
                let steps = write::carried(self.field, &opened.moves);
                let player = walked(&before, &steps);
                (steps, before.with(player, &opened.boxes))
            }
        };
        let board = match &goals {
            None => board,
            Some(opened) => board.with_goals(board.player(), board.boxes(), &opened.boxes),
        };
        let Some(space) = Steps::<N>::new(&board) else { return Ok(Found::NotYet) };
        let field = Field::new(&board);
        if std::env::var_os("BEELINE_SHOW").is_some() {
            eprintln!("{ends:?} work {work} {:?} {:?}", start.as_ref().map(|o| o.rank), goals.as_ref().map(|o| o.rank));
            for row in 0..board.height() { eprintln!("{}", (0..board.width()).map(|c| board.cell(row, c).symbol()).collect::<String>()); }
        }
        let found = Race::new(&space, &field).run(meter, Some(work), stats, &mut |_, _| Ok(()));
        meter.ledger.rewind(used);
        let Found::Plan(middle) = found? else { return Ok(Found::NotYet) };
        let player = walked(&board, &middle);
        let mut plan = [prefix, middle].concat();
        if let Some(opened) = goals {
            let last = before.with(player, &opened.boxes);
            plan.extend(write::carried(&Field::new(&last), &back(&opened)));
        }
        Ok(if solves(&before, &plan) { Found::Plan(plan) } else { Found::NotYet })
    }
}

/// The pulls the other way round, each with the player where it was before it.
fn back(opened: &Opened) -> Vec<Move> {
    let befores = std::iter::once(opened.first_player).chain(opened.moves.iter().map(|mv| mv.player));
    let pairs: Vec<_> = befores.zip(&opened.moves).collect();
    pairs.into_iter().rev().map(|(player, mv)| Move { from: mv.to, to: mv.from, player }).collect()
}

/// Where the player is after these steps.
fn walked(board: &Board, steps: &[Dir]) -> Square {
    steps.iter().fold(board.player(), |at, &dir| board.next(at, dir))
}

/// Do the steps solve the level? The two parts of a plan may not fit together: the player can be on the wrong side.
fn solves(board: &Board, steps: &[Dir]) -> bool {
    let mut boxes = board.boxes().to_vec();
    let mut player = board.player();
    for &dir in steps {
        player = board.next(player, dir);
        if let Some(i) = boxes.iter().position(|&b| b == player) {
            boxes[i] = board.next(player, dir);
        }
    }
    boxes.iter().all(|&b| board.is_goal(b))
}
