//! The routes and the layers around them, as one service.

use std::any::Any;
use std::net::IpAddr;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;
use tower::limit::GlobalConcurrencyLimitLayer;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::decompression::DecompressionLayer;
use utoipa::OpenApi;
use utoipa::openapi::{ContentBuilder, Ref, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::SwaggerUi;

use crate::http::client::{Clients, identify_client, limit_client};
use crate::http::guard::{HostNames, check_mode, count_and_label, limit_time, refuse_other_sites};
use crate::http::page;
use crate::http::unsent::{UnsentLimit, limit_unsent};
use crate::routes::{agents, archive, games, health, positions, review, rules, solve};
use crate::state::AppState;
use puabi_answers::ApiError;

/// The frame of the description; the routes add themselves.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Puabi",
        description = "The Royal Game of Ur: rule sets, exact values, agents, games and reviews. Positions, moves and \
                       records are texts as docs/notation.md describes them; every value is the chance (0..=1) of the \
                       player to move, light's in reviews. Errors are `{\"error\": {message, field, found, expected}}`."
    ),
    tags(
        (name = "rules", description = "rule sets"),
        (name = "positions", description = "what positions are worth"),
        (name = "agents", description = "players"),
        (name = "solve", description = "tables, made in the background"),
        (name = "games", description = "games as they are played"),
        (name = "archive", description = "games that are kept"),
        (name = "review", description = "games of any notation, judged"),
        (name = "server", description = "the server itself"),
    )
)]
struct Frame;

fn described() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Frame::openapi())
        .routes(routes!(health::metrics))
        .routes(routes!(health::server))
        .routes(routes!(rules::list, rules::keep))
        .routes(routes!(rules::attempt))
        .routes(routes!(rules::remove))
        .routes(routes!(rules::show))
        .routes(routes!(agents::list))
        .routes(routes!(agents::choose))
        .routes(routes!(positions::show))
        .routes(routes!(positions::cube))
        .routes(routes!(solve::start, solve::watch))
        .routes(routes!(solve::convergence))
        .routes(routes!(review::review))
        .routes(routes!(review::page))
        .routes(routes!(games::begin, archive::list))
        .routes(routes!(games::show, games::remove))
        .routes(routes!(rules::of_game))
        .routes(routes!(games::roll))
        .routes(routes!(games::play))
        .routes(routes!(games::step))
        .routes(routes!(games::double))
        .routes(routes!(games::answer))
        .routes(routes!(games::next))
        .routes(routes!(games::undo))
        .routes(routes!(games::resign))
        .routes(routes!(games::hint))
        .routes(routes!(games::watch))
        .routes(routes!(archive::review))
        .routes(routes!(archive::record))
        .routes(routes!(archive::progress))
}

/// Returns the whole service: the API, its description and the page.
pub(crate) fn app(state: &AppState, names: HostNames, proxy: Option<IpAddr>) -> Router {
    let limits = state.limits;
    let clients = Clients::new(proxy, limits.per_client);
    let (api, mut description) = described().split_for_parts();
    let (health, of_health) =
        OpenApiRouter::new().routes(routes!(health::health)).split_for_parts();
    description.merge(of_health);
    name_common_errors(&mut description);
    let health = health.method_not_allowed_fallback(page::wrong_method);
    let limited = api
        .merge(docs(description))
        .fallback(page::serve)
        .method_not_allowed_fallback(page::wrong_method)
        .layer(DefaultBodyLimit::max(limits.body))
        .layer(from_fn_with_state(UnsentLimit::new(limits.unsent), limit_unsent))
        .layer(CompressionLayer::new())
        .layer(GlobalConcurrencyLimitLayer::new(limits.requests.min(Semaphore::MAX_PERMITS)))
        // The time that a request waits for its turn counts too.
        .layer(from_fn_with_state(limits.answer, limit_time))
        .layer(from_fn_with_state(state.mode, check_mode))
        .layer(from_fn_with_state(clients.clone(), limit_client));
    // `/healthz` is outside these limits, so it is answered however busy the server is.
    limited
        .merge(health)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(names, refuse_other_sites))
        .layer(from_fn_with_state(clients, identify_client))
        .layer(from_fn_with_state(state.clone(), count_and_label))
        .with_state(state.clone())
}

/// Returns the page that shows the description. Its files are stored compressed. The layer unpacks them, because answers are
/// compressed only for clients that accept it.
fn docs(description: utoipa::openapi::OpenApi) -> Router<AppState> {
    let docs = SwaggerUi::new("/api/docs").url("/api/openapi.json", description);
    Router::from(docs).layer(DecompressionLayer::new()).layer(map_response(with_error))
}

/// Returns the answer, or if the page of the description has no such file, the error of the API.
async fn with_error(answer: Response) -> Response {
    if answer.status() != StatusCode::NOT_FOUND {
        return answer;
    }
    let error = ApiError::new(StatusCode::NOT_FOUND, "the description has no such file");
    error.expected("GET /api/docs/, its page").into_response()
}

/// Adds to each operation the errors that the layers around all routes answer with.
fn name_common_errors(description: &mut utoipa::openapi::OpenApi) {
    let errors = [
        (StatusCode::BAD_REQUEST, "a part of the request cannot be read"),
        (
            StatusCode::FORBIDDEN,
            "the request comes from another site, or this server's mode does not allow it",
        ),
        (StatusCode::REQUEST_TIMEOUT, "the answer took too long"),
        (StatusCode::PAYLOAD_TOO_LARGE, "the request, or what it asks for, is too long"),
        (
            StatusCode::TOO_MANY_REQUESTS,
            "the client sends too many requests: Retry-After says when to try again",
        ),
        (StatusCode::INTERNAL_SERVER_ERROR, "a fault of the server"),
        (
            StatusCode::SERVICE_UNAVAILABLE,
            "the server cannot answer now: Retry-After says when to try again",
        ),
        (StatusCode::INSUFFICIENT_STORAGE, "the disk is full"),
    ];
    for item in description.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            for (status, text) in errors {
                let schema = Ref::from_schema_name("ErrorBody");
                let content = ContentBuilder::new().schema(Some(schema)).build();
                let response =
                    ResponseBuilder::new().description(text).content("application/json", content);
                let responses = &mut operation.responses.responses;
                responses.entry(status.as_str().to_owned()).or_insert(response.build().into());
            }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the layer gives it away")]
fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    ApiError::internal("answering", &text).into_response()
}
