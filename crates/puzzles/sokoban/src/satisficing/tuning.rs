//! The constants of the satisficing solver. `BEELINE_JOBS=sensitivity` of the bench prints what half and twice each value would change;
//! docs/notebook/sokoban.md has the table.

/// Constants chosen by measurement. The default has the chosen values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Visits of a turn in the first round of the portfolio. Each round is half as long again as the one
    /// before.
    pub first_turn: u64,
    /// Greedy member: weight of a remaining push relative to a push already made.
    pub greed: u64,
    /// Greedy member: factor on its turns, but for levels with many boxes. On small levels its visits take about a third of
    /// the time of others.
    pub greedy_turns: u64,
    /// Open ends: visits of the first attempt. Each attempt has a tenth more than the one before.
    pub first_attempt: u64,
    /// Positions of a deadlock search (`Deadlocks::by_search`), at most. Nearly all deadlocks show within a
    /// hundred.
    pub deadlock_positions: u64,
    /// Positions of a deadlock search for each visit that the cell has had.
    pub deadlock_positions_per_visit: u64,
    /// Positions of deadlock searches earned by each visit.
    pub credit_per_visit: u64,
    /// Positions of deadlock searches earned by each search that finds a deadlock.
    pub credit_per_deadlock: u64,
    /// Positions searched for a corral, for each time that it has come up. Nearly all lost corrals show
    /// within fifteen.
    pub corral_positions: u64,
    /// Macro moves that count as a visit, where they were generated to find packed and out-of-plan boxes. On
    /// boards with goals all over and no packing order, they took half of the time of the portfolio.
    pub macro_moves_per_visit: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            first_turn: 500,
            greed: 3,
            greedy_turns: 3,
            first_attempt: 2000,
            deadlock_positions: 200,
            deadlock_positions_per_visit: 16,
            credit_per_visit: 3,
            credit_per_deadlock: 500,
            corral_positions: 4,
            macro_moves_per_visit: 10,
        }
    }
}

impl Tuning {
    /// Every constant by its name.
    pub fn constants(&mut self) -> [(&'static str, &mut u64); 10] {
        [
            ("first_turn", &mut self.first_turn),
            ("greed", &mut self.greed),
            ("greedy_turns", &mut self.greedy_turns),
            ("first_attempt", &mut self.first_attempt),
            ("deadlock_positions", &mut self.deadlock_positions),
            ("deadlock_positions_per_visit", &mut self.deadlock_positions_per_visit),
            ("credit_per_visit", &mut self.credit_per_visit),
            ("credit_per_deadlock", &mut self.credit_per_deadlock),
            ("corral_positions", &mut self.corral_positions),
            ("macro_moves_per_visit", &mut self.macro_moves_per_visit),
        ]
    }
}
