//! Lists the ports that exist, and which of them may be probed for a board.
//!
//! Devices with two USB ids may be probed (docs/protocol.md), and the ports that the organiser allowed. A byte could harm any
//! other device, so it is only listed. No port is opened here.

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serialport::{SerialPortInfo, SerialPortType};

use super::address::{Address, AddressError};
use super::physical::PhysicalPaths;
use super::ports::Ports;
use game_core::probe::FirstQuestion;

/// USB id of newer boards (Renesas CDC-ACM). Never a bus.
const BOARD_USB: (u16, u16) = (0x045b, 0x8111);

/// USB id of older boards and of all other devices with an FTDI FT232, among them adapters to a bus.
const FTDI_USB: (u16, u16) = (0x0403, 0x6001);

/// Maximum number of ports of one pattern.
const PORTS_PER_PATTERN: usize = 4096;

/// An entry of the `ports` setting: a path, a pattern like `/tmp/hall/*`, or `tcp://host:port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortPattern {
    /// This port, whether it exists or not.
    One(Address),
    /// All paths that match.
    Paths(String),
}

impl FromStr for PortPattern {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let address: Address = text.parse()?;
        let is_pattern = matches!(address, Address::Serial(_)) && text.contains(['*', '?', '[']);
        if is_pattern && glob::Pattern::new(text).is_err() {
            return Err(AddressError(text.to_owned()));
        }
        Ok(if is_pattern { Self::Paths(text.to_owned()) } else { Self::One(address) })
    }
}

/// Which ports are considered.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Whether the serial ports of the machine are considered; a demo does not touch them.
    pub machine: bool,
    /// Ports that the organiser allowed.
    pub allowed: Vec<PortPattern>,
    /// The physical paths of ports.
    pub physical: PhysicalPaths,
    /// Ports that a person allowed in the dashboard, and where it reads which ports there are.
    pub ports: Ports,
}

/// A port that exists, or that the organiser named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its address.
    pub address: Address,
    /// The device for people, e.g. «USB 0403:6001 FTDI».
    pub device: String,
    /// Whether it may be probed.
    pub may_ask: bool,
    /// Whether several boards may share the line.
    pub may_be_bus: bool,
    /// The physical path; none for a port that has none.
    pub physical: Option<String>,
}

impl Candidate {
    /// How its probe begins, when one board was found there before or not.
    pub fn first_question(&self, known: bool) -> FirstQuestion {
        match (self.may_be_bus, known, &self.physical) {
            (false, ..) => FirstQuestion::Version,
            (true, true, Some(_)) => FirstQuestion::VersionThenPing,
            // A board that is known by the name of its port alone may be another one now; while it is played on, it is heard at once.
            (true, false, Some(_)) | (true, true, None) => FirstQuestion::Listen,
            // A board behind RS-232 or a serial server may be one of several, which talk only when they are asked.
            (true, false, None) => FirstQuestion::Ping,
        }
    }
}

/// The ports that exist now, sorted by address, with one entry for each device. Blocks on the file system.
pub fn candidates(scope: &Scope) -> Vec<Candidate> {
    let mut found = BTreeMap::new();
    for pattern in &scope.allowed {
        for address in expand(pattern) {
            found.entry(device_of(&address)).or_insert(Candidate {
                address,
                device: "allowed in the settings".into(),
                may_ask: true,
                may_be_bus: true,
                physical: None,
            });
        }
    }
    if scope.machine {
        for candidate in ports_of_machine().into_iter().filter_map(of_machine) {
            let device = device_of(&candidate.address);
            // An allowed port keeps its address from the settings, with the facts of the system about its device.
            found
                .entry(device)
                .and_modify(|known: &mut Candidate| {
                    known.device.clone_from(&candidate.device);
                    known.may_be_bus = candidate.may_be_bus;
                })
                .or_insert(candidate);
        }
    }
    let mut found: Vec<_> = found.into_values().collect();
    for candidate in &mut found {
        candidate.physical = scope.physical.0(&candidate.address);
        candidate.may_ask |= scope.ports.allows(&candidate.address.to_string());
    }
    found.sort_by(|a, b| a.address.cmp(&b.address));
    found
}

/// The ports that the system lists; none while it cannot, e.g. because too many files are open.
fn ports_of_machine() -> Vec<SerialPortInfo> {
    // `serialport` panics where this folder cannot be read.
    if cfg!(target_os = "linux")
        && let Err(error) = std::fs::read_dir("/sys/class/tty")
    {
        tracing::debug!(%error, "the system lists no serial ports");
        return Vec::new();
    }
    let listed = catch_unwind(serialport::available_ports);
    match listed {
        Ok(Ok(ports)) => return ports,
        Ok(Err(error)) => tracing::debug!(%error, "the system lists no serial ports"),
        Err(_) => tracing::debug!("the system lists no serial ports: listing them panicked"),
    }
    Vec::new()
}

