//! A game that people and bots play, whatever screen shows it.

use puabi_core::{
    Afterstate, Agent, Decision, Double, DoubleError, Ending, Forfeit, Game, GameError, Move,
    Player, Ply, Record, Roll, Rules,
};

use crate::play::dice::DiceRng;
use crate::play::seat::Seat;
use crate::serial::Pair;

/// A game with its two players and the seed of their dice.
///
/// The dice, and the numbers by which agents draw moves, depend only on the seed and the number of plies. Moves that were played
/// or taken back before do not change them.
///
/// ```
/// use puabi_core::{Game, Record, RuleSet};
/// use puabi_engine::{FirstMove, Pair, Seat, Session};
///
/// let record = Record::new(Game::new(RuleSet::FINKEL.compile()?));
/// let seats = Pair { light: Seat::Human, dark: "first-move".parse()? };
/// let mut session = Session::new(record, seats, 7);
/// while !session.game().is_over() {
///     session.throw()?;
///     let action = session.reply(&FirstMove).expect("a roll is known")?;
///     session.choose(action)?;
/// }
/// assert!(session.undo());
/// assert_eq!(session.seated(), Some(&Seat::Human));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    record: Record,
    seats: Pair<Seat>,
    seed: u64,
}

impl Session {
    /// Returns the game of `record`, ready to go on.
    pub const fn new(record: Record, seats: Pair<Seat>, seed: u64) -> Self {
        Self { record, seats, seed }
    }

    /// Returns the record of the game.
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the game.
    pub const fn game(&self) -> &Game {
        &self.record.game
    }

    /// Returns the rules in force.
    pub fn rules(&self) -> &Rules {
        self.game().rules()
    }

    /// Returns the seed of the dice.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the seat that plays `player`'s pieces.
    pub fn seat(&self, player: Player) -> &Seat {
        &self.seats[player]
    }

    /// Returns the seats of both players.
    pub const fn seats(&self) -> &Pair<Seat> {
        &self.seats
    }

    /// Returns the player who rolls or moves next; `None` if the game is over or has ended early.
    pub fn turn(&self) -> Option<Player> {
        self.game().turn().filter(|_| self.record.ending.is_none())
    }

    /// Returns the seat that rolls or moves next; `None` if the game is over or has ended early.
    pub fn seated(&self) -> Option<&Seat> {
        self.turn().map(|player| self.seat(player))
    }

    /// Returns the agents that play, light's first.
    pub fn bots(&self) -> impl Iterator<Item = &crate::AgentSpec> {
        Player::BOTH.into_iter().filter_map(|player| self.seat(player).bot())
    }

    /// Returns whether at least one of the players is a person.
    pub fn has_people(&self) -> bool {
        self.bots().count() < Player::BOTH.len()
    }

    /// Returns the faces of the dice for the roll that waits for its move: for each die, whether a marked corner is up.
    ///
    /// Dice that were thrown by hand are shown in order, the marked corners first.
    pub fn faces(&self) -> Option<Vec<bool>> {
        let (pending, dice) = (self.game().pending()?, self.rules().rule_set().dice);
        let (thrower, roll) = self.dice();
        if roll == pending {
            return Some(thrower.faces(dice).collect());
        }
        let up = if pending.steps() == dice.zero_as() { 0 } else { pending.steps() };
        Some((0..dice.count()).map(|die| die < up).collect())
    }

