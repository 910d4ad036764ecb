//! The way of play: what the rules mean for the players, in sentences.

use crate::{DeadPosition, Player, RuleSet, Rules, Square, StackOrder, Tile, TileKind, TurnsOn};

/// What each preset is like, in words for people who choose their first game.
const INTRODUCTIONS: [(&str, &str); 10] = [
    ("finkel", "start here: the rules that most people know, after Irving Finkel"),
    ("blitz", "short and sharp: five pieces, and a capture rolls again"),
    ("masters", "when finkel has become easy: a longer path, and no rosette is safe"),
    ("masters-4d", "masters with four dice, as royalur.net played it before 2024"),
    ("aseb", "the Egyptian board of twenty squares: one long lane, five pieces"),
    ("murray", "very long: H. J. R. Murray's path crosses the middle lane twice"),
    ("skiriuk-path", "long: Dmitry Skiriuk's path, with one piece a tile"),
    ("skiriuk", "the Forgotten Game, the richest: stacks, camps, pieces that turn"),
    ("simple-ur", "the way into skiriuk: its path and its dice, without stacks"),
    ("dmytro", "between the two: stacks on tiles for novices or for veterans"),
];

impl RuleSet {
    /// Returns what a preset is like, in a few words for people who choose their first game; `None` if the rules are not a preset.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// assert!(RuleSet::FINKEL.introduction().is_some_and(|words| words.starts_with("start here")));
    /// ```
    pub fn introduction(&self) -> Option<&'static str> {
        let preset = self.preset()?;
        INTRODUCTIONS.iter().find(|(name, _)| *name == preset.name).map(|(_, words)| *words)
    }
}

/// A chapter of the way of play.
///
/// ```
/// use puabi_core::RuleSet;
/// let told = RuleSet::FINKEL.compile()?.way_of_play();
/// assert_eq!(told[0].title, "The goal");
/// assert_eq!(told[0].sentences[0], "The player who first brings every piece home wins.");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Chapter {
    /// The subject of the chapter.
    pub title: &'static str,
    /// Its sentences.
    pub sentences: Vec<String>,
}

impl Rules {
    /// Returns the way of play, in the order in which a beginner needs it. It is made from these rules and may not hold for
    /// others.
    pub fn way_of_play(&self) -> Vec<Chapter> {
        let chapters = [
            ("The goal", vec![self.goal_sentence(), self.paths_sentence()]),
            ("Throwing and moving", self.throw_sentences().collect()),
            ("Captures", self.capture_sentences()),
            ("Novices and veterans", self.turning_sentences()),
            ("Tiles of many pieces", self.tile_sentences().collect()),
            ("Rosettes", self.rosette_sentences().collect()),
            ("The way home", self.exit_sentences().collect()),
        ];
        let chapters = chapters.map(|(title, sentences)| Chapter { title, sentences });
        chapters.into_iter().filter(|chapter| !chapter.sentences.is_empty()).collect()
    }

    fn goal_sentence(&self) -> String {
        if self.goal() < self.pieces() {
            format!(
                "The player who first brings {} of {} pieces home wins.",
                self.goal(),
                self.pieces()
            )
        } else {
            "The player who first brings every piece home wins.".to_owned()
        }
    }

    fn paths_sentence(&self) -> String {
        let ends = |player| {
            let path = self.board().path(player);
            let tile = |tile: Option<&Tile>| tile.map_or_else(String::new, ToString::to_string);
            (tile(path.first()), tile(path.last()))
        };
        let [(light, light_end), (dark, dark_end)] = Player::BOTH.map(ends);
        format!(
            "Light's path begins on {light} and ends on {light_end}; dark's begins on {dark} and ends on {dark_end}."
        )
    }

