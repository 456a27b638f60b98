//! What a solver says, line by line, bounded in memory and in time: whatever it prints, no more of it is kept than one
//! answer may have, and nobody waits for it longer than agreed.

use super::SmtError;
use sandbox::interrupt;
use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use term::work;

/// Bytes that are read at once.
const PIECE: usize = 64 << 10;
/// Pieces that wait to be looked at. Behind these the solver has to wait with what else it wants to print.
const MOST_PIECES: usize = 16;
/// One answer has no more bytes. Models of the queries that are asked have a few thousand.
pub(super) const LONGEST_ANSWER: usize = 16 << 20;

/// Between two looks at whether the search still wants the answer.
const LOOK: Duration = Duration::from_millis(100);

pub(super) struct Output {
    pieces: Receiver<std::io::Result<Vec<u8>>>,
    /// What was read; the lines before `start` were given out.
    buffer: Vec<u8>,
    start: usize,
}

impl Output {
    /// Reads on a thread of its own, so that waiting can end when the time is up. The thread ends with its source, or
    /// when nobody wants its pieces any more.
    pub fn of(mut source: impl Read + Send + 'static) -> Output {
        let (sender, pieces) = sync_channel(MOST_PIECES);
        std::thread::spawn(move || {
            let mut piece = vec![0; PIECE];
            loop {
                let read = match source.read(&mut piece) {
                    Ok(0) => break,
                    Ok(size) => Ok(piece[..size].to_vec()),
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let is_over = read.is_err();
                if sender.send(read).is_err() || is_over {
                    break;
                }
            }
        });
        Output { pieces, buffer: Vec::new(), start: 0 }
    }

    /// The next line without its end, of at most so many bytes. A line that the solver did not finish is none.
    pub fn line(&mut self, until: Instant, most: usize) -> Result<String, SmtError> {
        let mut searched = self.start;
        loop {
            if let Some(at) = self.buffer[searched..].iter().position(|byte| *byte == b'\n') {
                let end = searched + at;
                let line = std::str::from_utf8(&self.buffer[self.start..end]).map(|line| line.trim().to_string());
                let size = end - self.start;
                self.start = end + 1;
                return match line {
                    _ if size > most => Err(SmtError::TooLong),
                    // Lines that never end their coming would else be read for ever.
                    _ if Instant::now() >= until => Err(SmtError::Silent),
                    Ok(line) => Ok(line),
                    Err(_) => Err(SmtError::Unexpected("bytes that are no text".to_string())),
                };
            }
            if self.buffer.len() - self.start > most {
                return Err(SmtError::TooLong);
            }
            self.buffer.drain(..std::mem::take(&mut self.start));
            searched = self.buffer.len();
            let patience = until.saturating_duration_since(Instant::now());
            match self.pieces.recv_timeout(patience.min(LOOK)) {
                Ok(piece) => self.buffer.extend(piece.map_err(SmtError::Died)?),
                Err(RecvTimeoutError::Timeout) if patience <= LOOK || interrupt::is_overdue() => {
                    return Err(SmtError::Silent);
                }
                // Whoever answers for the search may want it to end meanwhile.
                Err(RecvTimeoutError::Timeout) => work::look(),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(SmtError::Died(std::io::Error::other("it ended")));
                }
            }
        }
    }
}
