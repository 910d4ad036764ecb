//! The states of a table in the order of their keys.

use puabi_core::Squares;

use crate::layout::{KeyLayout, State};

/// The states of a `.rgu` table in the order of their keys, which is the same for every [`WarTable`](crate::WarTable).
///
/// They are all placements in which dark has a piece left, light about to roll. Takes a few nanoseconds a state.
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
    pieces: u8,
    light_safe: Vec<Squares>,
    dark_safe: Vec<Squares>,
    war: Vec<Vec<(Squares, Squares)>>,
    /// Light's hand, dark's hand, light's safe tiles, a place for each war segment, dark's safe tiles.
    at: [usize; DIGITS],
    done: bool,
}

/// Places of a key that count on their own: two hands, two masks, and at most two war segments.
const DIGITS: usize = 6;

impl States {
    /// Returns the states of the table that `layout` numbers.
    pub fn new(layout: &KeyLayout) -> Self {
        let masks = |squares: &[puabi_core::Square]| {
            let held = |mask: usize| {
                let held = squares.iter().enumerate().filter(move |(at, _)| mask >> at & 1 == 1);
                held.map(|(_, &square)| square).collect()
            };
            (0..1_usize << squares.len()).map(held).collect()
        };
        let mut war: Vec<_> = layout.segments.iter().map(|segment| segment.codes.clone()).collect();
        war.resize(2, vec![(Squares::EMPTY, Squares::EMPTY)]);
        Self {
            pieces: layout.pieces,
            light_safe: masks(&layout.light_safe),
            dark_safe: masks(&layout.dark_safe),
            war,
            at: [0; DIGITS],
            done: false,
        }
    }

    /// How many values the digit at a place has.
    fn base(&self, place: usize) -> usize {
        match place {
            0 | 1 => usize::from(self.pieces) + 1,
            2 => self.light_safe.len(),
            3 | 4 => self.war[place - 3].len(),
            _ => self.dark_safe.len(),
        }
    }

    /// The pieces of light and of dark that the digit at a place stands for.
    fn pieces_at(&self, place: usize) -> (u8, u8) {
        let at = self.at[place];
        // A hand has at most seven.
        let hand = u8::try_from(at).unwrap_or(u8::MAX);
        match place {
            0 => (hand, 0),
            1 => (0, hand),
            2 => (self.light_safe[at].len(), 0),
            3 | 4 => {
                let (light, dark) = self.war[place - 3][at];
                (light.len(), dark.len())
            }
            _ => (0, self.dark_safe[at].len()),
        }
    }

    /// Returns the first place by which a side has too many pieces, if there is one.
    fn overfull(&self) -> Option<usize> {
        let (mut light, mut dark) = (0, 0);
        (0..DIGITS).find(|&place| {
            let (lights, darks) = self.pieces_at(place);
            light += lights;
            dark += darks;
            light > self.pieces || dark > self.pieces
        })
    }

    /// Counts one up at a place, those after it from nought.
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
        let [light_hand, dark_hand, light, first, second, dark] = self.at;
        let (first, second) = (self.war[0][first], self.war[1][second]);
        let hand = |count| u8::try_from(count).unwrap_or(u8::MAX);
        State {
            light: self.light_safe[light] | first.0 | second.0,
            dark: self.dark_safe[dark] | first.1 | second.1,
            light_hand: hand(light_hand),
            dark_hand: hand(dark_hand),
        }
    }
}

impl Iterator for States {
    type Item = State;

    fn next(&mut self) -> Option<State> {
        while !self.done {
            if let Some(place) = self.overfull() {
                self.advance(place);
                continue;
            }
            let state = self.state();
            self.advance(DIGITS - 1);
            if state.dark_hand > 0 || !state.dark.is_empty() {
                return Some(state);
            }
        }
        None
    }
}
