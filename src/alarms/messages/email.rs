//! Messages by e-mail over SMTP.

use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::Tls;
#[cfg(feature = "tls")]
use lettre::transport::smtp::client::TlsParameters;
use lettre::{SmtpTransport, Transport};

use super::{Message, PATIENCE};

/// How the connection to the server is protected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protection {
    /// By STARTTLS, usual on port 587.
    #[default]
    Starttls,
    /// By TLS from the first byte, usual on port 465.
    Tls,
    /// Not at all: for a server on this machine.
    None,
}

/// A mail server with who writes to whom.
#[derive(Clone)]
pub struct Email {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) protection: Protection,
    pub(super) account: Option<(String, String)>,
    pub(super) from: Mailbox,
    pub(super) to: Vec<Mailbox>,
}

impl std::fmt::Debug for Email {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Email").field("host", &self.host).finish_non_exhaustive()
    }
}

impl Email {
    pub(super) fn send(&self, message: &Message) -> Result<(), String> {
        let mut mail = lettre::Message::builder().from(self.from.clone()).subject(&message.title);
        for to in &self.to {
            mail = mail.to(to.clone());
        }
        let mail = mail.body(message.text.clone()).map_err(|error| error.to_string())?;
        let mut server =
            SmtpTransport::builder_dangerous(&self.host).port(self.port).timeout(Some(PATIENCE)).tls(self.tls()?);
        if let Some((user, password)) = &self.account {
            server = server.credentials(Credentials::new(user.clone(), password.clone()));
        }
        // What the server says may repeat an address, no password.
        server.build().send(&mail).map(drop).map_err(|error| error.to_string())
    }

    #[cfg(feature = "tls")]
    fn tls(&self) -> Result<Tls, String> {
        let parameters = || TlsParameters::new(self.host.clone()).map_err(|error| error.to_string());
        Ok(match self.protection {
            Protection::Starttls => Tls::Required(parameters()?),
            Protection::Tls => Tls::Wrapper(parameters()?),
            Protection::None => Tls::None,
        })
    }

    #[cfg(not(feature = "tls"))]
    fn tls(&self) -> Result<Tls, String> {
        match self.protection {
            Protection::None => Ok(Tls::None),
            _ => Err("this build has no TLS: set email_protection to \"none\", or build with the feature tls".into()),
        }
    }
}
