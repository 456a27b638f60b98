//! A runtime as a child process: starting it, exchanging packets with it, and ending it.
//!
//! The pipe to the helper is not the process's standard input and output but a separate channel. Whatever evaluated
//! code prints, even if it bypasses its group leader (`erlang:display/1`, a NIF), goes to standard error, whose last
//! lines are kept for messages. No caller ever blocks on a write: separate threads read and write, and a caller limits
//! how long it waits for answers.
//!
//! Every request has a random number that its answer must repeat. A packet with another number was written by code that
//! found the pipe, and ends the runtime, because none of its further answers can be trusted.

use crate::answer::bytes_of;
use crate::error::OracleError;
use crate::installation::{BOOT_LIMIT, Installation};
use crate::role::Role;
use crate::{OLDEST_RELEASE, OracleConfig, store};
use files::Temporary;
use sandbox::{Channel, Door, Process, Unheard};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use term::Term;

/// The release that the external term format is written for. Every supported release can read it.
const READ_BY_ALL: u32 = 26;

const HELPER_SOURCE: &str = concat!(
    include_str!("beagle_helper.erl"),
    include_str!("beagle_code.hrl"),
    include_str!("beagle_evaluation.hrl"),
    include_str!("beagle_guard.hrl"),
    include_str!("beagle_processes.hrl"),
    include_str!("beagle_forms.hrl"),
    include_str!("beagle_marks.hrl"),
    include_str!("beagle_trace.hrl"),
    include_str!("beagle_core.hrl"),
    include_str!("beagle_events.hrl"),
    include_str!("beagle_conduct.hrl"),
    // The conductor of code on the runtime uses the same list.
    include_str!("../../erlang/src/prelude/visible.erl"),
    include_str!("beagle_tracing.hrl"),
    include_str!("beagle_telling.hrl"),
    include_str!("beagle_measured.hrl")
);

/// The code that the new runtime evaluates first. It sends its release, loads the helper from object code or, if it
/// cannot load that, from source, and passes the pipe to it.
const BOOTSTRAP: &str = r#"
P=open_port({fd,INPUT,OUTPUT},[binary,{packet,4}]),
process_flag(trap_exit,true),
port_command(P,erlang:system_info(otp_release)),
Parse=fun(G,C,L)->case erl_scan:tokens([],C,L) of
  {done,{ok,T,N},R}->{ok,F}=erl_parse:parse_form(T),[F|G(G,R,N)];
  _->[] end end,
Get=fun(G)->receive
  {'EXIT',P,_}->halt(0,[{flush,false}]);
  {P,{data,<<"FOR1",_/binary>> = B}}->case code:load_binary(beagle_helper,"beagle_helper.beam",B) of
    {module,_}->beagle_helper:start(P);
    _->port_command(P,"source"),G(G) end;
  {P,{data,S}}->
    {ok,_,B}=compile:forms(Parse(Parse,binary_to_list(S),1),[]),
    {module,_}=code:load_binary(beagle_helper,"beagle_helper.beam",B),
    beagle_helper:start(P,B)
  end end,
Get(Get)."#;

/// The longest accepted first packet. A longer one shows that the program is not Erlang.
const LONGEST_RELEASE: u32 = 64;
/// The number of bytes that are kept of the process's standard error.
const KEPT_OUTPUT: usize = 4096;
/// The longest accepted answer. The Core of the largest modules of OTP has some ten megabytes.
const LONGEST_PACKET: u32 = 256 << 20;

/// The number of packets that are read before a caller asks for them.
const PACKETS_AHEAD: usize = 16;

/// The random number that identifies a request.
pub(crate) type Nonce = [u8; 16];

pub(crate) struct Child {
    process: Process,
    erl: PathBuf,
    /// The only folder that the process may write to. Removed with the child.
    private: Temporary,
    events: Receiver<Event>,
    packets: Sender<Vec<u8>>,
    said: Arc<Mutex<Vec<u8>>>,
    listener: Option<JoinHandle<()>>,
}

/// A message of the reading thread.
enum Event {
    TooOld(String),
    Hello(Result<Term, String>),
    Packet(Vec<u8>),
}

/// One answer, of possibly several, to a request.
pub(crate) struct Answer {
    pub term: Term,
    pub is_last: bool,
}

