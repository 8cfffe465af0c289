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
    /// Greedy member: factor on its turns where boxes start beside their goals and the first visits have not
    /// solved the level.
    pub turns_beside_goals: u64,
    /// Open ends: visits of the first attempt. Each attempt has a tenth more than the one before.
    pub first_attempt: u64,
    /// Open ends: visits per box without a better position before an end counts as open.
    pub idle_visits_per_box: u64,
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
    /// The same after single pushes, whose positions are many and cheap.
    pub corral_positions_after_push: u64,
    /// Macro moves that count as a visit, where they were generated to find packed and out-of-plan boxes. On
    /// boards with goals all over and no packing order, they took half of the time of the portfolio.
    pub macro_moves_per_visit: u64,
    /// Squares visited by a short search for a packing order.
    pub order_search: u64,
    /// Short searches for an order that all boxes can serve, before a long one.
    pub order_searches: u64,
    /// Squares visited by the long search.
    pub long_order_search: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            first_turn: 500,
            greed: 3,
            greedy_turns: 3,
            turns_beside_goals: 64,
            first_attempt: 2000,
            idle_visits_per_box: 20,
            deadlock_positions: 200,
            deadlock_positions_per_visit: 16,
            credit_per_visit: 3,
            credit_per_deadlock: 500,
            corral_positions: 4,
            corral_positions_after_push: 1,
            macro_moves_per_visit: 10,
            order_search: 500_000,
            order_searches: 11,
            long_order_search: 16_000_000,
        }
    }
}

impl Tuning {
    /// Every constant by its name.
    pub fn constants(&mut self) -> [(&'static str, &mut u64); 16] {
        [
            ("first_turn", &mut self.first_turn),
            ("greed", &mut self.greed),
            ("greedy_turns", &mut self.greedy_turns),
            ("turns_beside_goals", &mut self.turns_beside_goals),
            ("first_attempt", &mut self.first_attempt),
            ("idle_visits_per_box", &mut self.idle_visits_per_box),
            ("deadlock_positions", &mut self.deadlock_positions),
            ("deadlock_positions_per_visit", &mut self.deadlock_positions_per_visit),
            ("credit_per_visit", &mut self.credit_per_visit),
            ("credit_per_deadlock", &mut self.credit_per_deadlock),
            ("corral_positions", &mut self.corral_positions),
            ("corral_positions_after_push", &mut self.corral_positions_after_push),
            ("macro_moves_per_visit", &mut self.macro_moves_per_visit),
            ("order_search", &mut self.order_search),
            ("order_searches", &mut self.order_searches),
            ("long_order_search", &mut self.long_order_search),
        ]
    }
}
