//! The real BEAM as a child process: compiles to Core Erlang, finds modules, evaluates calls.
//!
//! Knows no machine, no solver, no search, and nothing of what is done with its answers. A child is
//! started when it is first needed (or earlier, by [`Oracle::start`], which does not wait for it), and
//! a dead one is replaced at the next request. An oracle that nobody asks costs nothing.

mod alike;
mod answer;
mod child;
mod code;
mod error;
mod evaluate;
mod executable;
pub mod store;

pub use alike::alike;
pub use code::{CodeFolder, CompileOptions, Core, Implementation, Transform};
pub use error::OracleError;
pub use evaluate::{Call, Limits, Outcome};
pub use executable::{find_executable, stamp};

use answer::{bytes_of, field, path_of, tagged, text_of};
use child::{Child, helper_file, protocol};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;
use term::Term;

/// The first release that is supported.
pub const OLDEST_RELEASE: u32 = term::otp::OLDEST;

#[derive(Clone, Debug)]
pub struct OracleConfig {
    /// Path or name of the `erl` executable; `erl` in `PATH` if there is none.
    pub erl: Option<PathBuf>,
    /// Folders of BEAM files that come before OTP's own, the first first.
    pub code_paths: Vec<PathBuf>,
    /// Where the compiled helper is kept; without it, it is compiled at every start.
    pub cache_dir: Option<PathBuf>,
    /// For everything but evaluation, which has limits of its own.
    pub request_limit: Duration,
    /// Address space of the child in bytes, of which it takes some 2 GiB without ever using them.
    pub memory_limit: u64,
}

impl Default for OracleConfig {
    fn default() -> OracleConfig {
        OracleConfig {
            erl: None,
            code_paths: Vec::new(),
            cache_dir: None,
            request_limit: Duration::from_secs(120),
            memory_limit: 8 << 30,
        }
    }
}

/// What a runtime says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeInfo {
    /// `25`
    pub release: String,
    /// `13.1.5`
    pub erts: String,
    pub root: PathBuf,
    /// Differs between any two builds whose compilers or runtimes differ.
    pub fingerprint: [u8; 32],
}

impl RuntimeInfo {
    pub fn release_number(&self) -> u32 {
        self.release.parse().unwrap_or(OLDEST_RELEASE)
    }
}

/// May be shared between threads; requests are answered one after the other.
pub struct Oracle {
    config: OracleConfig,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    child: Option<Child>,
    /// Known as soon as the present child has greeted.
    info: Option<RuntimeInfo>,
    /// Code that was loaded by request, and is loaded again into a new child.
    loaded: Vec<Term>,
}

impl Oracle {
    pub fn new(config: OracleConfig) -> Oracle {
        Oracle { config, state: Mutex::default() }
    }

    pub fn config(&self) -> &OracleConfig {
        &self.config
    }

    /// Lets the child boot while the caller does something else. What is wrong with it shows at the
    /// first request.
    pub fn start(&self) {
        let mut state = self.lock();
        if state.child.is_none() {
            state.child = self.start_child().ok();
        }
    }

    pub fn is_started(&self) -> bool {
        self.lock().child.is_some()
    }

    pub fn info(&self) -> Result<RuntimeInfo, OracleError> {
        let mut state = self.lock();
        self.child(&mut state)?;
        state.info.clone().ok_or_else(|| protocol("start", "no greeting"))
    }

    /// The executable that is used, with links followed.
    pub fn erl(&self) -> Result<PathBuf, OracleError> {
        executable::find_erl(self.config.erl.as_deref())
    }

    pub(crate) fn can_start(&self) -> bool {
        self.info().is_ok()
    }

