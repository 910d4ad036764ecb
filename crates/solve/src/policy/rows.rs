//! The value of one player's roll on a board, given the values of the boards that moves lead to.

use puabi_core::Player;

use super::cells::Cells;

/// `N` values, one for each measure.
pub(super) type Measured<const N: usize> = [f64; N];

/// Adds `weight` times `values`.
#[inline]
pub(super) fn add<const N: usize>(sum: &mut Measured<N>, weight: f64, values: Measured<N>) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += weight * value;
    }
}

/// What a move leads to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lead<const N: usize> {
    /// Out of the unit, to these values.
    Out(Measured<N>),
    /// To a cell of the unit.
    In(u32),
    /// To the same board with the other player about to roll. A pass is the only move of its roll.
    Pass,
}

/// A legal move: how often a policy makes it, what it gathers and what it leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct PolicyMove<const N: usize, L = Lead<N>> {
    pub(super) chance: f64,
    pub(super) gain: Measured<N>,
    pub(super) lead: L,
}

impl<const N: usize, L> PolicyMove<N, L> {
    /// Returns the same move with `lead` as what it leads to.
    pub(super) fn to(&self, lead: Lead<N>) -> PolicyMove<N> {
        PolicyMove { chance: self.chance, gain: self.gain, lead }
    }
}

/// One player's turns on consecutive boards, without what passes lead to.
#[derive(Debug)]
pub(super) struct Rows<const N: usize> {
    /// By row: the part of its value that does not depend on other boards of the unit.
    constants: Vec<Measured<N>>,
    /// By row: the chance of a pass.
    passes: Vec<f64>,
    leads: Leads<N>,
}

/// The number of moves that a row of a policy is assumed to have: most rows have no more.
const MOVES_A_ROW: usize = 8;
/// The number of moves between the one that is added up and the one whose cell is prefetched.
const AHEAD: usize = 24;

/// What rows lead to inside the unit.
#[derive(Debug)]
enum Leads<const N: usize> {
    /// The mean over a policy.
    Given(Given),
    /// The best move of each roll.
    Best(Best<N>),
}

/// By row: cells with the chance of each.
#[derive(Debug)]
struct Given {
    ends: Vec<u32>,
    cells: Vec<u32>,
    chances: Vec<f64>,
}

/// By row: rolls whose best move depends on other boards of the unit.
#[derive(Debug)]
struct Best<const N: usize> {
    by: Player,
    ends: Vec<u32>,
    rolls: Vec<OpenRoll<N>>,
    cells: Vec<u32>,
    gains: Vec<Measured<N>>,
}

/// A roll of which some moves stay in the unit.
#[derive(Debug, Clone, Copy)]
struct OpenRoll<const N: usize> {
    chance: f64,
    /// The best of the moves that leave the unit.
    exit: Option<Measured<N>>,
    /// One past the last of the moves that stay in the unit.
    end: u32,
}

impl<const N: usize> Rows<N> {
    /// Returns room for the given number of rows of a player who follows a policy.
    pub(super) fn given(rows: usize) -> Self {
        let moves = rows * MOVES_A_ROW;
        let (cells, chances) = (Vec::with_capacity(moves), Vec::with_capacity(moves));
        Self::with(rows, Leads::Given(Given { ends: Vec::with_capacity(rows), cells, chances }))
    }

    /// Returns room for the given number of rows of a player who makes the best move of each roll.
    pub(super) fn best(rows: usize, by: Player) -> Self {
        let (ends, rolls) = (Vec::with_capacity(rows), Vec::new());
        let best = Best { by, ends, rolls, cells: Vec::new(), gains: Vec::new() };
        Self::with(rows, Leads::Best(best))
    }

    fn with(rows: usize, leads: Leads<N>) -> Self {
        Self { constants: Vec::with_capacity(rows), passes: Vec::with_capacity(rows), leads }
    }

    /// Begins a row.
    pub(super) fn push(&mut self) {
        self.constants.push([0.0; N]);
        self.passes.push(0.0);
        match &mut self.leads {
            Leads::Given(given) => given.ends.push(last_end(&given.ends)),
            Leads::Best(best) => best.ends.push(last_end(&best.ends)),
        }
    }

    /// Adds a roll, with its chance and its moves, to the last row.
    pub(super) fn add_roll(&mut self, chance: f64, choices: &[PolicyMove<N>]) {
        let (Some(constant), Some(pass)) = (self.constants.last_mut(), self.passes.last_mut())
        else {
            return;
        };
        if let [PolicyMove { gain, lead: Lead::Pass, .. }] = choices {
            add(constant, chance, *gain);
            *pass += chance;
            return;
        }
        match &mut self.leads {
            Leads::Given(given) => given.add_roll(chance, choices, constant),
            Leads::Best(best) => best.add_roll(chance, choices, constant),
        }
    }

    /// Returns the chance of a pass in a row.
    #[inline]
    pub(super) fn pass(&self, row: usize) -> f64 {
        self.passes[row]
    }