    fn throw_sentences(&self) -> impl Iterator<Item = String> {
        let rule_set = self.rule_set();
        let steps = rule_set.dice.zero_as();
        let zero = (steps > 0).then(|| format!("A throw of zero counts as {steps}."));
        let first =
            rule_set.first_roll.map(|roll| format!("The first throw of the game is a {roll}."));
        let how = "Throw the dice and move one piece exactly that far along your path, or bring one in from the hand. \
                   If you can move, you must.";
        std::iter::once(how.to_owned()).chain(zero).chain(first)
    }

    fn capture_sentences(&self) -> Vec<String> {
        let likes = if self.rule_set().like_captures_like && self.has_veterans() {
            " A novice captures only novices, and a veteran only veterans; a tile with a piece of the other kind is barred."
        } else {
            ""
        };
        let captures = format!(
            "Pieces jump over others. A piece that lands on one of the opponent's captures it: it goes back to the hand.{likes}"
        );
        let again = self.rule_set().captures_grant_rolls;
        let again = again.then(|| "A capture gives another roll.".to_owned());
        std::iter::once(captures).chain(again).collect()
    }

    fn turning_sentences(&self) -> Vec<String> {
        let turning = self.rule_set().turning;
        let turning = turning.and_then(|it| Some((Square::new(it.square)?, it)));
        let Some((square, turning)) = turning else { return Vec::new() };
        let [light, dark] = Player::BOTH.map(|player| self.tile(player, square));
        let tiles = if light == dark {
            light.to_string()
        } else {
            format!("{light} (light) and {dark} (dark)")
        };
        let when = match turning.on {
            TurnsOn::Leaving => "leaves or passes",
            TurnsOn::Landing => "reaches or passes",
        };
        let becomes =
            format!("A piece begins as a novice, and becomes a veteran when it {when} {tiles}.");
        let twice = self.own_on_same_tile(square).first().map(|other| {
            let counts = if other < square { "second" } else { "first" };
            format!("A path comes there twice, and the {counts} time counts.")
        });
        std::iter::once(becomes).chain(twice).collect()
    }

    /// Returns whether a piece can become a veteran.
    fn has_veterans(&self) -> bool {
        !self.veterans().is_empty()
    }

