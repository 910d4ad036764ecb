//! The logs of Heled's program: a line for each ply, with the roll and the square that a piece leaves.

use std::fmt;

use puabi_core::{Game, Move, Player, Record, RecordError, Roll, RuleSet, Setup, Square, ascii};

use crate::records::conversion::{Reading, WriteError, Written, has_comment_on_end};
use crate::records::playback::Playback;
use crate::records::position_code::PositionCode;
use crate::records::problem::{Problem, excerpt, offset};

/// The signs of light's squares, the first to the last; dark's have capital letters.
const SQUARES: &[u8; 14] = b"abcd12345678yz";
/// The sign of the hand, as the source of a piece that enters.
const HAND: char = 'e';
const BOARD: &str = "Board:";
const NAMES: &str = "X is ";
const OTHER_NAME: &str = ", O is ";

/// The forms of a line.
const STATEMENTS: &str = "`X: 3 a`, `O: 0`, `X: wins`, `X is A, O is B`, `Board:` or `#`";

/// What a line says.
enum Statement<'t> {
    Comment(&'t str),
    Board(&'t str),
    Names(&'t str, &'t str),
    Wins(Player),
    Ply(Player, &'t str, Option<&'t str>),
}

pub(crate) fn read(text: &str) -> Result<Reading, RecordError> {
    let mut log = Log::default();
    let lines = ascii::lines(text).map(str::trim_ascii).filter(|line| !line.is_empty());
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return Err(Problem::expected("nothing", STATEMENTS).at(text, 0));
    }
    for line in lines {
        log.line(line).map_err(|(problem, part)| problem.at(text, offset(text, part)))?;
    }
    let record = log.finish().map_err(|problem| problem.at(text, text.len()))?;
    Ok(Reading::without_remarks(record))
}

/// Reads a line without the spaces around it.
fn statement(line: &str) -> Result<Statement<'_>, Problem> {
    let statement = match line.as_bytes() {
        [b'X', b':', ..] => of_player(Player::Light, &line[2..]),
        [b'O', b':', ..] => of_player(Player::Dark, &line[2..]),
        [b'#', ..] => Some(Statement::Comment(&line[1..])),
        _ => heading(line),
    };
    statement.ok_or_else(|| Problem::expected(excerpt(line), STATEMENTS))
}

/// Reads what follows the letter of a player: a ply, or that the player wins.
fn of_player(player: Player, rest: &str) -> Option<Statement<'_>> {
    let mut words = ascii::words(rest);
    match (words.next(), words.next(), words.next()) {
        (Some("wins"), None, None) => Some(Statement::Wins(player)),
        (Some(roll), source, None) => Some(Statement::Ply(player, roll, source)),
        _ => None,
    }
}

/// Reads a line that comes before the plies.
fn heading(line: &str) -> Option<Statement<'_>> {
    if let Some(code) = line.strip_prefix(BOARD) {
        return Some(Statement::Board(code.trim().trim_matches('"')));
    }
    let (light, dark) = line.strip_prefix(NAMES)?.split_once(OTHER_NAME)?;
    Some(Statement::Names(light, dark))
}

/// A log read up to some line. Board, names and comments before the first ply wait, because only that ply shows
/// which player begins.
#[derive(Default)]
struct Log {
    playback: Option<Playback>,
    board: Option<PositionCode>,
    names: Option<[String; 2]>,
    comments: String,
}

