//! Runs a project's own tool, as long as it keeps producing output.
//!
//! A build takes its time, so there is no limit for it. But a tool that prints nothing for many minutes hangs, and the
//! user would not know what the command waits for. Only the end of its output is kept, because the output may be of any
//! length.

use sandbox::interrupt;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest silence, which exceeds that of any working tool.
pub const PATIENCE: Duration = Duration::from_secs(600);
/// The number of bytes of output that are kept.
const KEPT: usize = 64 << 10;
/// The time between two checks whether the tool has ended. Its output is no sign of that, since processes that it
/// started may keep its streams open.
const LOOK: Duration = Duration::from_millis(50);

pub struct Ended {
    /// The reason why it failed, if it did.
    pub failure: Option<String>,
    /// The end of its output.
    pub said: String,
}

pub fn run(mut command: Command, patience: Duration) -> io::Result<Ended> {
    // Gives the tool its own process group, so that its children can be killed together with it.
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = sandbox::spawn(command)?;
    let (sender, heard) = sync_channel(16);
    if let (Some(output), Some(errors)) = (child.stdout.take(), child.stderr.take()) {
        let errors_sender = sender.clone();
        thread::Builder::new().spawn(move || listen(output, &sender))?;
        thread::Builder::new().spawn(move || listen(errors, &errors_sender))?;
    }
    let mut said = Vec::new();
    let mut last = Instant::now();
    let failure = loop {
        match heard.recv_timeout(LOOK) {
            Ok(piece) => {
                keep(&mut said, &piece);
                last = Instant::now();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break why(child.wait()?),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(status) = child.try_wait()? {
            heard.try_iter().for_each(|piece| keep(&mut said, &piece));
            break why(status);
        }
        if interrupt::is_received() {
            sandbox::end(&mut child);
            break Some("interrupted".to_string());
        }
        if last.elapsed() >= patience {
            sandbox::end(&mut child);
            break Some(format!("it said nothing for {} s, and was ended", patience.as_secs_f32()));
        }
    };
    Ok(Ended { failure, said: String::from_utf8_lossy(&said).into_owned() })
}

fn why(status: std::process::ExitStatus) -> Option<String> {
    (!status.success()).then(|| status.to_string())
}

fn keep(said: &mut Vec<u8>, piece: &[u8]) {
    said.extend_from_slice(piece);
    let surplus = said.len().saturating_sub(KEPT);
    said.drain(..surplus);
}

fn listen(mut stream: impl Read, heard: &SyncSender<Vec<u8>>) {
    let mut piece = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut piece) {
        if heard.send(piece.iter().take(count).copied().collect()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, patience: Duration) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, patience).expect("a shell")
    }

    #[test]
    fn a_tool_ends_as_it_likes() {
        let ended = shell("echo out; echo err >&2; exit 3", PATIENCE);
        assert_eq!(ended.failure.as_deref(), Some("exit status: 3"));
        assert!(ended.said.contains("out\n") && ended.said.contains("err\n"), "{}", ended.said);
        assert_eq!(shell("true", PATIENCE).failure, None);
        assert!(shell("kill -9 $$", PATIENCE).failure.is_some_and(|why| why.contains("signal: 9")));
    }

    /// Processes that the tool leaves running are not waited for.
    #[test]
    fn who_keeps_the_streams_open_is_not_waited_for() {
        let start = Instant::now();
        assert_eq!(shell("sleep 30 & echo done", PATIENCE).failure, None);
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_tool_that_hangs_is_ended_and_one_that_talks_is_not() {
        let why = shell("exec sleep 60", Duration::from_millis(300)).failure;
        assert!(why.as_deref().is_some_and(|why| why.contains("said nothing")), "{why:?}");
        let talked = shell("for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done", Duration::from_millis(900));
        assert_eq!(talked.failure, None);
        let much = shell("head -c 3000000 /dev/zero; echo; echo end", PATIENCE);
        assert!(much.failure.is_none() && much.said.len() <= KEPT && much.said.ends_with("end\n"));
    }
}