/// Links everything that may be read into the folder in which code runs, under its path relative to the user's current
/// folder. Files that cannot be linked are accessible by their absolute path only.
fn link_opened(readable: &[PathBuf], here: &Path, private: &Path) {
    let link = |path: &Path| {
        let Ok(inner) = path.strip_prefix(here) else { return };
        drop(files::Folder::open(private).and_then(|folder| folder.link(inner, path)));
    };
    for path in readable {
        match path == here {
            true => files::list(path).iter().for_each(|inner| link(&inner.path)),
            false => link(path),
        }
    }
}

impl Child {
    /// Starts the process and does not wait until it is up.
    pub fn start(start: &Start<'_>) -> Result<Child, OracleError> {
        let erl = &start.installation.erl;
        let failed = |source: io::Error| OracleError::CannotStart { erl: erl.clone(), source: source.into() };
        let private = Temporary::new().map_err(failed)?;
        if start.role == Role::Tracer && start.is_sandboxed {
            let here = std::env::current_dir().map_err(failed)?;
            link_opened(&start.config.opened.readable, &here, private.path());
        }
        let channel = sandbox::channel().map_err(failed)?;
        let mut command = start.command(private.path(), channel);
        // A signal from the terminal must end Beagle only; Beagle may still send requests to the runtime then.
        command.process_group(0);
        let walls = start
            .is_sandboxed
            .then(|| start.role.sandbox(start.config, start.installation, start.staged, private.path()));
        let (mut process, door) = sandbox::spawn_with(command, walls.as_ref(), Some(channel)).map_err(failed)?;
        let helper = start.config.helper_file(erl).map(|file| Helper { file, may_keep: start.role.keeps_helper() });
        let said = Arc::new(Mutex::new(Vec::new()));
        let (packets, outbox) = mpsc::channel();
        // A reader that is ahead of its caller waits, and the writing process waits with it.
        let (inbox, events) = mpsc::sync_channel(PACKETS_AHEAD);
        let mut listener = None;
        if let (Some(input), Some(output), Some(errors)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        {
            let kept = Arc::clone(&said);
            listener = Some(thread::spawn(move || keep_last_output(errors, &kept)));
            thread::spawn(move || write_packets(input, &outbox));
            let first_packets = packets.clone();
            // If the pipe fails, the process has ended; the caller notices it by the closed channel.
            let stays_open = start.role == Role::Tracer && !start.config.opened.programs.is_empty();
            thread::spawn(move || {
                let door = DoorKeeper { door, stays_open };
                drop(read_packets(output, door, &first_packets, &inbox, helper.as_ref()));
            });
        }
        Ok(Child { process, erl: erl.clone(), private, events, packets, said, listener })
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The only folder that it may write to.
    pub fn private(&self) -> &Path {
        self.private.path()
    }

    /// Waits until the runtime is up and returns its greeting.
    pub fn wait_until_up(&mut self) -> Result<Term, OracleError> {
        let refused = |why: String| OracleError::NoRuntime { erl: self.erl.clone(), why };
        match sandbox::receive(&self.events, BOOT_LIMIT) {
            Ok(Event::TooOld(found)) => Err(OracleError::TooOld { erl: self.erl.clone(), found }),
            Ok(Event::Hello(greeting)) => greeting.map_err(refused),
            Ok(Event::Packet(_)) => Err(refused("it answers before it greets".to_owned())),
            Err(Unheard::TimedOut) => Err(refused(format!("nothing was heard of it for {} s", BOOT_LIMIT.as_secs()))),
            Err(Unheard::Interrupted) => Err(OracleError::Interrupted { doing: "start".to_owned() }),
            Err(Unheard::Closed) => {
                let (status, said) = self.last_words();
                Err(OracleError::NoRuntime { erl: self.erl.clone(), why: format!("it ended ({status}){said}") })
            }
        }
    }

    pub fn request(&mut self, request: &Term) -> Result<Nonce, OracleError> {
        let mut nonce = Nonce::default();
        getrandom::fill(&mut nonce).map_err(|error| protocol("ask", error))?;
        let mut packet = nonce.to_vec();
        packet.extend(etf::encode_with(request, etf::MinorVersion::V2, READ_BY_ALL));
        // If the writer has ended, so has the process, and waiting for the answer reports that.
        let _ = self.packets.send(packet);
        Ok(nonce)
    }

    /// Returns the next answer to the request.
    pub fn answer(&mut self, nonce: Nonce, doing: &str, limit: Duration) -> Result<Answer, OracleError> {
        let Event::Packet(packet) = self.event(doing, limit)? else {
            return Err(protocol(doing, "a second greeting"));
        };
        match packet.split_first_chunk() {
            Some((head, [more, body @ ..])) if *head == nonce => {
                Ok(Answer { term: decode(doing, body)?, is_last: *more == 0 })
            }
            _ => Err(OracleError::Forged { doing: doing.to_owned() }),
        }
    }

    fn event(&mut self, doing: &str, limit: Duration) -> Result<Event, OracleError> {
        match sandbox::receive(&self.events, limit) {
            Ok(event) => Ok(event),
            Err(Unheard::TimedOut) => Err(OracleError::Timeout { doing: doing.to_owned(), limit }),
            Err(Unheard::Interrupted) => Err(OracleError::Interrupted { doing: doing.to_owned() }),
            Err(Unheard::Closed) => Err(self.obituary(doing)),
        }
    }

    fn obituary(&mut self, doing: &str) -> OracleError {
        let (status, said) = self.last_words();
        OracleError::ChildDied { doing: doing.to_owned(), status, said }
    }

    /// Returns how the process ended, and the last lines that it wrote.
    fn last_words(&mut self) -> (String, String) {
        // The pipe closes slightly before the process has ended and its last output is read.
        let deadline = Instant::now() + Duration::from_secs(1);
        let is_there = || !self.process.has_ended();
        let is_listening = || self.listener.as_ref().is_some_and(|thread| !thread.is_finished());
        while (is_there() || is_listening()) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        // Processes that it has started must not outlive it.
        if !is_there() {
            self.process.end_group();
        }
        let status = match self.process.try_wait() {
            Ok(Some(status)) => status.to_string(),
            Ok(None) => "it closed its pipe".to_owned(),
            Err(error) => error.to_string(),
        };
        let said = self.said.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let text = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let said = lines.iter().skip(lines.len().saturating_sub(6)).map(|line| format!("\n  {line}")).collect();
        (status, said)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.process.end();
    }
}

/// The parameters for starting a runtime.
pub(crate) struct Start<'a> {
    pub installation: &'a Installation,
    pub config: &'a OracleConfig,
    pub role: Role,
    pub is_sandboxed: bool,
    /// The folder of object code that Beagle has compiled.
    pub staged: Option<&'a Path>,
}

impl Start<'_> {
    /// Returns the `PATH` inside the runtime: the runtime's own programs, and those that may be started.
    fn search_path(&self) -> OsString {
        let programs = self.config.opened.programs.iter().filter(|_| self.role == Role::Tracer);
        let folders = programs.filter_map(|program| program.parent()).map(Path::to_path_buf);
        let all = std::iter::once(self.installation.binaries.clone()).chain(folders);
        std::env::join_paths(all).unwrap_or_else(|_| self.installation.binaries.clone().into())
    }

