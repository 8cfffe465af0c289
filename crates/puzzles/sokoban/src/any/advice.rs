//! The features of positions, and the advisers that each name the one move which serves their feature best.

use super::super::board::Square;
use super::carry::Way;

/// A box carried from one square to another, and a square in the player's region afterwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) player: Square,
}

/// A position's place in the space of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Point {
    /// Boxes packed.
    pub(crate) packed: u16,
    /// Parts into which the boxes cut the free squares.
    pub(crate) parts: u16,
    /// Narrow ways with a box in them.
    pub(crate) blocked: u16,
    /// Boxes that have no open goal to go to while all packed boxes stay.
    pub(crate) astray: u16,
    /// How much boxes stand in each other's way, roughly.
    pub(crate) trouble: u16,
    /// Boxes that can be moved.
    pub(crate) mobile: u16,
}

/// In which order goals are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// In any that is possible.
    Free,
    /// By a plan that is settled beforehand.
    Settled,
    /// By such a plan, and no adviser brings a box where it comes too early for that: better on some levels, worse on others.
    Timely,
}

/// What makes one search of this kind different from another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taste {
    /// From the start, or from the goals.
    pub(crate) way: Way,
    /// The trouble that counts as one step of that feature; 0 leaves the feature out.
    pub(crate) trouble: i32,
    /// In which order goals are filled.
    pub(crate) order: Order,
    /// Is there an adviser for ground that the player gains?
    pub(crate) ground: bool,
    /// Are boxes astray a feature?
    pub(crate) astray: bool,
    /// Is the number of boxes that can be moved a feature?
    pub(crate) mobile: bool,
    /// Shuffles moves among which nothing else decides; 0 leaves them as they come.
    pub(crate) seed: u64,
}

/// A move with the features of the position that it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer {
    pub(crate) mv: Move,
    pub(crate) point: Point,
    /// How much trouble it adds.
    pub(crate) trouble: i32,
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
    /// The ground that the player has (the greatest number if nobody is to ask for it).
    pub(crate) area: u16,
    /// How many boxes have come too early (the greatest number if nobody is to ask for it).
    pub(crate) early: u16,
}

/// What an adviser looks at, the smallest first.
type Rank = (u16, u16, u16, i32);

/// Which moves serve an adviser's feature, and how they rank.
struct Adviser {
    serves: fn(&Offer, &Now) -> bool,
    rank: fn(&Offer) -> Rank,
}

/// Ground, packing, boxes astray, parts, narrow ways, trouble.
const ADVISERS: [Adviser; 6] = [
    Adviser { serves: |o, now| o.area > now.area, rank: |o| (u16::MAX - o.area, 0, 0, o.trouble) },
    // What lies deep is filled first.
    Adviser {
        serves: |o, now| o.point.packed > now.point.packed,
        rank: |o| (u16::MAX - o.point.packed, u16::MAX - o.depth, o.point.parts, o.trouble),
    },
    Adviser {
        serves: |o, now| o.point.astray < now.point.astray,
        rank: |o| (o.point.astray, u16::MAX - o.point.packed, o.point.parts, o.trouble),
    },
    Adviser {
        serves: |o, now| o.point.parts < now.point.parts,
        rank: |o| (o.point.parts, u16::MAX - o.point.packed, o.point.blocked, o.trouble),
    },
    Adviser {
        serves: |o, now| o.point.blocked < now.point.blocked,
        rank: |o| (o.point.blocked, u16::MAX - o.point.packed, o.point.parts, o.trouble),
    },
    Adviser {
        serves: |o, _| o.trouble < 0,
        rank: |o| ((o.trouble + 10_000) as u16, u16::MAX - o.point.packed, o.point.parts, 0),
    },
];

/// Brings the moves that advisers name to the front; gives their number. No adviser names a move that undoes what is packed, leads a
/// box astray, or brings one where it comes too early.
pub(crate) fn advise(offers: &mut [Offer], now: Now) -> u16 {
    let mut advised = 0;
    for Adviser { serves, rank } in ADVISERS {
        let Point { packed, astray, .. } = now.point;
        let fits = |o: &Offer| {
            let keeps = o.point.packed > packed || o.point.packed == packed && o.early <= now.early;
            serves(o, &now) && keeps && o.point.astray <= astray
        };
        let named = (0..offers.len()).filter(|&i| fits(&offers[i])).min_by_key(|&i| rank(&offers[i]));
        if let Some(i) = named.filter(|&i| i >= advised) {
            offers[advised..=i].rotate_right(1);
            advised += 1;
        }
    }
    advised as u16
}