    /// Throws the dice of this ply.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, or if a roll waits for its move.
    pub fn throw(&mut self) -> Result<Decision<'_>, GameError> {
        let (_, roll) = self.dice();
        self.record.game.roll(roll)
    }

    /// Takes the roll of dice that were thrown by hand.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, if a roll waits for its move, or if the dice cannot show this roll.
    pub fn take_roll(&mut self, roll: Roll) -> Result<Decision<'_>, GameError> {
        self.record.game.roll(roll)
    }

    /// Returns the move that `agent` plays with the roll that waits for one, or the forfeit by which it gives the game up; `None`
    /// if no roll waits. A second call returns the same move.
    pub fn reply<A: Agent + ?Sized>(&self, agent: &A) -> Option<Result<Move, Forfeit>> {
        let decision = self.game().decision()?;
        Some(agent.play(&decision, self.dice().0.number()))
    }

    /// Ends the game, because `player` gives it up. [`Session::undo`] takes that back.
    pub fn resign(&mut self, player: Player) {
        self.record.ending = Some(Ending::Resigned(player));
    }

    /// Doubles for the player about to roll.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Record::double`].
    pub fn double(&mut self) -> Result<(), DoubleError> {
        self.record.double()
    }

    /// Takes the double that waits for its answer, or passes and so gives the game up.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Record::answer_double`].
    pub fn answer_double(&mut self, takes: bool) -> Result<(), DoubleError> {
        self.record.answer_double(takes)
    }

    /// Plays `action` with the roll that waits for it.
    ///
    /// # Errors
    ///
    /// Returns an error if no roll waits for its move, or if the rules forbid the move.
    pub fn choose(&mut self, action: Move) -> Result<Afterstate, GameError> {
        self.record.game.play(action)
    }

    /// Goes back to the last decision of a person: a move, which can be chosen again with the same roll, a double, or the answer
    /// to one. If the game has ended early, only its end is taken back; a person who has passed a double answers it again, and
    /// one that an agent has passed is taken back with its answer. Returns whether there was anything to take back.
    pub fn undo(&mut self) -> bool {
        let passed_by = self.record.double_passed_by();
        if self.record.reopen() {
            return passed_by
                .is_none_or(|player| !self.is_person(player) || self.record.double().is_ok());
        }
        let at = self.game().plies().iter().rposition(|ply| self.is_choice(ply));
        let handled = self.record.doubles().filter(|(_, double)| self.is_handled(*double)).last();
        match (at, handled) {
            // A double with the number of a ply comes before that ply.
            (at, Some((before, double))) if at.is_none_or(|at| at < before) => {
                self.undo_double(before, double)
            }
            (Some(at), _) => {
                let roll = self.game().plies()[at].roll;
                self.go_back(at);
                // A roll that the start names is still there. Any other roll was possible here before, so it is possible again.
                self.game().pending().is_some() || self.record.game.roll(roll).is_ok()
            }
            (None, _) => false,
        }
    }

    /// Takes back one step of people who throw the dice by hand, and so may have typed a roll that they did not throw. It goes
    /// back to before the last roll if that roll waits for its move, or if the move of an agent or a pass has followed it.
    /// Otherwise, and if the game has ended early, it does what [`Session::undo`] does. Returns whether there was anything to
    /// take back.
    pub fn undo_by_hand(&mut self) -> bool {
        let plies = self.game().plies();
        let is_doubled =
            self.record.doubles().any(|(at, it)| at == plies.len() && self.is_handled(it));
        if self.record.ending.is_some() {
            return self.undo();
        }
        if self.game().thrown().is_some() {
            self.record.game.undo_roll();
            return true;
        }
        match plies.last() {
            Some(ply) if !is_doubled && !self.is_choice(ply) => {
                self.go_back(plies.len() - 1);
                true
            }
            _ => self.undo(),
        }
    }

    /// Goes back to the double after `plies` plies: to before its answer if a person gave the answer, and otherwise to before the
    /// double.
    fn undo_double(&mut self, plies: usize, double: Double) -> bool {
        self.go_back(plies);
        self.record.game.undo_roll();
        let note = self.record.note(plies).cloned().unwrap_or_default();
        match plies.checked_sub(1) {
            Some(last) => self.record.forget_after(last),
            None => self.record.set_stakes(self.record.stakes_at_start()),
        }
        self.record.set_note(plies, note);
        let is_answered = double.is_taken.is_some() && self.is_person(double.by.opponent());
        !is_answered || self.record.double().is_ok()
    }

    /// Takes back all plies after the first `plies`, with their notes.
    fn go_back(&mut self, plies: usize) {
        while self.game().plies().len() > plies {
            self.record.game.undo();
        }
        self.record.forget_after(plies);
    }

    /// Returns whether a person chose the move of a ply.
    fn is_choice(&self, ply: &Ply) -> bool {
        self.is_person(ply.player) && ply.action != Move::Pass
    }

    /// Returns whether a person doubled, or answered the double.
    fn is_handled(&self, double: Double) -> bool {
        self.is_person(double.by)
            || double.is_taken.is_some() && self.is_person(double.by.opponent())
    }

    fn is_person(&self, player: Player) -> bool {
        self.seats[player] == Seat::Human
    }

    /// Returns the dice of this ply and the roll that they show, whatever was played or taken back before.
    fn dice(&self) -> (DiceRng, Roll) {
        let mut thrower = DiceRng::at(self.seed, self.game().plies().len() as u64);
        let roll = thrower.throw(self.rules().rule_set().dice);
        (thrower, roll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::thumb::simple::Greedy;
    use puabi_core::{Note, RuleSet};

    fn session(light: &str, dark: &str) -> Session {
        let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
        let seats = Pair { light: light.parse().unwrap(), dark: dark.parse().unwrap() };
        Session::new(Record::new(Game::new(rules)), seats, 3)
    }

    fn play(session: &mut Session, plies: usize) {
        for _ in 0..plies {
            session.throw().unwrap();
            let action = session.reply(&Greedy).unwrap().unwrap();
            session.choose(action).unwrap();
        }
    }

    #[test]
    fn what_is_taken_back_comes_again_with_the_same_dice() {
        let mut session = session("human", "greedy");
        play(&mut session, 12);
        let once = session.clone();
        assert!(session.undo());
        assert_eq!(session.seated(), Some(&Seat::Human));
        let back = session.game().plies().len();
        let action = session.reply(&Greedy).unwrap().unwrap();
        session.choose(action).unwrap();
        play(&mut session, 11 - back);
        assert_eq!(session, once);
    }

    #[test]
    fn what_is_taken_back_takes_its_notes_with_it() {
        let mut session = session("human", "human");
        session.record.set_stakes(Some("cube 1 to 64".parse().unwrap()));
        play(&mut session, 4);
        for moment in 0..=5 {
            session.record.set_note(moment, Note::new(1000).with_comment("said"));
        }
        session.resign(Player::Light);
        assert!(session.undo());
        let noted = |session: &Session| session.record().notes().map(|(at, _)| at).max();
        assert_eq!(noted(&session), Some(4));

        assert!(session.undo());
        let at = session.game().plies().len();
        assert!(at < 4);
        assert_eq!(noted(&session), Some(at));
        let action = session.reply(&Greedy).unwrap().unwrap();
        session.choose(action).unwrap();
        assert_eq!(noted(&session), Some(at));
        session.double().unwrap();
        let text = session.record().to_string();
        assert_eq!(text.parse().as_ref(), Ok(session.record()), "{text}");
    }

    #[test]
    fn a_game_given_up_while_a_double_waits_is_kept_so() {
        let mut session = session("human", "human");
        session.record.set_stakes(Some("cube 1, match 3-3".parse().unwrap()));
        session.double().unwrap();
        session.resign(Player::Light);
        let read: Record = session.record().to_string().parse().unwrap();
        assert_eq!(&read, session.record());
        assert_eq!(session.score_after().unwrap().to_string(), "3-2");
    }

    #[test]
    fn doubles_and_their_answers_are_taken_back_one_by_one() {
        for plies in [0, 4] {
            let mut session = session("human", "human");
            session.record.set_stakes(Some("cube 1 to 64".parse().unwrap()));
            play(&mut session, plies);
            session.record.set_note(plies, Note::new(1000));
            let begun = session.clone();
            session.double().unwrap();
            let doubled = session.clone();
            session.answer_double(true).unwrap();
            session.throw().unwrap();
            assert!(session.undo());
            assert_eq!(session, doubled);
            assert!(session.undo());
            assert_eq!(session, begun);
            assert_eq!(session.undo(), plies > 0);
        }
    }

    #[test]
    fn rolls_thrown_by_hand_are_taken_back_one_by_one() {
        let throw = |session: &mut Session, roll| {
            session.take_roll(Roll::new(roll)).unwrap();
        };
        for (light, dark) in [("human", "greedy"), ("greedy", "human")] {
            let mut session = session(light, dark);
            let begun = session.clone();
            assert!(!session.undo_by_hand());
            throw(&mut session, 3);
            let thrown = session.clone();
            assert!(session.undo_by_hand());
            assert_eq!(session, begun);

            throw(&mut session, 3);
            let action = session.reply(&Greedy).unwrap().unwrap();
            session.choose(action).unwrap();
            let moved = session.clone();
            throw(&mut session, 0);
            session.choose(Move::Pass).unwrap();
            assert!(session.undo_by_hand());
            assert_eq!(session, moved, "a pass goes with its roll");
            assert!(session.undo_by_hand());
            assert_eq!(
                session,
                if light == "human" { thrown } else { begun },
                "a move stays a choice"
            );
        }
    }

    #[test]
    fn a_double_that_an_agent_answered_is_taken_back_with_its_answer() {
        for takes in [true, false] {
            let mut session = session("human", "greedy");
            session.record.set_stakes(Some("cube 1 to 64".parse().unwrap()));
            let begun = session.clone();
            session.double().unwrap();
            session.answer_double(takes).unwrap();
            assert!(session.undo());
            assert_eq!(session, begun);
        }
    }

    #[test]
    fn a_double_that_a_person_passed_is_answered_again() {
        for doubler in ["human", "greedy"] {
            let mut session = session(doubler, "human");
            session.record.set_stakes(Some("cube 1 to 64".parse().unwrap()));
            let begun = session.clone();
            session.double().unwrap();
            let doubled = session.clone();
            session.answer_double(false).unwrap();
            assert!(session.undo());
            assert_eq!(session, doubled);
            // An agent doubles again, so only a person's double is taken back.
            assert_eq!(session.undo(), doubler == "human");
            assert_eq!(session == begun, doubler == "human");
        }
    }

    #[test]
    fn bots_take_nothing_back() {
        let mut session = session("greedy", "greedy");
        play(&mut session, 12);
        assert!(!session.has_people() && !session.undo());
        assert_eq!(session.game().plies().len(), 12);
    }
}