    /// The answer to a request that has one answer.
    pub(crate) fn ask(&self, request: &Term, doing: &str) -> Result<Term, OracleError> {
        let limit = self.config.request_limit;
        let mut answer = None;
        // The helper ends the work at the limit; the pipe's own is for a runtime that hangs.
        self.converse(&self.limited(request), doing, limit + Duration::from_secs(10), |term| {
            answer = Some(term);
            Ok(())
        })?;
        match answer {
            Some(Term::Atom(name)) if name.text() == "timeout" => {
                Err(OracleError::Timeout { doing: doing.to_owned(), limit })
            }
            Some(answer) => match answer.as_tuple() {
                Some([Term::Atom(tag), reason]) if tag.text() == "failed" => {
                    Err(protocol(doing, text_of(reason).unwrap_or_default()))
                }
                _ => Ok(answer),
            },
            None => Err(protocol(doing, "no answer")),
        }
    }

    /// Sends a request and hands over its answers until the last one. A child that fails is ended.
    pub(crate) fn converse(
        &self,
        request: &Term,
        doing: &str,
        limit: Duration,
        mut receive: impl FnMut(Term) -> Result<(), OracleError>,
    ) -> Result<(), OracleError> {
        let mut state = self.lock();
        let child = self.child(&mut state)?;
        let id = child.request(request);
        loop {
            let answer = child.answer(id, doing, limit);
            match answer {
                Ok(answer) => {
                    receive(answer.term)?;
                    if answer.is_last {
                        return Ok(());
                    }
                }
                Err(error) => {
                    state.child = None;
                    state.info = None;
                    return Err(error);
                }
            }
        }
    }

    fn limited(&self, request: &Term) -> Term {
        tagged("limited", [Term::Int(evaluate::millis(self.config.request_limit)), request.clone()])
    }

    fn remember_loaded(&self, request: Term) {
        let mut state = self.lock();
        state.loaded.retain(|known| *known != request);
        state.loaded.push(request);
    }

    /// The child, up and with everything loaded that was loaded before.
    fn child<'a>(&self, state: &'a mut MutexGuard<'_, State>) -> Result<&'a mut Child, OracleError> {
        let state = &mut **state;
        if state.child.is_none() || state.info.is_none() {
            let mut child = match state.child.take() {
                Some(child) => child,
                None => self.start_child()?,
            };
            let greeting = child.wait_until_up()?;
            state.info = Some(read_greeting(&greeting).ok_or_else(|| protocol("start", "a greeting without content"))?);
            for request in &state.loaded {
                let id = child.request(&self.limited(request));
                // It worked before; if it does not now, what needs it will say so.
                child.answer(id, "load code again", self.config.request_limit)?;
            }
            state.child = Some(child);
        }
        state.child.as_mut().ok_or_else(|| protocol("start", "no child"))
    }

    fn start_child(&self) -> Result<Child, OracleError> {
        let erl = self.erl()?;
        // It would hang, and outlive whoever ends us.
        if let Some(folder) = std::env::current_dir().ok().filter(|folder| folder.to_str().is_none()) {
            let why = format!("the name of the current folder is no UTF-8, {}; rename it", folder.display());
            return Err(OracleError::NoRuntime { erl, why });
        }
        let helper = self.config.cache_dir.as_deref().map(|cache| helper_file(cache, &erl));
        Child::start(&erl, &self.config, helper)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn read_greeting(greeting: &Term) -> Option<RuntimeInfo> {
    let [_, info, _] = greeting.as_tuple()? else { return None };
    let mut hasher = blake3::Hasher::new();
    for name in ["release", "erts", "root", "system", "compilers"] {
        hasher.update(bytes_of(field(info, name)?)?).update(&[0]);
    }
    Some(RuntimeInfo {
        release: text_of(field(info, "release")?)?,
        erts: text_of(field(info, "erts")?)?,
        root: path_of(field(info, "root")?)?,
        fingerprint: *hasher.finalize().as_bytes(),
    })
}

/// A module's name is its file's, in Erlang.
pub fn module_of_file(file: &Path) -> Option<&str> {
    file.file_stem()?.to_str()
}