    fn command(&self, private: &Path, channel: Channel) -> Command {
        let Installation { root, binaries, .. } = self.installation;
        let mut command = Command::new(binaries.join("erlexec"));
        // Two schedulers that do not spin, because the runtime shares the computer with the processes that wait for it.
        command.args(["+S", "2:2", "+SDcpu", "1:1", "+SDio", "1", "+A", "1", "+Bi"]);
        command.args(["+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none"]);
        // Names of files are UTF-8, whatever the locale says.
        command.args(["+fnui", "-noinput", "-boot", "no_dot_erlang"]);
        let bootstrap = BOOTSTRAP.replace("INPUT", &channel.input.to_string());
        command.args(["-eval", &bootstrap.replace("OUTPUT", &channel.output.to_string())]);
        command.env_clear().envs(Role::environment());
        command.env("ROOTDIR", root).env("BINDIR", binaries).env("EMU", "beam").env("PROGNAME", "erl");
        command.env("PATH", self.search_path()).env("HOME", private).env("TMPDIR", private);
        command.env("LANG", "C.UTF-8").env("ERL_CRASH_DUMP_SECONDS", "0");
        // Local time must be the same for everyone who repeats a run.
        command.env("TZ", "UTC");
        // The runtime looks for its boot file and for modules of OTP in this folder, too, before the helper takes "." out of
        // the code path. So it is one of OTP's own, whoever the runtime is for.
        command.current_dir(binaries);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

fn write_packets(mut input: ChildStdin, outbox: &Receiver<Vec<u8>>) {
    for packet in outbox {
        let Ok(length) = u32::try_from(packet.len()) else { return };
        // Written in one piece, because for two the runtime would wake up twice.
        let framed = [&length.to_be_bytes(), packet.as_slice()].concat();
        if input.write_all(&framed).is_err() {
            return;
        }
    }
}

/// The door of a runtime. It stays open if programs may be started inside; the sandbox decides which ones.
struct DoorKeeper {
    door: Door,
    stays_open: bool,
}

impl DoorKeeper {
    fn shut(&mut self) {
        if !self.stays_open {
            self.door.shut();
        }
    }
}

/// Where the compiled helper is kept.
struct Helper {
    file: PathBuf,
    /// Whether this runtime's own helper may be kept there: other projects' runtimes run it.
    may_keep: bool,
}

/// Reads the greeting, then answers until the pipe closes.
fn read_packets(
    mut output: ChildStdout,
    mut door: DoorKeeper,
    packets: &Sender<Vec<u8>>,
    inbox: &SyncSender<Event>,
    helper: Option<&Helper>,
) -> io::Result<()> {
    let kept = helper.and_then(|helper| store::read(&helper.file)).filter(|code| code.starts_with(b"FOR1"));
    let was_kept = kept.is_some();
    let _ = packets.send(kept.unwrap_or_else(|| HELPER_SOURCE.into()));
    let release = String::from_utf8_lossy(&read_packet(&mut output, LONGEST_RELEASE)?).into_owned();
    // All programs that a runtime consists of are running by now.
    door.shut();
    if release.parse::<u32>().is_ok_and(|release| release < OLDEST_RELEASE) {
        let _ = inbox.send(Event::TooOld(release));
        return Ok(());
    }
    let mut greeting = read_packet(&mut output, LONGEST_PACKET)?;
    if was_kept && greeting == b"source" {
        let _ = packets.send(HELPER_SOURCE.into());
        greeting = read_packet(&mut output, LONGEST_PACKET)?;
    }
    let body = greeting.split_off((size_of::<Nonce>() + 1).min(greeting.len()));
    let greeting = etf::decode(&body).map_err(|error| error.to_string());
    if let Some(helper) = helper.filter(|helper| helper.may_keep)
        && let Some(code) = greeting.as_ref().ok().and_then(compiled_helper)
    {
        // If the helper cannot be kept, it is compiled again next time.
        let _ = store::write(&helper.file, code);
    }
    let mut event = Event::Hello(greeting);
    while inbox.send(event).is_ok() {
        event = Event::Packet(read_packet(&mut output, LONGEST_PACKET)?);
    }
    Ok(())
}

fn read_packet(output: &mut ChildStdout, longest: u32) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    output.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length);
    if length > longest {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let length = u64::from(length);
    let mut packet = Vec::new();
    if output.take(length).read_to_end(&mut packet)? as u64 == length {
        Ok(packet)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Returns the name under which a compiled helper is kept for this runtime.
pub(crate) fn helper_file(cache: &Path, erl: &Path) -> PathBuf {
    let key = format!("{HELPER_SOURCE}\0{}\0{:?}", erl.display(), files::stamp(erl));
    cache.join("helper").join(blake3::hash(key.as_bytes()).to_hex().as_str())
}

/// Returns the helper's code from a greeting that has everything that a greeting has.
fn compiled_helper(greeting: &Term) -> Option<&[u8]> {
    crate::read_greeting(greeting)?;
    let [_, _, code] = greeting.as_tuple()? else { return None };
    bytes_of(code).filter(|code| code.starts_with(b"FOR1"))
}

fn keep_last_output(mut errors: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut chunk) {
        let mut kept = kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.extend_from_slice(&chunk[..count]);
        let surplus = kept.len().saturating_sub(KEPT_OUTPUT);
        kept.drain(..surplus);
    }
}

fn decode(doing: &str, body: &[u8]) -> Result<Term, OracleError> {
    etf::decode(body).map_err(|error| protocol(doing, error))
}

pub(crate) fn protocol(doing: &str, detail: impl ToString) -> OracleError {
    OracleError::Protocol { doing: doing.to_owned(), detail: detail.to_string() }
}
