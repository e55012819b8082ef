//! The certificate of the daemon: the organiser's own, or one that is made at the first start and kept in the data folder.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use rcgen::{CertificateParams, DistinguishedName, DnType, KeyPair, date_time_ymd};
use sha2::{Digest, Sha256};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Maximum size of a file with a certificate or a key in bytes.
const MOST_BYTES: u64 = 1024 * 1024;

/// Years of validity of a made certificate. Long, because a small computer may not know the date.
const VALID_YEARS: (i32, i32) = (2024, 2049);

/// A certificate chain with its key.
#[derive(Debug)]
pub struct Certificate {
    pub(super) chain: Vec<CertificateDer<'static>>,
    pub(super) key: PrivateKeyDer<'static>,
    /// Whether it was made by the daemon, so that browsers do not know it.
    pub self_signed: bool,
}

/// The organiser's own certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The chain in PEM, the daemon's certificate first.
    pub certificate: PathBuf,
    /// Its private key in PEM.
    pub key: PathBuf,
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read or written.
    #[error("{} cannot be used: check the file and its permissions", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is no PEM.
    #[error("{} has no certificate and no key in PEM form: give the files that the certificate authority sent", path.display())]
    Pem {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: pem::Error,
    },
    /// No certificate could be made.
    #[error("no certificate could be made")]
    Make(#[from] rcgen::Error),
}

impl Certificate {
    /// Reads the organiser's own certificate.
    ///
    /// # Errors
    /// A [`CertificateError`] that names the file.
    pub fn read(files: &CertificateFiles) -> Result<Self, CertificateError> {
        let wrong = |path: &Path| {
            let path = path.to_owned();
            move |source| CertificateError::Pem { path, source }
        };
        let text = read(&files.certificate)?;
        let chain: Vec<_> =
            CertificateDer::pem_slice_iter(&text).collect::<Result<_, _>>().map_err(wrong(&files.certificate))?;
        if chain.is_empty() {
            return Err(wrong(&files.certificate)(pem::Error::NoItemsFound));
        }
        let key = PrivateKeyDer::from_pem_slice(&read(&files.key)?).map_err(wrong(&files.key))?;
        Ok(Self { chain, key, self_signed: false })
    }

    /// The certificate in this folder; made for these names when there is none.
    ///
    /// # Errors
    /// A [`CertificateError`] that names the file.
    pub fn kept_in(folder: &Path, names: &[String]) -> Result<Self, CertificateError> {
        let files = CertificateFiles { certificate: folder.join("certificate.pem"), key: folder.join("key.pem") };
        if !files.certificate.exists() || !files.key.exists() {
            make(folder, &files, names)?;
        }
        Ok(Self { self_signed: true, ..Self::read(&files)? })
    }

    /// The SHA-256 fingerprint as browsers show it: pairs of hexadecimal digits with colons.
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::digest(self.chain.first().map(AsRef::as_ref).unwrap_or_default());
        let mut text = String::new();
        for (place, byte) in digest.iter().enumerate() {
            let _ = write!(text, "{}{byte:02X}", if place == 0 { "" } else { ":" });
        }
        text
    }
}

/// The names by which this machine may be reached: `localhost`, its host name, its address.
pub fn own_names(address: Option<IpAddr>) -> Vec<String> {
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(Into::into).into();
    let host = fs::read_to_string("/etc/hostname").unwrap_or_default();
    let host = host.trim().split('.').next().unwrap_or_default().to_ascii_lowercase();
    if !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && host != "localhost" {
        names.push(format!("{host}.local"));
        names.push(host);
    }
    names.extend(address.map(|address| address.to_string()));
    names
}

fn make(folder: &Path, files: &CertificateFiles, names: &[String]) -> Result<(), CertificateError> {
    let mut params = CertificateParams::new(names)?;
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, "boardcast in this hall");
    params.distinguished_name = name;
    (params.not_before, params.not_after) = (date_time_ymd(VALID_YEARS.0, 1, 1), date_time_ymd(VALID_YEARS.1, 1, 1));
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    fs::create_dir_all(folder).map_err(|source| CertificateError::File { path: folder.to_owned(), source })?;
    // The key first: a certificate without its key would be used for ever.
    write_private(folder, &files.key, key.serialize_pem().as_bytes())?;
    write_private(folder, &files.certificate, certificate.pem().as_bytes())
}

/// Writes a file that only its owner may read, whole or not at all.
fn write_private(folder: &Path, path: &Path, content: &[u8]) -> Result<(), CertificateError> {
    let failed = |source| CertificateError::File { path: path.to_owned(), source };
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    io::Write::write_all(&mut file, content).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, CertificateError> {
    crate::input_file::read_bytes(path, MOST_BYTES)
        .map_err(|source| CertificateError::File { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_certificate_of_the_first_start_is_kept_and_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("tls");
        let first = Certificate::kept_in(&folder, &own_names("192.168.1.7".parse().ok())).unwrap();
        let again = Certificate::kept_in(&folder, &[]).unwrap();
        assert_eq!(first.fingerprint(), again.fingerprint());
        assert_eq!(first.fingerprint().len(), 32 * 3 - 1);
        for file in ["key.pem", "certificate.pem"] {
            assert_eq!(fs::metadata(folder.join(file)).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn files_that_are_no_certificate_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = CertificateFiles { certificate: folder.path().join("a.pem"), key: folder.path().join("b.pem") };
        assert!(Certificate::read(&missing).unwrap_err().to_string().contains("a.pem"));
        for rubbish in [&b""[..], b"rubbish", b"-----BEGIN CERTIFICATE-----\nno base64!\n-----END CERTIFICATE-----\n"] {
            fs::write(&missing.certificate, rubbish).unwrap();
            assert!(Certificate::read(&missing).unwrap_err().to_string().contains("a.pem"));
        }
    }
}
