//! The health of the daemon, facts about it, and backups.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use tokio_util::io::ReaderStream;

use super::api::daemon::{Health, System};
use super::files::attachment;
use super::state::{API, Admin, blocking};
use accounts::Who;
use journal::KeptFile;
use public_web::problem::{Problem, failing};

/// Get the health of the daemon
#[utoipa::path(
    get, path = API.to_owned() + "/health", tag = "daemon",
    responses((status = 200, description = "The health and, if something does not work, the reasons", body = Health)),
)]
pub(super) async fn see_health(State(admin): State<Arc<Admin>>) -> Json<Health> {
    Json(admin.full_health())
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
    let proxy = admin.parts.public_url.as_ref().map(|public| public.address(""));
    let public_address = proxy.or_else(|| admin.parts.plain.map(|plain| format!("http://{plain}")));
    Ok(Json(System {
        version: env!("CARGO_PKG_VERSION"),
        started_at: admin.started_at,
        disk_free,
        disk_total,
        public_address,
    }))
}

/// Confirm that the record was looked at
///
/// For the alarm `record_incomplete`: entries are missing from the journal, or it was rebuilt. After a rebuild nothing is public
/// until this order.
#[utoipa::path(
    post, path = API.to_owned() + "/record-reviewed", tag = "daemon",
    responses((status = 200, description = "The health now", body = Health)),
)]
pub(super) async fn confirm_record(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
) -> Result<Json<Health>, Problem> {
    let asked = Arc::clone(&admin);
    blocking(move || asked.parts.review.done()).await?.map_err(|error| {
        tracing::error!(%error, "the notice about the record cannot be removed");
        failing()
    })?;
    tracing::info!(by = %who.name, "the record was looked at");
    Ok(see_health(State(admin)).await)
}

/// Download a backup
///
/// It contains the journal and, for a person, the accounts; a key gets the journal alone. Captures are not in it. The first start
/// on it puts the accounts back if there are none.
#[utoipa::path(
    get, path = API.to_owned() + "/backup", tag = "daemon",
    responses((status = 200, description = "Journal and accounts as of now, a SQLite database", body = Vec<u8>,
        content_type = "application/vnd.sqlite3")),
)]
pub(super) async fn download_backup(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
) -> Result<Response, Problem> {
    let (reader, data) = (Arc::clone(&admin.parts.reader), admin.parts.data.clone());
    // A key must not lead to the hashes of passwords.
    let accounts = admin.parts.accounts.clone().filter(|_| who.scopes.is_none());
    let copied = blocking(move || -> anyhow::Result<std::fs::File> {
        // In the data folder, whose disk has space for it. The file is deleted after it was sent.
        let folder = tempfile::Builder::new().prefix("backup-").tempdir_in(data)?;
        let path = folder.path().join("journal.sqlite");
        let accounts = accounts.map(|accounts| accounts.copy()).transpose()?;
        let kept: Vec<_> =
            accounts.into_iter().map(|(name, content)| KeptFile { name: name.to_owned(), content }).collect();
        reader.backup(&path, &kept)?;
        Ok(std::fs::File::open(path)?)
    });
    let file = copied.await?.map_err(|error| {
        tracing::error!("the backup failed: {error:#}");
        failing()
    })?;
    let body = Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(file)));
    Ok((attachment("application/vnd.sqlite3", "journal.sqlite"), body).into_response())
}