impl Log {
    /// Reads a line; a problem comes with the part of the line that it is about.
    fn line<'t>(&mut self, line: &'t str) -> Result<(), (Problem, &'t str)> {
        let whole = |problem| (problem, line);
        match statement(line).map_err(whole)? {
            Statement::Comment(comment) => match &mut self.playback {
                Some(playback) => playback.comment(comment),
                None => self.comments.extend([comment, "\n"]),
            },
            Statement::Names(light, dark) => self.set_names([light, dark]).map_err(whole)?,
            Statement::Board(code) => self.set_board(code).map_err(whole)?,
            Statement::Wins(player) => self.check_winner(player).map_err(whole)?,
            Statement::Ply(player, roll, source) => {
                self.turn(player).map_err(whole)?;
                self.ply(player, roll, source)?;
            }
        }
        Ok(())
    }

    fn set_names(&mut self, names: [&str; 2]) -> Result<(), Problem> {
        if self.names.is_some() {
            return Err(Problem::expected("names a second time", "one game a file"));
        }
        self.names = Some(names.map(str::to_owned));
        Ok(())
    }

    fn set_board(&mut self, code: &str) -> Result<(), Problem> {
        if self.board.is_some() {
            return Err(Problem::expected("a second board", "one game a file"));
        }
        if self.playback.is_some() {
            return Err(Problem::expected("a board after the first ply", "it before all plies"));
        }
        self.board = Some(code.parse()?);
        Ok(())
    }

    /// Returns the game; starts it with `player` on turn if it has not begun.
    fn begun(&mut self, player: Player) -> Result<&mut Playback, Problem> {
        if self.playback.is_none() {
            let rules = RuleSet::FINKEL.compile()?;
            let usual = rules.setup(rules.start(), player);
            // The code shows light's view, even if dark rolls first.
            let stated = self.board.and_then(|code| code.setup(Player::Light));
            let setup = stated.map_or(usual, |stated| Setup { turn: player, ..stated });
            let mut playback = Playback::new(Game::from_setup(rules, setup)?);
            if !self.comments.is_empty() {
                playback.comment(&self.comments);
            }
            self.playback = Some(playback);
        }
        Ok(self.playback.as_mut().expect("a game that has just begun"))
    }

    /// Checks that `player` may roll.
    fn turn(&mut self, player: Player) -> Result<(), Problem> {
        let playback = self.begun(player)?;
        playback.missing_move().map_or_else(|| playback.check_turn(player), Err)
    }

    /// Plays a ply of the player whose turn it is.
    fn ply<'t>(
        &mut self,
        player: Player,
        roll: &'t str,
        source: Option<&'t str>,
    ) -> Result<(), (Problem, &'t str)> {
        let in_roll = |problem| (problem, roll);
        let playback = self.begun(player).map_err(in_roll)?;
        let steps = ascii::number(roll);
        let steps =
            steps.ok_or_else(|| in_roll(Problem::expected(excerpt(roll), "a roll, 0 to 4")))?;
        playback.throw(Roll::new(steps)).map_err(in_roll)?;
        let Some(source) = source else { return playback.pass_if_forced().map_err(in_roll) };
        let moved = action(player, steps, source).and_then(|action| playback.play(action));
        moved.map_err(|problem| (problem, source))
    }

    fn check_winner(&mut self, player: Player) -> Result<(), Problem> {
        let winner = self.begun(player)?.game().winner();
        if winner == Some(player) {
            return Ok(());
        }
        Err(Problem::expected(
            format!("{player} wins"),
            "`wins` only after that player's last piece is home",
        ))
    }

    fn finish(mut self) -> Result<Record, Problem> {
        self.begun(Player::Light)?;
        let mut record = self.playback.map(Playback::finish).expect("a game that has begun");
        for (key, name) in ["light", "dark"].into_iter().zip(self.names.into_iter().flatten()) {
            if record.set_header(key, name.trim()).is_err() {
                record.tags.set(key, name);
            }
        }
        Ok(record)
    }
}

/// Returns the move of the piece on the square that a letter or a digit names.
fn action(player: Player, steps: u8, source: &str) -> Result<Move, Problem> {
    let mut signs = source.chars();
    // Heled's program reads the squares of both players in either case.
    let sign =
        signs.next().filter(|_| signs.next().is_none()).map(|sign| sign.to_ascii_lowercase());
    let at = sign.and_then(|sign| SQUARES.iter().position(|&known| char::from(known) == sign));
    let number = at.and_then(|at| u8::try_from(at + 1).ok());
    if number.is_none() && sign != Some(HAND) {
        let expected = match player {
            Player::Light => "e, a to d, 1 to 8, y or z",
            Player::Dark => "E, A to D, 1 to 8, Y or Z",
        };
        return Err(Problem::expected(excerpt(source), expected));
    }
    let to = Square::new(number.unwrap_or(0).saturating_add(steps));
    Ok(
        match (
            number.and_then(Square::new),
            to.filter(|to| usize::from(to.number()) <= SQUARES.len()),
        ) {
            (None, Some(to)) => Move::Enter { to },
            (Some(from), Some(to)) => Move::Advance { from, to },
            (Some(from), None) => Move::Score { from },
            (None, None) => Move::Pass,
        },
    )
}

