//! The physical path of a port: where a cable is plugged in, or which radio is at the other end.
//!
//! Names of ports change from start to start; physical paths do not. Only USB and Bluetooth (RFCOMM) have one: what is
//! behind a serial server or a built-in serial port may be another line each time. Must not know what a board is.

use std::fmt;
use std::path::Path;

use super::address::Address;

/// How the physical path of a port is found out.
#[derive(Clone, Copy)]
pub struct PhysicalPaths(pub fn(&Address) -> Option<String>);

impl Default for PhysicalPaths {
    /// Those of this machine.
    fn default() -> Self {
        Self(|address| match address {
            Address::Serial(path) => of_machine(Path::new("/sys/class/tty"), path),
            Address::Tcp(_) => None,
        })
    }
}

impl fmt::Debug for PhysicalPaths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PhysicalPaths")
    }
}

/// The physical path of a device of Linux, whose devices are in `class`.
fn of_machine(class: &Path, path: &Path) -> Option<String> {
    let path = std::fs::canonicalize(path).ok()?;
    let device = class.join(path.file_name()?);
    let read = |path: &Path| Some(std::fs::read_to_string(path).ok()?.trim().to_owned());
    // An RFCOMM device names the radio at the other end.
    if let (Some(radio), Some(channel)) = (read(&device.join("address")), read(&device.join("channel"))) {
        return Some(format!("bluetooth {radio} {channel}"));
    }
    // The folder of a USB device is above those of its interfaces and ports.
    let device = std::fs::canonicalize(device.join("device")).ok()?;
    let usb = device.ancestors().find(|folder| folder.join("idVendor").is_file())?;
    let place = usb.file_name()?.to_str()?;
    let above = usb.parent()?.file_name()?.to_str()?;
    let [vendor, product] = ["idVendor", "idProduct"].map(|name| read(&usb.join(name)).unwrap_or_default());
    let serial = read(&usb.join("serial")).unwrap_or_default();
    let interface = device.ancestors().take_while(|folder| *folder != usb).last()?.file_name()?.to_str()?;
    Some(format!("usb {above}/{place} {interface} {vendor}:{product} {serial}").trim_end().to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};
    use std::os::unix::fs::symlink;

    #[test]
    fn usb_and_bluetooth_have_a_physical_path_and_other_ports_have_none() {
        let folder = tempfile::tempdir().unwrap();
        let (class, ports) = (folder.path().join("class"), folder.path().join("dev"));
        let usb = folder.path().join("devices/usb1/1-2");
        let port = usb.join("1-2:1.0/ttyUSB0");
        create_dir_all(&port).unwrap();
        create_dir_all(&ports).unwrap();
        for (name, text) in [("idVendor", "0403\n"), ("idProduct", "6001\n"), ("serial", "A50285BI\n")] {
            write(usb.join(name), text).unwrap();
        }
        for name in ["ttyUSB0", "rfcomm0", "ttyS0"] {
            create_dir_all(class.join(name)).unwrap();
            write(ports.join(name), "").unwrap();
        }
        symlink(&port, class.join("ttyUSB0/device")).unwrap();
        write(class.join("rfcomm0/address"), "00:06:66:01:02:03\n").unwrap();
        write(class.join("rfcomm0/channel"), "1\n").unwrap();
        symlink(ports.join("ttyUSB0"), ports.join("by-id")).unwrap();
        let of = |name: &str| of_machine(&class, &ports.join(name));
        assert_eq!(of("ttyUSB0").as_deref(), Some("usb usb1/1-2 1-2:1.0 0403:6001 A50285BI"));
        assert_eq!(of("by-id"), of("ttyUSB0"));
        assert_eq!(of("rfcomm0").as_deref(), Some("bluetooth 00:06:66:01:02:03 1"));
        assert_eq!((of("ttyS0"), of("missing")), (None, None));
        assert_eq!(PhysicalPaths::default().0(&Address::Tcp("127.0.0.1:4001".into())), None);
    }
}
