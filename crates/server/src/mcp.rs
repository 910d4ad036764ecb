//! The API as tools for language models, by the Model Context Protocol on standard input and output.

mod tools;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{Method, Request, StatusCode};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

use crate::options::Options;
use crate::server::{SHUTDOWN_GRACE, ServeError, service};
use tools::{Arguments, TOOLS};

/// Answers a language model on standard input and output until the input ends.
///
/// The tools send requests to the API, so they may do what the server's mode allows, and return the answers and errors of the
/// API.
///
/// # Errors
///
/// Returns an error if the archive cannot be opened or the system gives no threads.
pub fn serve_mcp(options: &Options) -> Result<(), ServeError> {
    let runtime = Runtime::new()?;
    runtime.block_on(async {
        let tools = Tools { app: service(options).await? };
        // A model that goes away before it has introduced itself is no error.
        if let Ok(running) = tools.serve(rmcp::transport::stdio()).await {
            let _ = running.waiting().await;
        }
        Ok::<_, ServeError>(())
    })?;
    // A solve that goes on would keep the program from ending, and what it has finished is kept.
    runtime.shutdown_timeout(SHUTDOWN_GRACE);
    Ok(())
}

/// The tools, over the API.
#[derive(Debug, Clone)]
struct Tools {
    app: Router,
}

/// The name of the model's seat in games that it begins.
const MODEL: &str = "Model";

/// What models are told before they use a tool.
const INSTRUCTIONS: &str = "The Royal Game of Ur: rule sets, legal moves, exact values, reviews, and games to play. \
     A position is LIGHT:DARK:TURN, each side the squares of its pieces along its own path and +N for N pieces home, \
     TURN L or D with the roll if it is known: the start is -:-:L, and 4,8+2:1,5:D3 has dark to move with a 3. \
     A move is FROM-TO by squares, 0 for the hand and `off` for home: 0-4, 8-9, 14-off, or pass. \
     A value is the chance (0 to 1) that the player to move wins if both play perfectly. \
     Call `rules` first to learn a game.";

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("puabi", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool =
            |tool: &tools::ToolRow| Tool::new(tool.name, tool.about, Arc::new(tool.schema()));
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            let names = TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
            let message = format!("there is no tool `{}`: expected one of {names}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let answered = match tool.check(&arguments) {
            Ok(()) => self.call(tool.name, arguments).await,
            Err(message) => Err(json!({"error": {"message": message}})),
        };
        let result = match answered {
            Ok(answer) => CallToolResult::structured(answer),
            Err(error) => CallToolResult::structured_error(error),
        };
        Ok(result.into())
    }
}

/// The answer of the API, or its error.
type Answer = Result<Value, Value>;

impl Tools {
    /// Answers the call of a tool, whose arguments are checked.
    async fn call(&self, tool: &str, mut arguments: Arguments) -> Answer {
        let mut argument = |name: &str| match arguments.remove(name) {
            Some(Value::String(text)) => escaped(&text),
            Some(number) => number.to_string(),
            None => String::new(),
        };
        match tool {
            "rules" => match &*argument("rules") {
                "" => self.get("/api/rules").await,
                rules => self.get(&format!("/api/{rules}")).await,
            },
            "agents" => self.get(&format!("/api/{}/agents", argument("rules"))).await,
            "value" => {
                let path = format!("/api/{}/positions/{}", argument("rules"), argument("position"));
                let (cube, score) = (argument("cube"), argument("match"));
                if cube.is_empty() && score.is_empty() {
                    return self.get(&path).await;
                }
                self.get(&format!("{path}/cube?cube={cube}&match={score}")).await
            }
            "moves" => {
                let path = format!("/api/{}/choose", argument("rules"));
                self.moves(&path, arguments).await
            }
            "choose" => {
                let path = format!("/api/{}/choose", argument("rules"));
                self.post(&path, &Value::Object(arguments)).await
            }
            "solve" => self.solve(&format!("/api/{}", argument("rules")), arguments).await,
            "review" => {
                let mut answer = self.post("/api/review", &Value::Object(arguments)).await?;
                // The boards follow from the record, and a model reads every word.
                answer.as_object_mut().map(|answer| answer.remove("frames"));
                Ok(answer)
            }
            "new_game" => self.begin(&arguments).await,
            _ => self.play(&argument("id"), arguments.get("move")).await,
        }
    }

