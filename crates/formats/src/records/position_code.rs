//! Heled's code of a position: five characters, seen by the player about to roll.

use std::fmt;
use std::str::FromStr;

use puabi_core::{Position, Setup, SideSetup, Square};

/// A position of Finkel's game with seven pieces in five characters, seen by the player about to roll.
///
/// A number of 31 bits, written with 85 signs, the least significant first. From the top: three bits of my pieces in
/// hand, six of my private squares (1 to 4, 13, 14), the same of the opponent, and 13 bits of the eight shared squares
/// as a number of base three: 0 theirs, 1 empty, 2 mine.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_formats::PositionCode;
/// let start = RuleSet::FINKEL.compile()?.start();
/// assert_eq!(PositionCode::new(start).to_string(), "MoX5A");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PositionCode(u32);

/// The signs of the code, by their value.
const SIGNS: &[u8; 85] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
/// The number of characters of a code.
const LENGTH: usize = 5;
/// The private squares, the first bit first.
const PRIVATE: [u8; 6] = [1, 2, 3, 4, 13, 14];
/// The shared squares.
const SHARED: std::ops::RangeInclusive<u8> = 5..=12;
/// The number of pieces of a player.
const PIECES: u8 = 7;

/// The error of a text that is not the code of a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a position code: expected five characters such as MoX5A, the start")]
pub struct PositionCodeError {
    found: String,
}

impl PositionCode {
    /// Returns the code of a position of Finkel's game with seven pieces.
    pub fn new(position: Position) -> Self {
        let (mine, theirs) = (position.mine().squares(), position.theirs().squares());
        let has = |squares: puabi_core::Squares, number| {
            Square::new(number).is_some_and(|square| squares.contains(square))
        };
        let side = |side: puabi_core::Side| {
            let hand = PIECES - side.score() - side.on_board();
            let bits = PRIVATE.map(|number| u32::from(has(side.squares(), number)));
            bits.into_iter().fold(u32::from(hand), |code, bit| code << 1 | bit)
        };
        let shared = SHARED.fold(0, |code, number| {
            let digit = match (has(mine, number), has(theirs, number)) {
                (true, _) => 2,
                (_, true) => 0,
                _ => 1,
            };
            code * 3 + digit
        });
        Self((side(position.mine()) << 9 | side(position.theirs())) << 13 | shared)
    }

    /// Returns the pieces of the player about to roll, then the opponent's.
    ///
    /// Returns `None` if a side would have more than seven pieces, or if the bits of the shared squares exceed eight digits to
    /// base three.
    pub fn sides(self) -> Option<[SideSetup; 2]> {
        let (mut mine, mut theirs) = (side(self.0 >> 22), side(self.0 >> 13 & 0x1FF));
        let mut shared = self.0 & 0x1FFF;
        for number in SHARED.rev() {
            match shared % 3 {
                0 => theirs.1.extend(Square::new(number)),
                2 => mine.1.extend(Square::new(number)),
                _ => {}
            }
            shared /= 3;
        }
        let setup = |(hand, mut squares): (u8, Vec<Square>)| {
            squares.sort_unstable();
            let taken = u8::try_from(squares.len()).ok()?.checked_add(hand)?;
            Some(SideSetup { squares, score: PIECES.checked_sub(taken)? })
        };
        Some([setup(mine)?, setup(theirs)?]).filter(|_| shared == 0)
    }

    /// Returns the position with `turn` about to roll; `None` under the same condition as [`PositionCode::sides`].
    pub fn setup(self, turn: puabi_core::Player) -> Option<Setup> {
        let [mine, theirs] = self.sides()?;
        let (light, dark) = match turn {
            puabi_core::Player::Light => (mine, theirs),
            puabi_core::Player::Dark => (theirs, mine),
        };
        Some(Setup { light, dark, turn, roll: None, stacks: Vec::new() })
    }
}

/// Returns the hand and the private squares that nine bits stand for.
fn side(bits: u32) -> (u8, Vec<Square>) {
    let held = PRIVATE.into_iter().enumerate().filter(|(at, _)| bits >> (5 - at) & 1 == 1);
    let squares = held.filter_map(|(_, number)| Square::new(number)).collect();
    // Three bits always fit.
    (u8::try_from(bits >> 6 & 7).unwrap_or(0), squares)
}

impl fmt::Display for PositionCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0 as usize;
        let mut text = String::with_capacity(LENGTH);
        for _ in 0..LENGTH {
            text.push(char::from(SIGNS[rest % SIGNS.len()]));
            rest /= SIGNS.len();
        }
        f.pad(&text)
    }
}

impl FromStr for PositionCode {
    type Err = PositionCodeError;

    fn from_str(text: &str) -> Result<Self, PositionCodeError> {
        let value = |sign: u8| SIGNS.iter().position(|&known| known == sign).map(|at| at as u64);
        let code = || {
            let digits: Option<Vec<_>> = text.bytes().take(LENGTH + 1).map(value).collect();
            let digits = digits.filter(|digits| digits.len() == LENGTH)?;
            let code = digits.into_iter().rfold(0, |code, digit| code * SIGNS.len() as u64 + digit);
            u32::try_from(code).ok().filter(|code| code >> 31 == 0)
        };
        let found = || text.chars().take(20).collect();
        let code = code().map(Self).ok_or_else(|| PositionCodeError { found: found() })?;
        code.sides().map(|_| code).ok_or_else(|| PositionCodeError { found: found() })
    }
}
