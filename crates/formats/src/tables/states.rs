//! The states of a table in the order of their keys.

use puabi_core::{Square, Squares};

use crate::tables::layout::{KeyLayout, State};

/// The states of a `.rgu` table in the order of their keys, which is the same for every [`WarTable`](crate::WarTable).
///
/// They are all placements in which dark has a piece left and light is about to roll. The iteration takes a few nanoseconds a
/// state.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_formats::{KeyLayout, States, WarTable};
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let layout = KeyLayout::new(&rules, WarTable::OwnPieces)?;
/// let keys: Vec<_> = States::new(&layout).map(|state| layout.key(state)).collect();
/// assert_eq!(keys.len(), 12_990);
/// assert!(keys.is_sorted());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct States {
    runs: Runs,
    run: Option<Run>,
    /// The number of states of the run that have been returned.
    at: usize,
}

impl States {
    /// Returns the states of the table that `layout` numbers.
    pub fn new(layout: &KeyLayout) -> Self {
        let mut runs = Runs::new(layout);
        let run = runs.next();
        Self { runs, run, at: 0 }
    }
}

impl Iterator for States {
    type Item = State;

    #[inline]
    fn next(&mut self) -> Option<State> {
        loop {
            let base = self.run?.base;
            if let Some(on_safe) = self.runs.dark_safe_choices(self.run?).get(self.at) {
                self.at += 1;
                return Some(State { dark: base.dark | on_safe.squares, ..base });
            }
            (self.run, self.at) = (self.runs.next(), 0);
        }
    }
}

/// The states, in runs of states that differ only on dark's safe tiles, which are the lowest bits of a key.
#[derive(Debug, Clone)]
pub(crate) struct Runs {
    pieces: u8,
    light_safe: Vec<Squares>,
    war: Vec<Vec<(Squares, Squares)>>,
    /// By the most pieces that dark's safe tiles may hold: what can be on them.
    dark_safe: Vec<Vec<DarkSafe>>,
    /// The digits of the next run: light's hand, dark's hand, light's safe tiles, and one for each war segment.
    at: [usize; DIGITS],
    done: bool,
}

/// A run of states.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// The state of the run with nothing on dark's safe tiles.
    pub(crate) base: State,
    /// Dark's pieces that are neither in hand nor on war tiles.
    pieces_left: usize,
}

/// What is on dark's safe tiles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DarkSafe {
    squares: Squares,
    /// The squares as the lowest bits of a key.
    pub(crate) bits: u32,
}

/// The number of digits of a run's key: two hands, a mask, and at most two war segments.
const DIGITS: usize = 5;

impl Runs {
    pub(crate) fn new(layout: &KeyLayout) -> Self {
        let mut war: Vec<_> = layout.segments.iter().map(|segment| segment.codes.clone()).collect();
        war.resize(2, vec![(Squares::EMPTY, Squares::EMPTY)]);
        let dark_safe = masks(&layout.dark_safe);
        let fitting = |pieces_left| {
            let choices = (0..).zip(&dark_safe).map(|(bits, &squares)| DarkSafe { squares, bits });
            choices.filter(|choice| choice.squares.len() <= pieces_left).collect()
        };
        Self {
            pieces: layout.pieces,
            light_safe: masks(&layout.light_safe),
            war,
            dark_safe: (0..=layout.pieces).map(fitting).collect(),
            at: [0; DIGITS],
            done: false,
        }
    }

    /// Returns what is on dark's safe tiles in the states of a run, in their order.
    pub(crate) fn dark_safe_choices(&self, run: Run) -> &[DarkSafe] {
        // The first of them is nothing: with it dark would have no piece left.
        let is_over = run.base.dark_hand == 0 && run.base.dark.is_empty();
        &self.dark_safe[run.pieces_left][usize::from(is_over)..]
    }

    /// Returns how many values the digit at a place has.
    fn base(&self, place: usize) -> usize {
        match place {
            0 | 1 => usize::from(self.pieces) + 1,
            2 => self.light_safe.len(),
            _ => self.war[place - 3].len(),
        }
    }

    /// Returns how many pieces of light and of dark the digit at a place stands for.
    fn pieces_at(&self, place: usize) -> (u8, u8) {
        let at = self.at[place];
        match place {
            0 => (hand(at), 0),
            1 => (0, hand(at)),
            2 => (self.light_safe[at].len(), 0),
            _ => {
                let (light, dark) = self.war[place - 3][at];
                (light.len(), dark.len())
            }
        }
    }

    /// Returns the number of pieces that dark has left to place. The error is the first place at which a side has too many pieces.
    fn pieces_left(&self) -> Result<u8, usize> {
        let (mut light, mut dark) = (0, 0);
        for place in 0..DIGITS {
            let (lights, darks) = self.pieces_at(place);
            light += lights;
            dark += darks;
            if light > self.pieces || dark > self.pieces {
                return Err(place);
            }
        }
        Ok(self.pieces - dark)
    }

    /// Counts up by one at a place, and restarts the places after it at 0.
    fn advance(&mut self, place: usize) {
        self.at[place + 1..].fill(0);
        for place in (0..=place).rev() {
            self.at[place] += 1;
            if self.at[place] < self.base(place) {
                return;
            }
            self.at[place] = 0;
        }
        self.done = true;
    }

    fn state(&self) -> State {
        let [light_hand, dark_hand, light, first, second] = self.at;
        let (first, second) = (self.war[0][first], self.war[1][second]);
        State {
            light: self.light_safe[light] | first.0 | second.0,
            dark: first.1 | second.1,
            light_hand: hand(light_hand),
            dark_hand: hand(dark_hand),
        }
    }
}

impl Iterator for Runs {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        while !self.done {
            match self.pieces_left() {
                Err(place) => self.advance(place),
                Ok(pieces_left) => {
                    let run = Run { base: self.state(), pieces_left: pieces_left.into() };
                    self.advance(DIGITS - 1);
                    return Some(run);
                }
            }
        }
        None
    }
}

/// Returns the number of pieces in a hand, at most seven.
fn hand(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// Returns every set of these squares, in the order of the numbers whose bits they are.
fn masks(squares: &[Square]) -> Vec<Squares> {
    let held = |mask: usize| {
        let held = squares.iter().enumerate().filter(move |(at, _)| mask >> at & 1 == 1);
        held.map(|(_, &square)| square).collect()
    };
    (0..1_usize << squares.len()).map(held).collect()
}