pub(crate) fn write(record: &Record) -> Result<Written, WriteError> {
    let rule_set = record.game.rules().rule_set();
    if *rule_set != RuleSet::FINKEL {
        return Err(WriteError(format!(
            "{rule_set}: Heled's logs hold games by Finkel's rules with seven pieces only"
        )));
    }
    Ok(Written { text: Text(record).to_string(), lost: lost(record) })
}

/// A record as a log.
struct Text<'a>(&'a Record);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (record, game) = (self.0, &self.0.game);
        self.write_comment(f, 0)?;
        if let Some(line) = names(record) {
            writeln!(f, "{line}")?;
        }
        let view = Setup { turn: Player::Light, roll: None, ..game.start().clone() };
        if let Ok(position) = game.rules().position(&view) {
            writeln!(f, "{BOARD} \"{}\"", PositionCode::new(position))?;
        }
        for (ply, moment) in game.plies().iter().zip(1..) {
            let source = source(ply.player, ply.action).map(String::from).unwrap_or_default();
            writeln!(f, "{}: {} {source}", letter(ply.player), ply.roll)?;
            self.write_comment(f, moment)?;
        }
        if let (Some(player), Some(roll)) = (game.turn(), game.pending()) {
            writeln!(f, "{}: {roll} ", letter(player))?;
            self.write_comment(f, game.plies().len() + 1)?;
        }
        game.winner().map_or(Ok(()), |winner| writeln!(f, "{}: wins", letter(winner)))
    }
}

impl Text<'_> {
    fn write_comment(&self, f: &mut fmt::Formatter<'_>, moment: usize) -> fmt::Result {
        let comment = self.0.note(moment).map_or("", |note| note.comment());
        comment.lines().try_for_each(|line| writeln!(f, "# {line}"))
    }
}

/// Returns the line that names both players, if both names are known and the line reads back as the same names.
///
/// It does not read back if dark's name is empty, or if light's name contains the words between the two.
fn names(record: &Record) -> Option<String> {
    let (light, dark) = (record.header("light")?, record.header("dark")?);
    let line = format!("{NAMES}{light}{OTHER_NAME}{dark}");
    let read = heading(line.trim_ascii());
    matches!(read, Some(Statement::Names(x, o)) if [x, o] == [light, dark]).then_some(line)
}

/// Returns the sign of the square that a move leaves; `None` for a pass.
fn source(player: Player, action: Move) -> Option<char> {
    let sign = match (action, action.from()) {
        (Move::Pass, _) => return None,
        (_, None) => HAND,
        (_, Some(from)) => char::from(SQUARES[usize::from(from.number()) - 1]),
    };
    Some(if player == Player::Light { sign } else { sign.to_ascii_uppercase() })
}

const fn letter(player: Player) -> char {
    match player {
        Player::Light => 'X',
        Player::Dark => 'O',
    }
}

fn lost(record: &Record) -> Vec<&'static str> {
    let game = &record.game;
    let other = |(key, _): (&str, &str)| !["light", "dark"].contains(&key);
    let known = ["light", "dark"].into_iter().filter(|key| record.header(key).is_some()).count();
    let is_dark_first = game.start().turn == Player::Dark;
    // The first line with a roll shows which player begins.
    let has_line = game.pending().is_some() || !game.plies().is_empty();
    let losses = [
        (known == 1, "the name of one player"),
        (known == 2 && names(record).is_none(), "the names"),
        (record.headers().any(other), "the headers other than the names"),
        (!record.tags.is_empty(), "the tags"),
        (record.notes().any(|(_, note)| note.millis() > 0), "the times"),
        (record.notes().any(|(_, note)| !note.tags.is_empty()), "the tags of plies"),
        (has_comment_on_end(record), "the comment on the end"),
        (game.start().roll.is_some(), "that the first roll is given"),
        (is_dark_first && !has_line, "that dark begins"),
        (record.ending.is_some(), "how the game ended"),
    ];
    losses.into_iter().filter(|&(is_lost, _)| is_lost).map(|(_, what)| what).collect()
}
