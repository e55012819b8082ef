//! Two connected sockets of this machine, for a connection that the server cannot take as it is.

use std::io;
use std::net::Ipv4Addr;

use tokio::net::{TcpListener, TcpStream};

/// Two connected sockets.
pub(crate) async fn pair() -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let one = TcpStream::connect(listener.local_addr()?).await?;
    let _ = one.set_nodelay(true);
    loop {
        let (other, from) = listener.accept().await?;
        // Another program of this machine may have been faster.
        if from == one.local_addr()? {
            return Ok((one, other));
        }
    }
}
