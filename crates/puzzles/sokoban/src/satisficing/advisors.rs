//! The features of a position, and the advisors of FESS (Shoham and Schaeffer 2020). Each advisor names the
//! move that serves its feature best.

use crate::board::Square;

/// A macro move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Move {
    /// The squares of the box before and after.
    pub(crate) from: Square,
    pub(crate) to: Square,
    /// A square of the player's region afterwards.
    pub(crate) player: Square,
    /// The number of pushes or pulls.
    pub(crate) pushes: u16,
}

/// The move of a root.
pub(crate) const NO_MOVE: Move = Move { from: 0, to: 0, player: 0, pushes: 0 };

/// The feature values of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Point {
    /// Boxes packed.
    pub(crate) packed: u16,
    /// Connectivity: regions into which the boxes cut the free squares.
    pub(crate) connectivity: u16,
    /// Room connectivity: narrow passages with a box in them.
    pub(crate) room_connectivity: u16,
    /// Out-of-plan boxes: those without an open goal that they can reach while all packed boxes stay.
    pub(crate) out_of_plan: u16,
    /// Hotspots: boxes that keep other boxes from goals, divided by [`FeatureConfig::hotspots`].
    pub(crate) hotspots: u16,
}

/// Settings of a feature space search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeatureConfig {
    /// Are goals filled in a packing order found beforehand, or in any order that is possible?
    pub(crate) packing_order: bool,
    /// Hotspots per unit of the feature.
    pub(crate) hotspots: i32,
    /// Shuffles moves of equal rank; 0 keeps the order of generation.
    pub(crate) seed: u64,
}

/// A move with the features of the position that it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) point: Point,
    /// Change in the number of hotspots.
    pub(crate) hotspots: i32,
    /// Squares that the player can reach after the move.
    pub(crate) area: u16,
    /// Boxes that are too early for the packing order after the move; 0 if the move completes a step of the
    /// order.
    pub(crate) early: u16,
    /// The depth of the goal that the move fills.
    pub(crate) depth: u16,
}

/// The position before the move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Current {
    pub(crate) point: Point,
    /// Squares that the player can reach.
    pub(crate) area: u16,
    /// Boxes that are too early for the packing order; `u16::MAX` disables the test.
    pub(crate) early: u16,
}

/// The rank of a move; the smallest wins.
type Rank = (u16, u16, u16, i32);

/// Which moves serve a feature, and how they rank.
struct Advisor {
    serves: fn(&Candidate, &Current) -> bool,
    rank: fn(&Candidate) -> Rank,
}

/// In this order: explorer, packing, out of plan, connectivity, room connectivity, hotspots.
const ADVISORS: [Advisor; 6] = [
    Advisor { serves: |c, current| c.area > current.area, rank: |c| (u16::MAX - c.area, 0, 0, c.hotspots) },
    // Deep goals are filled first.
    Advisor {
        serves: |c, current| c.point.packed > current.point.packed,
        rank: |c| (u16::MAX - c.point.packed, u16::MAX - c.depth, c.point.connectivity, c.hotspots),
    },
    Advisor {
        serves: |c, current| c.point.out_of_plan < current.point.out_of_plan,
        rank: |c| (c.point.out_of_plan, u16::MAX - c.point.packed, c.point.connectivity, c.hotspots),
    },
    Advisor {
        serves: |c, current| c.point.connectivity < current.point.connectivity,
        rank: |c| (c.point.connectivity, u16::MAX - c.point.packed, c.point.room_connectivity, c.hotspots),
    },
    Advisor {
        serves: |c, current| c.point.room_connectivity < current.point.room_connectivity,
        rank: |c| (c.point.room_connectivity, u16::MAX - c.point.packed, c.point.connectivity, c.hotspots),
    },
    Advisor {
        serves: |c, _| c.hotspots < 0,
        rank: |c| ((c.hotspots + 10_000) as u16, u16::MAX - c.point.packed, c.point.connectivity, 0),
    },
];

/// Moves the candidates that advisors name to the front; returns their number. No advisor names a move that
/// unpacks a box, makes a box out of plan, or brings one too early.
pub(crate) fn advise(candidates: &mut [Candidate], current: Current) -> u16 {
    let mut advised = 0;
    for Advisor { serves, rank } in ADVISORS {
        let Point { packed, out_of_plan, .. } = current.point;
        let fits = |c: &Candidate| {
            let keeps = c.point.packed > packed || c.point.packed == packed && c.early <= current.early;
            serves(c, &current) && keeps && c.point.out_of_plan <= out_of_plan
        };
        let named =
            (0..candidates.len()).filter(|&i| fits(&candidates[i])).min_by_key(|&i| rank(&candidates[i]));
        if let Some(i) = named.filter(|&i| i >= advised) {
            candidates[advised..=i].rotate_right(1);
            advised += 1;
        }
    }
    advised as u16
}
