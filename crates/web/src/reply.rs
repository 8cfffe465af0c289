//! Answers, and the headers that all of them carry.

use std::convert::Infallible;

use beeline_messages::{Fault, Trouble};
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};

use crate::runs::Stream;

/// An HTTP answer.
pub(crate) type Reply = Response<UnsyncBoxBody<Bytes, Infallible>>;

/// The content security policy: own files only, no inline scripts, no frames. Scripts may still set style properties
/// through the object model.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 5] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// A refused request: the status and the error message.
#[derive(Debug, thiserror::Error)]
#[error("{}", trouble.message)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) trouble: Trouble,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, trouble: Trouble { message: message.into(), place: None } }
    }

    /// The request is malformed.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// This visitor uses too much at one time.
    pub(crate) fn too_many(message: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// All visitors together use too much at one time.
    pub(crate) fn busy() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; please try again in a moment")
    }

    /// An internal error.
    pub(crate) fn broken() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "this broke down; it is a bug in Beeline, please report it",
        )
    }
}

impl From<beeline_messages::Refusal> for Refusal {
    fn from(refusal: beeline_messages::Refusal) -> Self {
        let status = match refusal.fault {
            Fault::Bad => StatusCode::BAD_REQUEST,
            Fault::Unable => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self { status, trouble: refusal.trouble }
    }
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Self {
        // Serialising our own plain structures cannot fail.
        let mut reply = json(serde_json::to_vec(&refusal.trouble).unwrap_or_default().into());
        *reply.status_mut() = refusal.status;
        if matches!(refusal.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            reply.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
        }
        reply
    }
}

fn reply(body: UnsyncBoxBody<Bytes, Infallible>, kind: &'static str) -> Reply {
    let mut reply = Response::new(body);
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    reply
}

/// A file of the page.
pub(crate) fn file(text: &'static str, kind: &'static str) -> Reply {
    let mut reply = reply(Full::new(Bytes::from_static(text.as_bytes())).boxed_unsync(), kind);
    // The browser checks for a new version each time.
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    reply
}

/// A value as JSON.
pub(crate) fn json(json: Bytes) -> Reply {
    reply(Full::new(json).boxed_unsync(), "application/json")
}

/// The events of a search as a stream.
pub(crate) fn stream(stream: Stream) -> Reply {
    reply(stream.boxed_unsync(), "text/event-stream")
}
