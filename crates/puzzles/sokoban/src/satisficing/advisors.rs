//! The features of a position, and the advisors of FESS (Shoham and Schaeffer 2020): each names the move that serves its feature best.

use crate::board::Square;

/// A box carried from one square to another, and a square in the player's region afterwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) player: Square,
}

/// What leads to a root.
pub(crate) const NO_MOVE: Move = Move { from: 0, to: 0, player: 0 };

/// A position's place in the space of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Point {
    /// Boxes packed.
    pub(crate) packed: u16,
    /// Connectivity: regions into which the boxes cut the free squares.
    pub(crate) connectivity: u16,
    /// Room connectivity: narrow passages with a box in them.
    pub(crate) room_connectivity: u16,
    /// Out-of-plan boxes: those that have no open goal to go to while all packed boxes stay.
    pub(crate) out_of_plan: u16,
    /// Hotspots: boxes that keep other boxes from goals, in steps of [`FeatureConfig::hotspots`].
    pub(crate) hotspots: u16,
}

/// The settings of a feature space search: how it tells positions apart, and equal moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeatureConfig {
    /// Are goals filled in an order that is found beforehand, or in any that is possible?
    pub(crate) packing_order: bool,
    /// Hotspots that count as one step of the feature.
    pub(crate) hotspots: i32,
    /// Shuffles moves among which nothing else decides; 0 leaves them as they come.
    pub(crate) seed: u64,
}

/// A move with the features of the position that it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer {
    pub(crate) mv: Move,
    pub(crate) point: Point,
    /// Hotspots that it adds.
    pub(crate) hotspots: i32,
    /// On how many squares the player can walk then.
    pub(crate) area: u16,
    /// How many boxes are then where they come too early for the plan, if it leaves that as it is.
    pub(crate) early: u16,
    /// How deep the square lies that it fills.
    pub(crate) depth: u16,
}

/// The position whose moves they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub(crate) point: Point,
    /// Squares that the player can reach.
    pub(crate) area: u16,
    /// Boxes that have come too early; `u16::MAX` disables the test.
    pub(crate) early: u16,
}

/// What an advisor looks at, the smallest first.
type Rank = (u16, u16, u16, i32);

/// Which moves serve an advisor's feature, and how they rank.
struct Advisor {
    serves: fn(&Offer, &Now) -> bool,
    rank: fn(&Offer) -> Rank,
}

/// Explorer, packing, out of plan, connectivity, room connectivity, hotspots.
const ADVISORS: [Advisor; 6] = [
    Advisor { serves: |o, now| o.area > now.area, rank: |o| (u16::MAX - o.area, 0, 0, o.hotspots) },
    // What lies deep is filled first.
    Advisor {
        serves: |o, now| o.point.packed > now.point.packed,
        rank: |o| (u16::MAX - o.point.packed, u16::MAX - o.depth, o.point.connectivity, o.hotspots),
    },
    Advisor {
        serves: |o, now| o.point.out_of_plan < now.point.out_of_plan,
        rank: |o| (o.point.out_of_plan, u16::MAX - o.point.packed, o.point.connectivity, o.hotspots),
    },
    Advisor {
        serves: |o, now| o.point.connectivity < now.point.connectivity,
        rank: |o| (o.point.connectivity, u16::MAX - o.point.packed, o.point.room_connectivity, o.hotspots),
    },
    Advisor {
        serves: |o, now| o.point.room_connectivity < now.point.room_connectivity,
        rank: |o| (o.point.room_connectivity, u16::MAX - o.point.packed, o.point.connectivity, o.hotspots),
    },
    Advisor {
        serves: |o, _| o.hotspots < 0,
        rank: |o| ((o.hotspots + 10_000) as u16, u16::MAX - o.point.packed, o.point.connectivity, 0),
    },
];

/// Brings the moves that advisors name to the front; gives their number. No advisor names a move that undoes what is packed, leads a
/// box out of plan, or brings one where it comes too early.
pub(crate) fn advise(offers: &mut [Offer], now: Now) -> u16 {
    let mut advised = 0;
    for Advisor { serves, rank } in ADVISORS {
        let Point { packed, out_of_plan, .. } = now.point;
        let fits = |o: &Offer| {
            let keeps = o.point.packed > packed || o.point.packed == packed && o.early <= now.early;
            serves(o, &now) && keeps && o.point.out_of_plan <= out_of_plan
        };
        let named = (0..offers.len()).filter(|&i| fits(&offers[i])).min_by_key(|&i| rank(&offers[i]));
        if let Some(i) = named.filter(|&i| i >= advised) {
            offers[advised..=i].rotate_right(1);
            advised += 1;
        }
    }
    advised as u16
}
