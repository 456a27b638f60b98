//! The output of a solver, line by line, bounded in memory and in time: whatever the solver prints, no more of it is
//! kept than one answer may have, and waiting for it ends when agreed.

use super::SmtError;
use sandbox::interrupt;
use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use term::work;

/// The number of bytes that are read at once.
const PIECE: usize = 64 << 10;
/// The number of pieces that wait to be processed. When there are as many, the solver has to wait before it prints
/// more.
const MOST_PIECES: usize = 16;
/// The largest number of bytes of one answer. Models of the queries that are asked have a few thousand.
pub(super) const LONGEST_ANSWER: usize = 16 << 20;

/// The time between two looks at whether the search still wants the answer.
const LOOK: Duration = Duration::from_millis(100);

pub(super) struct Output {
    pieces: Receiver<std::io::Result<Vec<u8>>>,
    /// The bytes read so far; the lines before `start` were returned.
    buffer: Vec<u8>,
    start: usize,
}

impl Output {
    /// Reads on a thread of its own, so that waiting can end when the time is up. The thread ends with its source, or
    /// when the receiver of its pieces is gone.
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

    /// Returns the next line without its end, which has at most `most` bytes. A line that the solver did not finish
    /// does not count.
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
                    // Otherwise, lines that never stop coming would be read for ever.
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
                // Ends the work if the search is overdue meanwhile.
                Err(RecvTimeoutError::Timeout) => work::look(),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(SmtError::Died(std::io::Error::other("it ended")));
                }
            }
        }
    }
}
