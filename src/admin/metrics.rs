//! Metrics for Prometheus: on this machine without a login, elsewhere over TLS with a key of the scope `watch`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};

use super::guard;
use super::reach::Reached;
use super::state::{Admin, blocking};
use crate::metrics::{CONTENT_TYPE, Metrics};
use accounts::Right;
use public_web::problem::Problem;

/// The address of the metrics.
pub(super) fn routes(metrics: Arc<Metrics>) -> Router<Arc<Admin>> {
    let answer = async move |State(admin): State<Arc<Admin>>,
                             Extension(reached): Extension<Reached>,
                             headers: HeaderMap| { scrape(&admin, &metrics, reached, &headers).await };
    Router::new().route("/metrics", axum::routing::get(answer))
}

/// A forwarded header or a name that is not this machine's makes a request one from elsewhere: see [`super::reach`].
async fn scrape(
    admin: &Admin,
    metrics: &Arc<Metrics>,
    reached: Reached,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    if reached != Reached::Here {
        let who = guard::authenticated(admin, &Method::GET, headers, reached).await?;
        if !who.may(Right::Watch) {
            return Err(guard::denied(&who, Right::Watch));
        }
    }
    let metrics = Arc::clone(metrics);
    // The disk is asked.
    let text = blocking(move || metrics.text()).await?;
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response())
}
