//! Seeded chance: throws of the dice, and draws from policies.

use puabi_core::{Agent, Decision, Dice, Move, Player, Roll};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// Throws dice and draws moves from policies; one seed means the same sequence for ever.
///
/// Both generators are PCG XSL RR 128/64 (`Pcg64`): one for dice, with the seed as its state, on stream 1, and one for moves, whose
/// state and stream are drawn from the seed (`seed_from_u64`). Every ply takes one number of 64 bits from each, whether it is used
/// or not. So what the players do never changes the dice, and a game can go on from any ply. The highest bits of the first number
/// are the dice, those of the second number the draw.
///
/// ```
/// use puabi_core::Dice;
/// use puabi_engine::DiceRng;
/// let mut thrower = DiceRng::new(42);
/// thrower.throw(Dice::FOUR);
/// let mut resumed = DiceRng::at(42, 1);
/// assert_eq!(thrower.throw(Dice::FOUR), resumed.throw(Dice::FOUR));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiceRng {
    dice: Pcg64,
    moves: Pcg64,
    faces: u64,
    draw: u64,
}

impl DiceRng {
    /// Returns the dice and draws of `seed`.
    pub fn new(seed: u64) -> Self {
        Self::at(seed, 0)
    }

    /// Returns the dice and draws of `seed` as they are after `plies` throws.
    pub fn at(seed: u64, plies: u64) -> Self {
        // Generators with one state on two streams differ, at each ply, by a number that no seed changes. So their numbers would
        // depend on each other, at the same plies of all games.
        let generators = [Pcg64::new(u128::from(seed), 1), Pcg64::seed_from_u64(seed)];
        let [dice, moves] = generators.map(|mut generator| {
            generator.advance(u128::from(plies));
            generator
        });
        Self { dice, moves, faces: 0, draw: 0 }
    }

    /// Returns the player who begins a game of `seed` if nothing else decides that: either player half of the time, by a draw
    /// from another stream.
    pub fn beginner(seed: u64) -> Player {
        // The highest bit.
        if Pcg64::new(u128::from(seed), 3).next_u64() >> 63 == 0 {
            Player::Light
        } else {
            Player::Dark
        }
    }

    /// Returns the roll of one throw of `dice`, which begins a ply.
    #[expect(clippy::cast_possible_truncation, reason = "there are at most eight dice")]
    pub fn throw(&mut self, dice: Dice) -> Roll {
        self.faces = self.dice.next_u64();
        self.draw = self.moves.next_u64();
        let shown = self.faces >> (u64::BITS - u32::from(dice.count()));
        match shown.count_ones() {
            0 => Roll::new(dice.zero_as()),
            sum => Roll::new(sum as u8),
        }
    }

    /// Returns the faces of `dice` after the last throw: for each die, whether a marked corner is up.
    pub fn faces(&self, dice: Dice) -> impl Iterator<Item = bool> {
        let faces = self.faces;
        (0..dice.count()).map(move |die| faces >> (u64::BITS - 1 - u32::from(die)) & 1 == 1)
    }