    /// Returns the value of a row, passes left out.
    #[inline]
    pub(super) fn sum(&self, row: usize, cells: &Cells<N>) -> Measured<N> {
        let mut sum = self.constants[row];
        match &self.leads {
            Leads::Given(given) => given.add_row(row, cells, &mut sum),
            Leads::Best(best) => best.add_row(row, cells, &mut sum),
        }
        sum
    }

    /// Gives back memory that was set aside for more rows.
    pub(super) fn shrink(&mut self) {
        self.constants.shrink_to_fit();
        self.passes.shrink_to_fit();
        match &mut self.leads {
            Leads::Given(Given { ends, cells, chances }) => {
                (ends.shrink_to_fit(), cells.shrink_to_fit(), chances.shrink_to_fit())
            }
            Leads::Best(best) => {
                best.rolls.shrink_to_fit();
                (best.ends.shrink_to_fit(), best.cells.shrink_to_fit(), best.gains.shrink_to_fit())
            }
        };
    }
}

impl Given {
    fn add_roll<const N: usize>(
        &mut self,
        chance: f64,
        choices: &[PolicyMove<N>],
        constant: &mut Measured<N>,
    ) {
        for choice in choices.iter().filter(|choice| choice.chance > 0.0) {
            let weight = chance * choice.chance;
            add(constant, weight, choice.gain);
            match choice.lead {
                Lead::Out(values) => add(constant, weight, values),
                Lead::In(cell) => {
                    self.cells.push(cell);
                    self.chances.push(weight);
                }
                Lead::Pass => unreachable!("a pass is the only move of a roll"),
            }
        }
        if let Some(end) = self.ends.last_mut() {
            *end = count(self.cells.len());
        }
    }

    #[inline]
    fn add_row<const N: usize>(&self, row: usize, cells: &Cells<N>, sum: &mut Measured<N>) {
        let moves = range(&self.ends, row);
        // The number of cells is always the same, however many moves the row has, so the length of the loop is known.
        let soon = self.cells.get(moves.start + AHEAD..);
        if let Some(soon) = soon.and_then(<[u32]>::first_chunk::<MOVES_A_ROW>) {
            for &cell in soon {
                cells.prefetch(cell as usize);
            }
        }
        for (&cell, &chance) in self.cells[moves.clone()].iter().zip(&self.chances[moves]) {
            add(sum, chance, cells.get(cell as usize));
        }
    }
}

impl<const N: usize> Best<N> {
    fn add_roll(&mut self, chance: f64, choices: &[PolicyMove<N>], constant: &mut Measured<N>) {
        let (before, mut exit) = (self.cells.len(), None);
        for choice in choices {
            match choice.lead {
                Lead::Out(mut values) => {
                    add(&mut values, 1.0, choice.gain);
                    exit = Some(self.better(exit, values));
                }
                Lead::In(cell) => {
                    self.cells.push(cell);
                    self.gains.push(choice.gain);
                }
                Lead::Pass => unreachable!("a pass is the only move of a roll"),
            }
        }
        match exit {
            Some(exit) if self.cells.len() == before => add(constant, chance, exit),
            _ => self.rolls.push(OpenRoll { chance, exit, end: count(self.cells.len()) }),
        }
        if let Some(end) = self.ends.last_mut() {
            *end = count(self.rolls.len());
        }
    }

    #[inline]
    fn add_row(&self, row: usize, cells: &Cells<N>, sum: &mut Measured<N>) {
        let rolls = range(&self.ends, row);
        let mut start = rolls.start.checked_sub(1).map_or(0, |last| self.rolls[last].end);
        for roll in &self.rolls[rolls] {
            let moves = start as usize..roll.end as usize;
            let mut best = roll.exit;
            for (&cell, &gain) in self.cells[moves.clone()].iter().zip(&self.gains[moves]) {
                let mut values = cells.get(cell as usize);
                add(&mut values, 1.0, gain);
                best = Some(self.better(best, values));
            }
            add(sum, roll.chance, best.expect("an open roll has moves"));
            start = roll.end;
        }
    }

    /// Returns the better of two results for this player, by the first measure.
    #[inline]
    fn better(&self, best: Option<Measured<N>>, other: Measured<N>) -> Measured<N> {
        match best {
            Some(best) if self.by == Player::Light && best[0] >= other[0] => best,
            Some(best) if self.by == Player::Dark && best[0] <= other[0] => best,
            _ => other,
        }
    }
}

/// Returns the places that belong to `row`, given one past the last place of each row.
#[inline]
fn range(ends: &[u32], row: usize) -> std::ops::Range<usize> {
    let start = if row == 0 { 0 } else { ends[row - 1] };
    start as usize..ends[row] as usize
}

fn last_end(ends: &[u32]) -> u32 {
    ends.last().copied().unwrap_or_default()
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("the moves of a strip of boards are fewer than 2^32")
}
