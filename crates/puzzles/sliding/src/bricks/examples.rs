//! The boards that ship: our own, and classics redrawn from their well-known layouts.

use beeline_puzzle::puzzle::Example;

/// Easiest first.
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "bricks-first",
        title: "A first board",
        text: include_str!("../../boards/bricks/first.txt"),
    },
    Example { name: "bricks-hook", title: "The hook", text: include_str!("../../boards/bricks/hook.txt") },
    Example {
        name: "bricks-doorway",
        title: "One door for two cells",
        text: include_str!("../../boards/bricks/doorway.txt"),
    },
    Example { name: "bricks-yard", title: "The yard", text: include_str!("../../boards/bricks/yard.txt") },
    Example {
        name: "bricks-simplicity",
        title: "Simplicity: four pieces, 18 moves",
        text: include_str!("../../boards/bricks/simplicity.txt"),
    },
    Example {
        name: "bricks-four-sides",
        title: "Songs on four sides",
        text: include_str!("../../boards/bricks/four-sides.txt"),
    },
    Example {
        name: "bricks-pennant",
        title: "The Pennant puzzle, 1909",
        text: include_str!("../../boards/bricks/pennant.txt"),
    },
    Example {
        name: "bricks-three-roads",
        title: "Three roads",
        text: include_str!("../../boards/bricks/three-roads.txt"),
    },
    Example {
        name: "bricks-klotski",
        title: "Klotski, Hua Rong Dao, L'Âne rouge",
        text: include_str!("../../boards/bricks/klotski.txt"),
    },
    Example {
        name: "bricks-century",
        title: "Century, by J. H. Conway",
        text: include_str!("../../boards/bricks/century.txt"),
    },
    Example {
        name: "bricks-trail",
        title: "Trail: layer upon layer",
        text: include_str!("../../boards/bricks/trail.txt"),
    },
    Example {
        name: "bricks-ambush",
        title: "Ambush: layer upon layer, the longer one",
        text: include_str!("../../boards/bricks/ambush.txt"),
    },
    Example {
        name: "bricks-four-by-four",
        title: "131 moves on four by four, by N. Bickford",
        text: include_str!("../../boards/bricks/four-by-four.txt"),
    },
    Example {
        name: "bricks-super-century",
        title: "Super Century, by J. Dogon",
        text: include_str!("../../boards/bricks/super-century.txt"),
    },
    Example {
        name: "bricks-no-way-out",
        title: "A board that cannot be solved",
        text: include_str!("../../boards/bricks/no-way-out.txt"),
    },
];

/// Our own levels for the homework's main function, under the names that it expects.
pub const LEVELS: [(&str, &str); 4] = [
    ("SBP-level0.txt", include_str!("../../boards/bricks/first.txt")),
    ("SBP-level1.txt", include_str!("../../boards/bricks/doorway.txt")),
    ("SBP-level2.txt", include_str!("../../boards/bricks/hook.txt")),
    ("SBP-level3.txt", include_str!("../../boards/bricks/yard.txt")),
];