fn expand(pattern: &PortPattern) -> Vec<Address> {
    match pattern {
        PortPattern::One(address) => vec![address.clone()],
        PortPattern::Paths(text) => glob::glob(text)
            .into_iter()
            .flatten()
            .filter_map(Result::ok)
            .filter(|path| !path.is_dir())
            .take(PORTS_PER_PATTERN)
            .map(Address::Serial)
            .collect(),
    }
}

/// The device behind a name: `/dev/serial/by-id/...` and `/dev/ttyACM0` can be the same.
fn device_of(address: &Address) -> Address {
    match address {
        Address::Serial(path) => Address::Serial(std::fs::canonicalize(path).unwrap_or_else(|_| path.clone())),
        Address::Tcp(_) => address.clone(),
    }
}

fn of_machine(port: SerialPortInfo) -> Option<Candidate> {
    let (device, may_ask, may_be_bus) = match port.port_type {
        SerialPortType::UsbPort(usb) => {
            let id = (usb.vid, usb.pid);
            let names = [usb.manufacturer, usb.product].into_iter().flatten().collect::<Vec<_>>().join(" ");
            let device = format!("USB {:04x}:{:04x} {names}", usb.vid, usb.pid).trim_end().to_owned();
            (device, id == BOARD_USB || id == FTDI_USB, id != BOARD_USB)
        }
        // Linux lists dozens of built-in ports without hardware; nothing tells them apart.
        SerialPortType::Unknown if is_built_in(Path::new(&port.port_name)) => return None,
        SerialPortType::PciPort => ("built-in serial port".into(), false, true),
        SerialPortType::BluetoothPort => ("Bluetooth".into(), false, true),
        SerialPortType::Unknown => ("unknown device".into(), false, true),
    };
    let address = Address::Serial(PathBuf::from(port.port_name));
    Some(Candidate { address, device, may_ask, may_be_bus, physical: None })
}

fn is_built_in(path: &Path) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.strip_prefix("ttyS"))
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serialport::UsbPortInfo;

    fn usb(vid: u16, pid: u16) -> Option<Candidate> {
        of_machine(SerialPortInfo {
            port_name: "/dev/ttyUSB0".into(),
            port_type: SerialPortType::UsbPort(UsbPortInfo {
                vid,
                pid,
                serial_number: None,
                manufacturer: Some("Maker".into()),
                product: None,
            }),
        })
    }

    #[test]
    fn only_the_ids_of_boards_are_asked_unbidden() {
        let newer = usb(0x045b, 0x8111).unwrap();
        assert!(newer.may_ask && !newer.may_be_bus);
        let older = usb(0x0403, 0x6001).unwrap();
        assert!(older.may_ask && older.may_be_bus);
        let plotter = usb(0x1a86, 0x7523).unwrap();
        assert!(!plotter.may_ask);
        assert_eq!(plotter.device, "USB 1a86:7523 Maker");
    }

    #[test]
    fn a_folder_of_links_is_one_candidate_for_each_device() {
        let folder = tempfile::tempdir().unwrap();
        let device = folder.path().join("device");
        std::fs::write(&device, "").unwrap();
        std::fs::create_dir(folder.path().join("tty-folder")).unwrap();
        #[cfg(unix)]
        for name in ["ttyB", "ttyA"] {
            std::os::unix::fs::symlink(&device, folder.path().join(name)).unwrap();
        }
        let pattern = format!("{}/tty*", folder.path().display());
        let scope = Scope {
            machine: false,
            allowed: vec![pattern.parse().unwrap(), "tcp://127.0.0.1:4001".parse().unwrap()],
            ..Scope::default()
        };
        let names: Vec<_> = candidates(&scope).iter().map(|found| found.address.to_string()).collect();
        assert_eq!(names, [folder.path().join("ttyA").display().to_string(), "tcp://127.0.0.1:4001".into()]);
    }

    #[test]
    fn patterns_are_checked_when_they_are_read() {
        assert!(matches!("/dev/ttyUSB0".parse(), Ok(PortPattern::One(_))));
        assert!(matches!("/dev/ttyUSB*".parse(), Ok(PortPattern::Paths(_))));
        assert!("/dev/tty[".parse::<PortPattern>().is_err());
        assert!("tcp://nowhere".parse::<PortPattern>().is_err());
    }
}