    fn tile_sentences(&self) -> impl Iterator<Item = String> {
        let stacks = self.rule_set().stacks;
        let cap = stacks.cap;
        let moves = |is_free: bool| {
            if is_free { "any of them may move" } else { "the top one moves" }
        };
        let (in_camps, elsewhere) =
            (moves(stacks.order != StackOrder::Lifo), moves(stacks.order == StackOrder::Free));
        let shared = |who: &str| {
            format!("up to {cap} pieces of both players{who}, and {elsewhere}; nothing is captured")
        };
        let kinds = if stacks.camps_of_one_kind && self.has_veterans() {
            ", all novices or all veterans"
        } else {
            ""
        };
        let camps = format!(
            "up to {cap} pieces of one player{kinds}, and {in_camps}; the other player may not enter"
        );
        let told = [
            (vec![TileKind::Camp], "Camps", camps),
            (self.holy(), "Holy tiles", shared("")),
            (self.of_one_kind(TileKind::Novices), "Tiles of novices", shared(", novices only")),
            (self.of_one_kind(TileKind::Veterans), "Tiles of veterans", shared(", veterans only")),
        ];
        let held = told.into_iter().filter_map(|(kinds, name, what)| {
            Some(format!("{name} ({}) hold {what}.", self.tiles_of(&kinds)?))
        });
        held.chain(self.closed_tiles_sentence())
            .chain(self.last_tiles_sentence())
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Returns the kinds of tiles that hold pieces of every kind and both players: holy tiles, and tiles for novices if there
    /// are no veterans.
    fn holy(&self) -> Vec<TileKind> {
        let mut kinds = vec![TileKind::Holy];
        kinds.extend((!self.has_veterans()).then_some(TileKind::Novices));
        kinds
    }

    /// Returns `kind`, which is for novices or for veterans, if the rules have veterans.
    fn of_one_kind(&self, kind: TileKind) -> Vec<TileKind> {
        if self.has_veterans() { vec![kind] } else { Vec::new() }
    }

    fn closed_tiles_sentence(&self) -> Option<String> {
        let tiles = self.tiles_of(&[TileKind::Veterans]).filter(|_| !self.has_veterans())?;
        Some(format!("No piece may land on closed tiles ({tiles})."))
    }

    fn last_tiles_sentence(&self) -> Option<String> {
        let who = match (self.rule_set().last_protects_novices, self.has_veterans()) {
            (true, _) => "A piece",
            (false, true) => "A veteran",
            (false, false) => return None,
        };
        let tiles = self.tiles_of(&[TileKind::Last])?;
        Some(format!("{who} on a last tile ({tiles}) cannot be captured."))
    }

    /// Returns the tiles of these kinds, with commas between; `None` if the board has no such tile.
    fn tiles_of(&self, kinds: &[TileKind]) -> Option<String> {
        let is_one = |kind| kinds.contains(&kind);
        let tiles = self.board().tiles().iter();
        let tiles = tiles.filter(|&&tile| self.board().tile_kind(tile).is_some_and(is_one));
        let tiles = tiles.map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Some(tiles).filter(|tiles| !tiles.is_empty())
    }

    fn rosette_sentences(&self) -> impl Iterator<Item = String> {
        let rule_set = self.rule_set();
        let has_rosettes = !self.rosettes().is_empty();
        let told = [
            (
                has_rosettes && rule_set.rosettes_grant_rolls,
                "Landing on a rosette gives another roll.",
            ),
            (has_rosettes && rule_set.safe_rosettes, "A piece on a rosette cannot be captured."),
            (
                has_rosettes && !rule_set.safe_rosettes,
                "A piece on a rosette is as safe as on any other tile.",
            ),
        ];
        told.into_iter().filter(|&(holds, _)| holds).map(|(_, told)| told.to_owned())
    }

    fn exit_sentences(&self) -> impl Iterator<Item = String> {
        let rule_set = self.rule_set();
        let exit = match (rule_set.exact_exit, self.goal() < self.pieces()) {
            (true, _) => "A piece leaves the board with the exact roll.",
            (false, true) => {
                "A piece leaves the board with the exact roll; the one that wins may also leave with a longer one, if none is \
                 farther along."
            }
            (false, false) => {
                "A piece leaves the board with the exact roll; the last one may also leave with a longer one."
            }
        };
        let dead = self.can_be_dead().then(|| match rule_set.dead_position {
            DeadPosition::Draw => {
                "If neither player can ever move again, the game is drawn.".to_owned()
            }
            DeadPosition::MoreHome => {
                "If neither player can ever move again, the player with more pieces home wins."
                    .to_owned()
            }
        });
        std::iter::once(exit.to_owned()).chain(dead)
    }

    /// Returns whether some position may be dead. With stacks the answer is always yes. With one piece a tile, a position may
    /// be dead if from some square, or from the hand, every roll takes a player's leading piece too far or onto a tile where
    /// another piece may be safe: one of the opponent, or one of the player's own on its other visit. Positions in which both
    /// players are barred by pieces of their own that could be captured are not looked for.
    fn can_be_dead(&self) -> bool {
        let last = self.length();
        let may_stay = |square| self.is_safe(square);
        let may_be_barred = |to: u8| match Square::new(to).filter(|_| to <= last) {
            Some(to) => {
                !self.blockers(to).is_empty() || self.own_on_same_tile(to).iter().any(may_stay)
            }
            // Only a piece that wins may leave with a longer roll than it needs.
            None => to > last + 1 && (self.rule_set().exact_exit || self.goal() > 1),
        };
        let rolls = self.rolls().iter().map(|(roll, _)| roll.steps()).filter(|&steps| steps > 0);
        self.has_stacks()
            || (0..last).any(|from| rolls.clone().all(|steps| may_be_barred(from + steps)))
    }
}

#[cfg(test)]
mod tests {
    use crate::RuleSet;