    /// Returns the number that the last throw gives for a draw, uniform in 0..1 in steps of 2^-53.
    #[inline]
    pub fn number(&self) -> f64 {
        (self.draw >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns the move that `agent` plays in `decision`; a second call in the same ply returns the same move.
    pub fn choose<A: Agent + ?Sized>(&self, decision: &Decision<'_>, agent: &A) -> Move {
        agent.choose(decision, self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puabi_core::{Policy, RuleSet};

    #[test]
    fn a_seed_means_the_same_throws_for_ever() {
        // These were computed separately, from the definition of the generator.
        let mut thrower = DiceRng::new(2026);
        let rolls: Vec<_> = (0..16).map(|_| thrower.throw(Dice::FOUR).steps()).collect();
        assert_eq!(rolls, [0, 2, 3, 2, 1, 3, 0, 2, 3, 2, 2, 2, 1, 3, 2, 3]);
        let mut thrower = DiceRng::new(2026);
        let rolls: Vec<_> =
            (0..16).map(|_| thrower.throw(Dice::THREE_ZERO_IS_FOUR).steps()).collect();
        assert_eq!(rolls, [4, 1, 2, 1, 1, 2, 4, 1, 2, 2, 1, 2, 1, 2, 1, 2]);
    }

    #[test]
    fn the_faces_add_up_to_the_roll() {
        let mut thrower = DiceRng::new(4);
        for _ in 0..100 {
            let roll = thrower.throw(Dice::FOUR);
            assert_eq!(thrower.faces(Dice::FOUR).count(), 4);
            let up = thrower.faces(Dice::FOUR).filter(|&is_up| is_up).count();
            assert_eq!(up, usize::from(roll.steps()));
        }
    }

    #[test]
    fn either_player_begins_half_of_the_games_and_not_by_turns() {
        let begins = |seed| DiceRng::beginner(seed) == Player::Light;
        let light = (0..10_000).filter(|&seed| begins(seed)).count();
        let again = (0..10_000).filter(|&seed| begins(seed) == begins(seed + 1)).count();
        // Five standard deviations are 250.
        assert!(
            [light, again].iter().all(|&found| found.abs_diff(5_000) < 250),
            "{light}, {again}"
        );
    }

    #[test]
    fn dice_draws_and_who_begins_do_not_depend_on_each_other() {
        const SEEDS: u64 = 40_000;
        const PLIES: usize = 200;
        let mut sums = [[0.0_f64; 3]; PLIES];
        for seed in (0..SEEDS).map(|it| it.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
            let mut thrower = DiceRng::new(seed);
            let begins = if DiceRng::beginner(seed) == Player::Light { 1.0 } else { -1.0 };
            for sums in &mut sums {
                // Of mean 0 and variance 1, both.
                let roll = f64::from(thrower.throw(Dice::FOUR).steps()) - 2.0;
                let draw = (thrower.number() - 0.5) * 12_f64.sqrt();
                let products = [roll * draw, roll * begins, draw * begins];
                sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
            }
        }
        // Five standard deviations.
        let most = 5.0 * (SEEDS as f64).sqrt();
        for (ply, sums) in sums.iter().enumerate() {
            assert!(sums.iter().all(|sum| sum.abs() < most), "ply {ply}: {sums:?}, at most {most}");
        }
    }

    #[test]
    fn throws_come_as_often_as_their_chances_say() {
        for preset in RuleSet::PRESETS {
            let dice = preset.dice;
            let mut thrower = DiceRng::new(1);
            let mut counts = [0_u32; 16];
            for _ in 0..16_384 {
                counts[usize::from(thrower.throw(dice).steps())] += 1;
            }
            for steps in 0..16 {
                let expected = dice.chance(Roll::new(steps)) * 16_384.0;
                let found = f64::from(counts[usize::from(steps)]);
                // Five standard deviations are at most 320.
                assert!((found - expected).abs() < 320.0, "{dice}: {steps} came {found} times");
            }
        }
    }

    #[test]
    fn the_first_throw_is_fair_over_seeds() {
        let ones = (0..16_384).filter(|&seed| DiceRng::new(seed).throw(Dice::FOUR).steps() > 2);
        // 5 of 16 throws, give or take five standard deviations.
        assert!((ones.count() as f64 - 5_120.0).abs() < 300.0);
    }

    /// Plays the first and the last of three moves equally often.
    struct Either;

    impl Agent for Either {
        fn policy(&self, _: &Decision<'_>) -> Policy {
            Policy::from_iter([0.5, 0.0, 0.5])
        }
    }

    #[test]
    fn draws_come_as_often_as_the_policy_says() {
        let rules = RuleSet::FINKEL.compile().unwrap();
        let position = rules.position(&"1,3,5:-:L".parse().unwrap()).unwrap();
        let decision = rules.decision(position, Roll::new(1));
        let mut thrower = DiceRng::new(5);
        let mut draw = || {
            thrower.throw(Dice::FOUR);
            thrower.choose(&decision, &Either)
        };
        let draws: Vec<_> = (0..4096).map(|_| draw()).collect();
        let moves = decision.moves();
        assert!(!draws.contains(&moves[1]));
        let first = draws.iter().filter(|&&action| action == moves[0]).count();
        assert!((1_888..=2_208).contains(&first), "{first}");
    }
}
