//! The tools that models are told of: their names, what they do, and their arguments.

use serde_json::{Map, Value, json};

/// The arguments of a tool by their names.
pub(super) type Arguments = Map<String, Value>;

/// A tool.
pub(super) struct ToolRow {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    fields: &'static [Field],
}

/// An argument of a tool.
struct Field {
    name: &'static str,
    kind: &'static str,
    about: &'static str,
    is_required: bool,
    /// The only texts that fit; if this is empty, any text fits.
    texts: &'static [&'static str],
}

const fn required(name: &'static str, about: &'static str) -> Field {
    Field { is_required: true, ..optional(name, "string", about) }
}

const fn optional(name: &'static str, kind: &'static str, about: &'static str) -> Field {
    Field { name, kind, about, is_required: false, texts: &[] }
}

const RULES: Field =
    required("rules", "the rule set: finkel, or finkel:3 with three pieces a side");
const POSITION: Field =
    required("position", "LIGHT:DARK:TURN, as -:-:L or 4,8+2:1,5:D3 with the roll 3");
const ROLL: Field = optional("roll", "integer", "the roll, if the position does not name it");

/// All tools.
pub(super) static TOOLS: [ToolRow; 9] = [
    ToolRow {
        name: "rules",
        about: "Lists the rule sets, or describes one: how it is played in words, its board, paths, dice and \
                switches",
        fields: &[optional(
            "rules",
            "string",
            "the rule set to describe; without it, all are listed",
        )],
    },
    ToolRow {
        name: "agents",
        about: "Lists the programs that play a rule set, the strongest kinds first, with how they think",
        fields: &[RULES],
    },
    ToolRow {
        name: "moves",
        about: "Lists the legal moves of a position and roll",
        fields: &[RULES, POSITION, ROLL],
    },
    ToolRow {
        name: "value",
        about: "Returns the exact chance to win of the player to move, and the value of every move for each roll, \
                best first. A large game must be solved first, with `solve`; if a game is too large for that, the \
                values are estimates, and the answer says so. With a cube or a match it says instead whether to double \
                and whether to take, and what each choice and move is worth: points won on average, or the chance to \
                win the match",
        fields: &[
            RULES,
            POSITION,
            optional(
                "cube",
                "string",
                "a doubling cube: 1 for one in the middle, or its value and owner, as in 2:light",
            ),
            optional(
                "match",
                "string",
                "the points that light and dark need, as 3-5 or 1-4:crawford",
            ),
        ],
    },
    ToolRow {
        name: "solve",
        about: "Starts to solve a game exactly in the background; `rules` reports the progress. finkel takes \
                about a minute",
        fields: &[RULES],
    },
    ToolRow {
        name: "choose",
        about: "Asks an agent for its move in a position",
        fields: &[
            RULES,
            POSITION,
            ROLL,
            required("agent", "the agent, as perfect, greedy or elo:1400"),
        ],
    },
    ToolRow {
        name: "review",
        about: "Reviews a game that was played: the luck of the rolls and the error of each move, as chances to \
                win",
        fields: &[
            required(
                "text",
                "the game as text: a record of this program (.urg), RoyalUr's RGN or JSON, or a log",
            ),
            optional("rules", "string", "the rule set, if the text does not name it"),
        ],
    },
    ToolRow {
        name: "new_game",
        about: "Begins a game between you and an agent. The dice are thrown for you. The answer has the board, your \
                roll and your legal moves; play one of them with `play`",
        fields: &[
            RULES,
            required("opponent", "the agent, as easy, medium, hard, expert, perfect or elo:1400"),
            Field {
                texts: &["light", "dark"],
                ..optional(
                    "side",
                    "string",
                    "light, who moves first, or dark; light if it is left out",
                )
            },
        ],
    },
    ToolRow {
        name: "play",
        about: "Plays your move and goes on to your next decision; `plies` has your move and those after it. Without \
                a move it goes on to your next decision in a game that you play, or shows the present position of any \
                other game. If the game cannot go on, `error` says why",
        fields: &[
            Field { is_required: true, ..optional("id", "integer", "the number of the game") },
            optional("move", "string", "the move, one of those in `moves`, as 8-9"),
        ],
    },
];

impl ToolRow {
    /// Returns the JSON schema of the arguments.
    pub(super) fn schema(&self) -> Arguments {
        let property = |field: &Field| {
            let mut schema = json!({"type": field.kind, "description": field.about});
            if !field.texts.is_empty() {
                schema["enum"] = json!(field.texts);
            }
            (field.name.to_owned(), schema)
        };
        let properties: Arguments = self.fields.iter().map(property).collect();
        let required = self.fields.iter().filter(|field| field.is_required);
        let required: Vec<_> = required.map(|field| field.name).collect();
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// Checks the arguments against the schema.
    ///
    /// # Errors
    ///
    /// Returns what was found and expected.
    pub(super) fn check(&self, arguments: &Arguments) -> Result<(), String> {
        let tool = self.name;
        for field in self.fields.iter().filter(|field| field.is_required) {
            if !arguments.contains_key(field.name) {
                return Err(format!("`{tool}` needs `{}`: expected {}", field.name, field.about));
            }
        }
        for (name, value) in arguments {
            let Some(field) = self.fields.iter().find(|field| field.name == name) else {
                let names: Vec<_> = self.fields.iter().map(|field| field.name).collect();
                return Err(format!(
                    "`{tool}` has no argument `{name}`: expected {}",
                    names.join(", ")
                ));
            };
            let fits = match field.kind {
                "integer" => value.is_u64(),
                _ => value.as_str().is_some_and(|text| field.takes(text)),
            };
            if !fits {
                let kind = if field.kind == "integer" { "a whole number" } else { "a text" };
                return Err(format!(
                    "`{name}` is {}: expected {kind}, {}",
                    shown(value),
                    field.about
                ));
            }
        }
        Ok(())
    }
}

impl Field {
    fn takes(&self, text: &str) -> bool {
        if self.texts.is_empty() { !text.is_empty() } else { self.texts.contains(&text) }
    }
}

fn shown(value: &Value) -> String {
    puabi_core::wording::excerpt(&value.to_string()).into_owned()
}
