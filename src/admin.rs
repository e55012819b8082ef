//! The protected HTTP API: accounts, orders, boards, alarms, keys, all without delay.
//!
//! This file lists every address with the right that it needs. All of them are refused without TLS, except on the machine
//! itself. [`api`] has the types of requests and answers, [`state`] what handlers share, [`guard`] authentication. Must not
//! know how boards work; it changes the tournament only through the director.

mod alarms;
pub(crate) mod api;
mod arbiter;
pub(crate) mod client;
mod clock;
mod daemon;
mod equipment;
mod files;
mod guard;
mod hall;
mod hashing;
mod health;
mod history;
mod history_note;
mod keys;
mod live;
mod metrics;
mod openapi;
mod orders;
mod outputs;
mod pages;
pub(crate) mod problem;
mod rates;
pub(crate) mod reach;
mod rehearsal;
mod reports;
mod sending;
mod session;
mod sources;
mod state;
#[cfg(test)]
pub(super) mod tests;
mod traffic;
mod users;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::Redirect;
use axum::routing::{any, get};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::listeners::Routers;
use crate::sources::MOST_PGN_BYTES;
use accounts::Right;
use public_web::Web;
use public_web::openapi::complete;
use public_web::problem::Problem;
use publish::gate::Gate;
use state::API;

pub use rates::Rates;
pub use reach::PublicUrl;
pub use state::{Admin, Parts};

/// Maximum size of a request body in bytes, where a route has no limit of its own.
const MOST_BODY_BYTES: usize = 64 * 1024;

/// The routers of each kind of listener, with the description of all addresses.
pub(crate) fn routers(web: &Arc<Web>, gate: &Gate, admin: &Arc<Admin>) -> Routers {
    let (public, mut document) = public_web::routes(web);
    openapi::introduce(&mut document);
    let (protected, described) = routes(admin);
    document.merge(described);
    let protected = protected.merge(arbiter::routes(gate.clone(), admin));
    let all = public.clone().merge(protected.clone());
    let alone =
        protected.merge(public_web::files_of_pages(web)).route("/", get(async || Redirect::temporary("/admin")));
    let [all, public, admin] = [all, public, alone].map(|router| public_web::with_description(router, &document));
    Routers { all, public, admin }
}