    /// Starts a solve of the rules at `path`. A game that is solved already is no error to a model.
    async fn solve(&self, path: &str, arguments: Arguments) -> Answer {
        let started = self.post(&format!("{path}/solve"), &Value::Object(arguments)).await;
        let Err(error) = started else { return started };
        let mut rules = self.get(path).await.unwrap_or_default();
        let table = rules["table"].take();
        if table["state"] == "ready" { Ok(table) } else { Err(error) }
    }

    /// Returns the legal moves. They are the policy of the agent `random`, which may play any of them.
    async fn moves(&self, path: &str, mut arguments: Arguments) -> Answer {
        arguments.insert("agent".to_owned(), json!("random"));
        let answer = self.post(path, &Value::Object(arguments)).await?;
        let legal = answer["policy"].as_array().cloned().unwrap_or_default();
        let legal: Vec<_> = legal.iter().map(|chance| chance["move"].clone()).collect();
        Ok(json!({"moves": legal}))
    }

    /// Begins a game of the model against an agent, up to the model's first decision.
    async fn begin(&self, arguments: &Arguments) -> Answer {
        let model = json!({"kind": "person", "name": MODEL});
        let agent = json!({"kind": "agent", "spec": arguments.get("opponent")});
        let is_dark = arguments.get("side").is_some_and(|side| side == "dark");
        let (light, dark) = if is_dark { (agent, model) } else { (model, agent) };
        let game = json!({"rules": arguments.get("rules"), "light": light, "dark": dark});
        let game = self.post("/api/games", &game).await?;
        self.advance(game, 0).await
    }

    /// Plays a move of the model, if it has one, and goes on to its next decision.
    async fn play(&self, id: &str, action: Option<&Value>) -> Answer {
        let path = format!("/api/games/{id}");
        let plies = |game: &Value| game["plies"].as_array().map_or(0, Vec::len);
        let game = self.get(&path).await?;
        let Some(action) = action else {
            let before = plies(&game);
            return self.advance(game, before).await;
        };
        ensure_own_turn(&game)?;
        let game = self.post(&format!("{path}/move"), &json!({"move": action})).await?;
        let before = plies(&game).saturating_sub(1);
        self.advance(game, before).await
    }

    /// Throws the dice and lets the agent play until the model has a choice or the game is over. A game in which the model has no
    /// seat stays unchanged. The answer has only the plies after the first `before`; the whole game is in the archive.
    async fn advance(&self, mut game: Value, before: usize) -> Answer {
        while let Some((step, body)) = forced_step(&game) {
            match self.post(&format!("/api/games/{}/{step}", game["id"]), &body).await {
                Ok(next) => game = next,
                // The plies played so far are kept, so they are in the answer.
                Err(mut error) => {
                    game["error"] = error["error"].take();
                    break;
                }
            }
        }
        let played =
            game["plies"].as_array_mut().map(|plies| plies.split_off(before.min(plies.len())));
        game["plies"] = played.into();
        Ok(game)
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, Body::empty()).await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask(Method::POST, path, body.to_string()).await
    }

    async fn ask(&self, method: Method, path: &str, body: impl Into<Body>) -> Answer {
        let failed =
            |error: &dyn std::fmt::Display| json!({"error": {"message": error.to_string()}});
        let request = Request::builder().method(method).uri(path).header(HOST, "localhost");
        let request = request.header(CONTENT_TYPE, "application/json").body(body.into());
        let request = request.map_err(|error| failed(&error))?;
        let Ok(response) = self.app.clone().oneshot(request).await;
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await;
        let bytes = bytes.map_err(|error| failed(&error))?;
        let answer =
            serde_json::from_slice(&bytes).unwrap_or_else(|_| json!({"state": status.as_str()}));
        if status.is_success() || status == StatusCode::NOT_MODIFIED {
            Ok(answer)
        } else {
            Err(for_a_model(answer))
        }
    }
}

