use super::*;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;

fn pipe_in(folder: &TempDir) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    let path = folder.path().join("pipe");
    let name = std::ffi::CString::new(path.as_os_str().as_bytes()).expect("no zero in it");
    // SAFETY: the path is a C string.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    path
}

/// Process substitution of a shell names such a pipe: what is written to it counts, however late.
#[test]
fn pipes_are_read_until_their_writers_are_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = pipe_in(&folder);
    let writer = std::thread::spawn({
        let path = path.clone();
        move || {
            std::thread::sleep(Duration::from_millis(50));
            let mut pipe = OpenOptions::new().write(true).open(path).expect("a reader");
            pipe.write_all(b"first ").expect("it is read");
            std::thread::sleep(Duration::from_millis(50));
            pipe.write_all(&[b'x'; 200_000]).expect("it is read");
        }
    });
    let content = read(&path).expect("readable");
    assert!(content.starts_with(b"first x") && content.len() == 200_006, "{}", content.len());
    writer.join().expect("it ends");
    let (reader, mut writer) = io::pipe().expect("a pipe");
    writer.write_all(b"written and closed before").expect("there is room");
    drop(writer);
    let path = format!("/dev/fd/{}", reader.as_raw_fd());
    assert_eq!(read(Path::new(&path)).expect("readable"), b"written and closed before");
    assert_eq!(read(Path::new("/dev/null")).expect("readable"), b"");
    assert!(read(folder.path()).is_err() && read(&folder.path().join("none")).is_err());
}

#[test]
fn a_slow_reader_gets_everything() {
    let (mut reader, writer) = io::pipe().expect("a pipe");
    let bytes: Vec<u8> = (0..300_000u32).map(|number| number as u8).collect();
    let expected = bytes.clone();
    let listener = std::thread::spawn(move || {
        let mut heard = Vec::new();
        let mut piece = [0; 7_000];
        while let Ok(count @ 1..) = reader.read(&mut piece) {
            heard.extend_from_slice(&piece[..count]);
            std::thread::sleep(Duration::from_micros(100));
        }
        heard
    });
    write_all(&writer, &bytes).expect("it is read");
    drop(writer);
    assert!(listener.join().expect("it ends") == expected);
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    assert_eq!(write_all(&writer, b"x").expect_err("nobody reads").kind(), ErrorKind::BrokenPipe);
}

#[test]
fn programs_are_run_to_their_ends() {
    let shell = |script: &str, limit: u64| {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, Duration::from_millis(limit), 1000)
    };
    let ran = shell("echo out; echo err >&2; exit 3", 60_000).expect("it ends");
    assert_eq!((ran.status.code(), &ran.output[..], &ran.errors[..]), (Some(3), &b"out\n"[..], &b"err\n"[..]));
    assert_eq!(shell("head -c 100000 /dev/zero", 60_000).expect("it ends").output.len(), 1000);
    assert!(matches!(shell("exec sleep 3600", 200), Err(RunError::TooLong(_))));
    assert!(matches!(shell("sleep 3600 & echo done", 2_000), Err(RunError::KeptOpen)));
    assert!(matches!(run(Command::new("/no/such/program"), LOOK, 1), Err(RunError::Start(_))));
}

#[test]
fn messages_are_waited_for() {
    let (sender, messages) = std::sync::mpsc::channel();
    assert_eq!(receive::<u8>(&messages, Duration::from_millis(60)), Err(Unheard::TimedOut));
    sender.send(1).expect("somebody listens");
    assert_eq!(receive(&messages, Duration::ZERO), Ok(1));
    drop(sender);
    assert_eq!(receive(&messages, Duration::MAX), Err(Unheard::Closed));
}
