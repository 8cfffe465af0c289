//! Shared by the engine's tests: the sixth puzzle, and small random worlds with their true distances.
#![allow(dead_code, unreachable_pub)]

#[path = "../../../../../docs/pancakes.rs"]
pub mod pancakes;
pub mod wild;
pub mod world;

use beeline_search::Space;

/// Plays a plan and gives its cost; panics if it is not a plan.
pub fn replayed<S: Space>(space: &S, moves: &[S::Move]) -> u64 {
    let mut state = space.start();
    let mut cost = 0;
    for &mv in moves {
        assert!(space.moves(&state).any(|legal| legal == mv), "{mv:?} is not legal");
        cost += u64::from(space.cost(&state, mv));
        space.apply(&mut state, mv);
    }
    assert!(space.is_goal(&state), "the plan does not end at a goal");
    cost
}
