//! Alarms as messages, with servers that fail first.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread::JoinHandle;

use game_core::alarm::AlarmKind;

use super::*;
use crate::alarms::said;

/// A server of mail that knows as much SMTP as a client needs; gives the mails that it took.
fn mail_server(refuse_first: bool) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || {
        let mut refuse = refuse_first;
        loop {
            let (socket, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(socket.try_clone().unwrap());
            let say = |text: &str| write!(&socket, "{text}\r\n");
            if std::mem::take(&mut refuse) {
                say("421 the server has no time").unwrap();
                continue;
            }
            say("220 mail").unwrap();
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap() > 0 {
                match line.split([' ', '\r']).next().unwrap() {
                    "DATA" => {
                        say("354 go on").unwrap();
                        let mut mail = String::new();
                        while !mail.ends_with("\r\n.\r\n") {
                            reader.read_line(&mut mail).unwrap();
                        }
                        let _ = say("250 taken");
                        return mail;
                    }
                    "EHLO" => say("250 mail").unwrap(),
                    _ => say("250 yes").unwrap(),
                }
                line.clear();
            }
        }
    });
    (address, server)
}

fn settings(text: &str) -> anyhow::Result<Messages> {
    toml::from_str::<AlarmsConfig>(text).unwrap().messages(Path::new("/nowhere"))
}

fn by_mail(server: &str) -> Messages {
    settings(&format!(
        "email_server = \"{server}\"\nemail_protection = \"none\"\nemail_from = \"hall@example.org\"\n\
         email_to = [\"a@example.org\", \"b@example.org\"]"
    ))
    .unwrap()
}

#[test]
fn a_mail_says_what_happened_in_its_subject() {
    let (address, server) = mail_server(true);
    let channel = &by_mail(&address).channels[0];
    let alarms = raised(&[(AlarmKind::RecordFailing, "the journal cannot be written: free space")]);
    let mut digest = Digest::new(Duration::from_mins(1));
    let start = Instant::now();
    assert_eq!(digest.due(start, &alarms), None, "it may be over in a moment");
    let message = digest.due(start + Duration::from_secs(6), &alarms).unwrap();
    let refused = channel.send(&message).unwrap_err();
    assert!(refused.contains("421") || refused.contains("no time"), "{refused}");
    channel.send(&message).unwrap();
    let mail = server.join().unwrap();
    assert!(mail.contains("Subject: boardcast: the journal cannot be written"), "{mail}");
    assert!(mail.contains("free space") && mail.contains("a@example.org"), "{mail}");
}

/// Alarms that hold.
fn raised(alarms: &[(AlarmKind, &str)]) -> Vec<game_core::alarm::Alarm> {
    let book = AlarmBook::default();
    for (kind, text) in alarms {
        book.daemon(0, *kind, said(text));
    }
    book.list(|_| true)
}

#[test]
fn alarms_in_the_pause_come_in_one_message_and_their_end_is_told() {
    let all = raised(&[
        (AlarmKind::RecordFailing, "the journal cannot be written"),
        (AlarmKind::PairingsRefused, "round.trf was refused"),
        (AlarmKind::TrademarkUnknown, "a board has another trademark"),
    ]);
    let mut digest = Digest::new(Duration::from_mins(1));
    let start = Instant::now();
    let at = |seconds| start + Duration::from_secs(seconds);
    digest.due(at(0), &all[..1]);
    let first = digest.due(at(5), &all[..1]).unwrap();
    digest.delivered(at(5), &first);
    assert_eq!(digest.due(at(20), &all), None, "the pause");
    let second = digest.due(at(65), &all[1..]).unwrap();
    assert_eq!(second.title, "boardcast: 2 alarms");
    assert_eq!(second.text, format!("{}\n{}\nOver: {}\n", all[1].text, all[2].text, all[0].text));
    digest.failed(at(70));
    assert_eq!(digest.due(at(69), &all[1..]), None);
    assert_eq!(digest.due(at(70), &all[1..]).as_ref(), Some(&second), "it is tried again, as it is then");
    digest.delivered(at(70), &second);
    assert_eq!(digest.due(at(200), &all[1..]), None, "nothing is told twice");
    assert_eq!(digest.due(at(201), &[]).unwrap().title, "boardcast: 2 alarms are over");
}

#[tokio::test]
async fn ntfy_gets_a_message_without_the_address_in_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let topic = format!("http://{}/secret-topic", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut heads = Vec::new();
        for status in ["507 full", "200 OK"] {
            let (socket, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(socket);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            let head = head.to_ascii_lowercase();
            // A socket that is closed with bytes unread resets the connection, and the answer can be lost with it.
            let (_, length) = head.split_once("content-length: ").unwrap();
            let mut text = vec![0; length.lines().next().unwrap().parse().unwrap()];
            reader.read_exact(&mut text).unwrap();
            write!(reader.get_mut(), "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
            heads.push(head);
        }
        heads
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("credentials")).unwrap();
    std::fs::write(folder.path().join("credentials/ntfy-token"), "tk_secret\n").unwrap();
    let config: AlarmsConfig =
        toml::from_str(&format!("ntfy = \"{topic}\"\nntfy_token_file = \"ntfy-token\"")).unwrap();
    let messages = config.messages(folder.path()).unwrap();
    assert!(!format!("{messages:?}").contains("secret"), "{messages:?}");
    let channel = &messages.channels[0];
    let refused = channel.send(&Message::trial()).unwrap_err();
    assert_eq!(refused, "the server answers with status 507");
    channel.send(&Message::trial()).unwrap();
    let heads = server.join().unwrap();
    assert!(heads[1].contains("authorization: bearer tk_secret") && heads[1].contains("title: boardcast: a test"));
}

#[test]
fn what_is_missing_is_said() {
    let wrong = |text: &str| format!("{:#}", settings(text).unwrap_err());
    assert!(wrong("email_server = \"mail\"").contains("a name with a port"));
    assert!(wrong("email_server = \"m:25\"\nemail_user = \"u\"").contains("belong together"));
    assert!(wrong("email_server = \"m:25\"").contains("email_from is missing"));
    assert!(wrong("email_server = \"m:25\"\nemail_from = \"a@b.c\"").contains("email_to is missing"));
    assert!(
        wrong("email_server = \"m:25\"\nemail_from = \"nobody\"\nemail_to = [\"a@b.c\"]").contains("no e-mail address")
    );
    assert!(wrong("email_to = [\"a@b.c\"]").contains("email_server is missing"));
    assert!(wrong("ntfy_token_file = \"t\"").contains("cannot be read"));
    assert!(settings("").unwrap().channels.is_empty());
}