/// Returns an error of the API in which requests are named by the tools that send them.
fn for_a_model(mut error: Value) -> Value {
    for key in ["message", "expected"] {
        if let Some(text) = error["error"][key].as_str() {
            error["error"][key] = in_tools(text).into();
        }
    }
    error
}

/// Returns a text with each request, such as `POST /api/finkel/solve`, replaced by the name of its tool.
fn in_tools(text: &str) -> String {
    let mut words = Vec::new();
    for word in text.split(' ') {
        let Some(path) = word.strip_prefix("/api/") else {
            words.push(word.to_owned());
            continue;
        };
        words.pop_if(|method| matches!(method.as_str(), "GET" | "POST"));
        let path = path.trim_end_matches([',', ';', ':', '.']);
        let rest = &word["/api/".len() + path.len()..];
        let last = path.rsplit('/').next().unwrap_or_default();
        let tool = TOOLS.iter().find(|tool| tool.name == last).map(|tool| tool.name);
        words.push(format!(
            "{}{rest}",
            tool.map_or_else(|| "the page".to_owned(), |tool| format!("the tool `{tool}`"))
        ));
    }
    words.join(" ")
}

/// Returns whether the model has this seat of a game.
fn is_model(seat: &Value) -> bool {
    seat["kind"] == "person" && seat["name"] == MODEL
}

/// Refuses a move in a game in which it is not the model's turn.
fn ensure_own_turn(game: &Value) -> Result<(), Value> {
    if game["stage"] == "over" {
        // The API says how it has ended.
        return Ok(());
    }
    let seats = &game["seats"];
    let name = |seat: &Value| {
        seat["name"].as_str().or(seat["spec"].as_str()).unwrap_or_default().to_owned()
    };
    match game["turn"].as_str() {
        Some(turn) if !is_model(&seats[turn]) => {
            let (to_move, [light, dark]) =
                (name(&seats[turn]), ["light", "dark"].map(|player| name(&seats[player])));
            let message = format!(
                "it is `{to_move}`'s turn in this game of `{light}` (light) against `{dark}` (dark), and you are \
                 `{MODEL}`: expected a game in which it is `{MODEL}`'s turn"
            );
            Err(json!({"error": {"message": message}}))
        }
        _ => Ok(()),
    }
}

/// Returns the next request of a game in which the model has no choice at this point, with its body.
fn forced_step(game: &Value) -> Option<(&'static str, Value)> {
    let seats = &game["seats"];
    if !is_model(&seats["light"]) && !is_model(&seats["dark"]) {
        return None;
    }
    let seat = &seats[game["turn"].as_str()?];
    match game["stage"].as_str()? {
        "roll" | "move" if seat["kind"] == "agent" => Some(("step", json!({}))),
        _ if !is_model(seat) => None,
        "roll" => Some(("roll", json!({}))),
        "move" if game["forced_pass"] == true => Some(("move", json!({"move": "pass"}))),
        _ => None,
    }
}

/// Returns a text as a part of a path. All of it is escaped, so that the name of a rule set is never taken for another part of
/// the API.
fn escaped(text: &str) -> String {
    let escape = |byte: u8| format!("%{byte:02X}");
    text.bytes().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_tools_and_no_requests() {
        for (text, expected) in [
            (
                "POST /api/finkel:2/solve, which starts a solve",
                "the tool `solve`, which starts a solve",
            ),
            (
                "an agent that GET /api/{rules}/agents lists",
                "an agent that the tool `agents` lists",
            ),
            ("a number, as GET /api/games lists them", "a number, as the page lists them"),
            ("1 to 7", "1 to 7"),
        ] {
            assert_eq!(in_tools(text), expected);
        }
    }
}
