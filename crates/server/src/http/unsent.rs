//! Answers that wait to be taken: how many bytes of them the server holds.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use puabi_answers::ApiError;

/// Answers of at most this many bytes are not counted; longer ones are handed on in pieces of this size.
const PIECE: usize = 64 << 10;

/// Limits the bytes of answers that wait to be taken; they are counted in pieces.
#[derive(Debug, Clone)]
pub(crate) struct UnsentLimit {
    pieces: Arc<Semaphore>,
    most: usize,
}

impl UnsentLimit {
    /// Returns a limit of `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let most = bytes.div_ceil(PIECE).min(Semaphore::MAX_PERMITS);
        Self { pieces: Arc::new(Semaphore::new(most)), most }
    }

    /// Returns the answer with its permits, or an error if the answer is too long or other answers have too many permits.
    fn apply(&self, answer: Response) -> Response {
        // The length of a stream is not known, and the stream is made only as the client takes it.
        let bytes = answer.body().size_hint().exact().unwrap_or_default();
        let pieces = usize::try_from(bytes).unwrap_or(usize::MAX).div_ceil(PIECE);
        if pieces <= 1 {
            return answer;
        }
        let taken = u32::try_from(pieces).ok().filter(|_| pieces <= self.most);
        let Some(taken) = taken else {
            return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "the answer is too long")
                .expected("a shorter one, or a server with a larger `--max-held`")
                .into_response();
        };
        let Ok(permits) = Arc::clone(&self.pieces).try_acquire_many_owned(taken) else {
            let message = "other clients still have to take their long answers";
            return ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
                .expected("to ask again in a few seconds")
                .into_response();
        };
        answer.map(|body| Body::new(PiecewiseBody { body, rest: Bytes::new(), _permits: permits }))
    }
}

/// Refuses long answers beyond the limit.
pub(crate) async fn limit_unsent(
    State(limit): State<UnsentLimit>,
    request: Request,
    next: Next,
) -> Response {
    limit.apply(next.run(request).await)
}

/// A long body that is handed on in pieces, so that the part that the client has not taken stays here, where it is counted.
struct PiecewiseBody {
    body: Body,
    rest: Bytes,
    _permits: OwnedSemaphorePermit,
}

impl HttpBody for PiecewiseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let here = self.get_mut();
        if here.rest.is_empty() {
            match ready!(Pin::new(&mut here.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => here.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                other => return Poll::Ready(other),
            }
        }
        let piece = here.rest.split_to(here.rest.len().min(PIECE));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let body = self.body.size_hint();
        let mut hint = SizeHint::new();
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(body.lower() + rest);
        hint
    }
}