    fn told(rule_set: &RuleSet) -> String {
        let told = rule_set.compile().unwrap().way_of_play();
        told.into_iter().flat_map(|chapter| chapter.sentences).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_is_told_is_true_of_the_rules() {
        for preset in RuleSet::PRESETS {
            let told = told(&preset);
            assert_eq!(told.contains("A capture gives another roll"), preset.captures_grant_rolls);
            assert_eq!(told.contains("becomes a veteran"), preset.turning.is_some());
            assert_eq!(
                told.contains("A piece on a rosette cannot be captured"),
                preset.safe_rosettes
            );
            assert_eq!(told.contains("with a longer one"), !preset.exact_exit, "{preset}");
            assert_eq!(told.contains("zero counts as 4"), preset.dice.to_string().contains("0=4"));
        }
    }

    #[test]
    fn how_a_dead_game_ends_is_told_where_a_position_can_be_dead() {
        let file = |rosettes: &str| {
            format!(
                "name = \"Head on\"\ndice = \"1d0=1\"\npieces = 2\n[path]\nboard = [\"{rosettes}\"]\n\
                 light = \"A1 A2 A3\"\ndark = \"A3 A2 A1\"\n"
            )
        };
        let is_told = |rule_set: &RuleSet| told(rule_set).contains("neither player can ever move");
        assert!(is_told(&RuleSet::from_toml(&file("***")).unwrap()));
        assert!(!is_told(&RuleSet::from_toml(&file("...")).unwrap()));
        let own = "name = \"Twin\"\ndice = \"1d0=1\"\npieces = 2\n[path]\nboard = [\"..\", \"..\", \"..\"]\n\
                   light = \"A1 A2 A1\"\ndark = \"C1 C2 C1\"\n";
        assert!(is_told(&RuleSet::from_toml(own).unwrap()));
        let far = "dice = \"1d0=6\"\nexact_exit = false\n[path]\nboard = [\"..**..\"]\n\
                   light = \"A1 A2 A3 A4 A5 A6\"\ndark = \"A6 A5 A4 A3 A2 A1\"\n";
        for (pieces, can_be) in [(2, true), (1, false)] {
            let far = format!("name = \"Far\"\npieces = {pieces}\n{far}");
            assert_eq!(is_told(&RuleSet::from_toml(&far).unwrap()), can_be, "{pieces}");
        }
        for preset in RuleSet::PRESETS {
            // Of the presets without stacks, only this one has dead positions.
            let can_be = preset.compile().unwrap().has_stacks() || preset.name == "simple-ur";
            assert_eq!(is_told(&preset), can_be, "{preset}");
        }
    }

    #[test]
    fn tiles_of_one_kind_are_told_without_the_holy_ones() {
        let told = told(&RuleSet::DMYTRO);
        assert!(told.contains("pieces of both players, novices only"), "{told}");
        assert!(told.contains("pieces of both players, veterans only"), "{told}");
    }

    #[test]
    fn without_a_turning_square_nothing_is_told_of_novices_and_veterans() {
        for preset in [RuleSet::SKIRIUK, RuleSet::SIMPLE_UR, RuleSet::DMYTRO] {
            let path = RuleSet { name: "path".into(), turning: None, ..preset };
            let told = told(&path);
            assert!(!told.contains("novice") && !told.contains("veteran"), "{told}");
        }
        let dmytro = RuleSet { name: "path".into(), turning: None, ..RuleSet::DMYTRO };
        let told = told(&dmytro);
        assert!(told.contains("Holy tiles (A2, A4, B1, B7, C2, C4) hold"), "{told}");
        assert!(told.contains("No piece may land on closed tiles (B3, B6)."), "{told}");
    }

    #[test]
    fn the_forgotten_game_is_told_with_its_tiles() {
        let told = told(&RuleSet::SKIRIUK);
        for kind in ["Camps (", "Holy tiles (", "a last tile ("] {
            assert!(told.contains(kind), "{kind}: {told}");
        }
    }
}