/// The router of the protected addresses, and their description.
fn routes(admin: &Arc<Admin>) -> (Router, OpenApi) {
    let with = |right, mut routes: OpenApiRouter<Arc<Admin>>| {
        openapi::ask(routes.get_openapi_mut(), right);
        routes.route_layer(from_fn_with_state((Arc::clone(admin), right), guard::allowed))
    };
    let for_all = OpenApiRouter::default().routes(routes!(session::log_in)).routes(routes!(session::make_first));
    let own_account = OpenApiRouter::default()
        .routes(routes!(session::logged_in, session::log_out))
        .routes(routes!(session::change_password));
    let rehearse = OpenApiRouter::default().routes(routes!(rehearsal::enter_rehearsal));
    let leave = OpenApiRouter::default().routes(routes!(rehearsal::see_rehearsal, rehearsal::leave_rehearsal));
    let see_ports = OpenApiRouter::default().routes(routes!(equipment::list_ports));
    let allow_ports = OpenApiRouter::default().routes(routes!(equipment::allow_port));
    let log = OpenApiRouter::default().routes(routes!(equipment::see_log));
    let keys =
        OpenApiRouter::default().routes(routes!(keys::list_keys, keys::add_key)).routes(routes!(keys::revoke_key));
    let see_outputs = OpenApiRouter::default().routes(routes!(outputs::list_outputs));
    let order_outputs = OpenApiRouter::default()
        .routes(routes!(outputs::pause_output))
        .routes(routes!(outputs::resume_output))
        .routes(routes!(outputs::send_output_again))
        .routes(routes!(outputs::test_output));
    let change_outputs = OpenApiRouter::default()
        .routes(routes!(outputs::add_output))
        .routes(routes!(outputs::see_output, outputs::change_output, outputs::remove_output))
        .routes(routes!(outputs::make_lichess_rounds));
    let see_sources = OpenApiRouter::default().routes(routes!(sources::list_sources));
    let change_sources = OpenApiRouter::default()
        .routes(routes!(sources::add_source))
        .routes(routes!(sources::change_source, sources::remove_source))
        .routes(routes!(sources::preview_source));
    let send_games = OpenApiRouter::default()
        .routes(routes!(sources::send_games))
        .layer(DefaultBodyLimit::max(MOST_PGN_BYTES))
        .routes(routes!(sources::send_position));
    let administer = OpenApiRouter::default()
        .routes(routes!(users::list_users, users::add_user))
        .routes(routes!(users::change_user, users::remove_user))
        .routes(routes!(clock::give_time));
    let watch = OpenApiRouter::default()
        .routes(routes!(hall::see_hall))
        .routes(routes!(hall::see_section))
        .routes(routes!(hall::see_round))
        .routes(routes!(hall::check_ready))
        .routes(routes!(hall::see_boards))
        .routes(routes!(history::see_history))
        .routes(routes!(files::take_results))
        .routes(routes!(daemon::see_health))
        .routes(routes!(clock::see_clock))
        .routes(routes!(daemon::see_system));
    let confirm = OpenApiRouter::default().routes(routes!(daemon::confirm_record));
    let alarms =
        OpenApiRouter::default().routes(routes!(alarms::list_alarms)).routes(routes!(alarms::acknowledge_alarm));
    let reports = OpenApiRouter::default().routes(routes!(reports::dismiss_reports));
    let order = OpenApiRouter::default().routes(routes!(orders::give_order)).routes(routes!(orders::preview_order));
    let upload = OpenApiRouter::default()
        .routes(routes!(files::load_pairings))
        .routes(routes!(files::preview_pairings))
        .layer(DefaultBodyLimit::max(files::MOST_UPLOAD_BYTES));
    let operate = OpenApiRouter::default().routes(routes!(traffic::see_traffic)).routes(routes!(files::leave_pairings));
    let backup = OpenApiRouter::default().routes(routes!(daemon::download_backup));
    let socket = OpenApiRouter::default().route(&format!("{API}/live"), get(live::follow));
    let positions =
        OpenApiRouter::default().route(&format!("{API}/sources/{{name}}/socket"), get(sources::socket::follow));
    let (routes, mut document) = for_all
        .merge(with(Right::OwnAccount, socket))
        .merge(with(Right::OwnAccount, own_account))
        .merge(with(Right::OwnAccount, leave))
        .merge(with(Right::Operate, rehearse))
        .merge(with(Right::Watch, see_ports))
        .merge(with(Right::Operate, allow_ports))
        .merge(with(Right::Administer, log))
        .merge(with(Right::Watch, watch))
        .merge(with(Right::Watch, see_outputs))
        .merge(with(Right::Operate, order_outputs))
        .merge(with(Right::Administer, change_outputs))
        .merge(with(Right::Watch, see_sources))
        .merge(with(Right::Administer, change_sources))
        .merge(with(Right::Feed, send_games))
        .merge(with(Right::Feed, positions))
        .merge(with(Right::Alarms, alarms))
        .merge(with(Right::Alarms, reports))
        // The handler checks the right that the order itself needs.
        .merge(with(Right::Arbitrate, order))
        .merge(with(Right::Operate, upload))
        .merge(with(Right::Operate, confirm))
        .merge(with(Right::Operate, operate))
        .merge(with(Right::Backup, backup))
        .merge(with(Right::Keys, keys))
        .merge(with(Right::Administer, administer))
        .split_for_parts();
    openapi::guard(&mut document);
    complete(&mut document);
    let routes = routes
        .merge(metrics::routes(Arc::clone(&admin.parts.metrics)))
        .route(&format!("{API}/{{*rest}}"), any(unknown_address))
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(MOST_BODY_BYTES))
        .layer(from_fn_with_state(Arc::clone(admin), guard::near))
        .merge(pages::routes().layer(from_fn_with_state(Arc::clone(admin), guard::near_page)))
        .with_state(Arc::clone(admin));
    (routes, document)
}

async fn unknown_address() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such address: /api/v1/openapi.json lists all addresses.")
}

async fn method_not_allowed() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "This address does not have this method: /api/v1/openapi.json lists its methods.",
    )
}
