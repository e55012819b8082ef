//! The health of the daemon, facts about it, and backups.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use tokio_util::io::ReaderStream;

use super::api::daemon::{Health, System};
use super::files::attachment;
use super::state::{API, Admin, blocking};
use public_web::problem::{Problem, failing};

/// Get the health of the daemon
#[utoipa::path(
    get, path = API.to_owned() + "/health", tag = "daemon",
    responses((status = 200, description = "The health and, if something does not work, the reasons", body = Health)),
)]
pub(super) async fn see_health(State(admin): State<Arc<Admin>>) -> Json<Health> {
    let troubles = admin.troubles();
    Json(Health { ok: troubles.is_empty(), troubles })
}

/// Get facts about the daemon
#[utoipa::path(
    get, path = API.to_owned() + "/system", tag = "daemon",
    responses((status = 200, description = "Version, start, disk, public address", body = System)),
)]
pub(super) async fn see_system(State(admin): State<Arc<Admin>>) -> Result<Json<System>, Problem> {
    let data = admin.parts.data.clone();
    let space = blocking(move || (fs4::available_space(&data).ok(), fs4::total_space(&data).ok()));
    let (disk_free, disk_total) = space.await?;
    let public_address = admin.parts.public_url.as_ref().map(|public| public.address(""));
    Ok(Json(System {
        version: env!("CARGO_PKG_VERSION"),
        started_at: admin.started_at,
        disk_free,
        disk_total,
        public_address,
    }))
}

/// Download a backup of the journal
///
/// It does not contain accounts or captures.
#[utoipa::path(
    get, path = API.to_owned() + "/backup", tag = "daemon",
    responses((status = 200, description = "The journal as of now, a SQLite database", body = Vec<u8>,
        content_type = "application/vnd.sqlite3")),
)]
pub(super) async fn download_backup(State(admin): State<Arc<Admin>>) -> Result<Response, Problem> {
    let (reader, data) = (Arc::clone(&admin.parts.reader), admin.parts.data.clone());
    let copied = blocking(move || -> anyhow::Result<std::fs::File> {
        // In the data folder, whose disk has space for it. The file is deleted after it was sent.
        let folder = tempfile::Builder::new().prefix("backup-").tempdir_in(data)?;
        let path = folder.path().join("journal.sqlite");
        reader.backup(&path)?;
        Ok(std::fs::File::open(path)?)
    });
    let file = copied.await?.map_err(|error| {
        tracing::error!("the backup failed: {error:#}");
        failing()
    })?;
    let body = Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(file)));
    Ok((attachment("application/vnd.sqlite3", "journal.sqlite"), body).into_response())
}
