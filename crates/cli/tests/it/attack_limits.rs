//! Programs and specifications that were written to break Beagle: whatever they ask for, the command ends with a named
//! outcome within its budgets.

use crate::common::beagle;
use frontend::CodeConfig;
use machine::Limits;
use path::Outcome;
use serde_json::Value;
use session::Session;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const BUDGET: &str = "2s";
/// The budget of searches of which only their end is of interest, in the short form.
const SHORT_BUDGET: &str = "300ms";
/// What is measured is whether the budget holds at all, on however busy a computer: ten times as much, and a start.
const AT_MOST: Duration = Duration::from_secs(40);

fn scratch(module: &str, body: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("attacks");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let file = folder.join(format!("{module}.erl"));
    std::fs::write(&file, format!("-module({module}).\n-compile(export_all).\n-compile(nowarn_export_all).\n{body}"))
        .expect("a scratch file");
    file
}

struct Tested {
    verdict: String,
    /// What stands between this and a complete exploration.
    incomplete: String,
}

/// Whether there is time for everything.
fn is_full() -> bool {
    std::env::var_os("BEAGLE_ATTACK").is_some_and(|value| value == "full")
}

/// Tests one function of a module, whatever comes of it, which ends in its time.
fn ends(file: &Path, function: &str) {
    let budget = if is_full() { BUDGET } else { SHORT_BUDGET };
    tested(file, function, &["--budget", budget]);
}

/// Tests one function of a module, which ends in its time with exit code 0 or 1.
fn tested(file: &Path, function: &str, options: &[&str]) -> Tested {
    let usual =
        ["test", "--format", "jsonl", "--fresh", "--no-confirm", "--all", "--memory", "256", "-j", "1", "-f", function];
    let budget = if options.contains(&"--budget") { &[][..] } else { &["--budget", BUDGET] };
    let start = Instant::now();
    let output = beagle(&[&usual, budget, options].concat(), &[file.to_path_buf()]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{function}: {:?} {complaints}", output.status);
    assert!(start.elapsed() < AT_MOST, "{function} took {:?}", start.elapsed());
    let objects: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect();
    let function = objects.iter().find(|object| object["type"] == "function").expect("a function");
    Tested { verdict: function["verdict"].as_str().unwrap_or_default().to_string(), incomplete: function.to_string() }
}

/// `-type t0() :: …` and as many more as are wanted, each made of the one before.
fn chain(name: &str, count: usize, first: &str, next: impl Fn(&str) -> String) -> String {
    let mut text = format!("-type {name}0() :: {first}.\n");
    for number in 1..=count {
        text.push_str(&format!("-type {name}{number}() :: {}.\n", next(&format!("{name}{}()", number - 1))));
    }
    text
}

/// Each is made, checked and printed: what no specification allows is found, with a value of the type.
#[test]
fn types_may_be_thousands_of_levels_deep() {
    let mut body = chain("t", 4000, "a", |below| format!("{{{below}}}"));
    body += &chain("l", 4000, "a", |below| format!("[{below}, ...]"));
    body += &chain("m", 4000, "a", |below| format!("#{{k := {below}}}"));
    body += &chain("u", 1000, "a", |below| format!("{below} | {{{below}}}"));
    for name in ["t", "l", "m"] {
        body += &format!("-spec {name}({name}4000()) -> {name}4000().\n{name}(X) -> {{X}}.\n");
    }
    body += "-spec u(u1000()) -> a.\nu(a) -> a; u({X}) -> u(X).\n";
    let inline = format!("{}a{}", "{".repeat(3000), "}".repeat(3000));
    body += &format!("-spec i({inline}) -> ok.\ni({{_}}) -> no.\n");
    let file = scratch("deep_types", &body);
    for function in ["t", "l", "m", "i"] {
        assert_eq!(tested(&file, &format!("deep_types:{function}/1"), &[]).verdict, "bugs", "{function}");
    }
    ends(&file, "deep_types:u/1");
}

/// What has only huge values is not made, and that is said.
#[test]
fn types_of_huge_values_are_named() {
    let mut body = chain("t", 60, "a | b", |below| format!("{{{below}, {below}}}"));
    body += "-spec pairs(t60()) -> ok.\npairs(_) -> ok.\n";
    body += "-spec bits(<<_:100000000000>>) -> ok.\nbits(_) -> ok.\n";
    body += "-spec many(<<_:100000000>>) -> ok.\nmany(_) -> ok.\n";
    body +=
        "-spec units(<<_:8, _:_*18446744073709551615>>) -> ok.\nunits(<<1, 2, _/bitstring>>) -> ok; units(_) -> ok.\n";
    body += "-spec result(integer()) -> t60().\nresult(X) when X > 5 -> made(60); result(_) -> made(12).\n";
    body += "-spec list([t60()]) -> ok.\nlist([_ | _]) -> ok; list([]) -> ok.\n";
    body += "made(0) -> a; made(N) -> X = made(N - 1), {X, X}.\n";
    let file = scratch("huge_types", &body);
    for function in ["pairs", "bits", "many"] {
        let tested = tested(&file, &format!("huge_types:{function}/1"), &[]);
        assert_ne!(tested.verdict, "exhausted", "{function}");
        assert!(tested.incomplete.contains("such large inputs are not made"), "{function}: {}", tested.incomplete);
    }
    assert_eq!(tested(&file, "huge_types:result/1", &[]).verdict, "bugs");
    assert_ne!(tested(&file, "huge_types:list/1", &[]).verdict, "bugs");
    assert_ne!(tested(&file, "huge_types:units/1", &[]).verdict, "bugs");
}

/// Each alternative begins with the same part: looked into once for each, it would be 2^60 times.
#[test]
fn alternatives_that_share_parts_are_checked_once() {
    let mut body = chain("t", 60, "a", |below| format!("{{{below}, a}} | {{{below}, b}}"));
    body += "-spec f(integer()) -> t60().\nf(_) -> made(60).\nmade(0) -> x; made(N) -> {made(N - 1), b}.\n";
    let file = scratch("alternatives", &body);
    assert_eq!(tested(&file, "alternatives:f/1", &[]).verdict, "bugs");
}

#[test]
fn wide_types_keep_to_the_budget() {
    let join = |count: usize, one: &dyn Fn(usize) -> String, by: &str| (0..count).map(one).collect::<Vec<_>>().join(by);
    let mut body = format!("-type m() :: #{{{}}}.\n", join(4000, &|n| format!("k{n} := integer()"), ", "));
    body += &format!("-type n() :: #{{{}}}.\n", join(4000, &|n| format!("k{n} => integer()"), ", "));
    body += "-spec m(m()) -> m().\nm(#{k7 := X} = M) when X > 5 -> M#{k3 := a}; m(M) -> M.\n";
    body += "-spec n(n()) -> n().\nn(#{k7 := X} = M) when X > 5 -> M#{k3 => a}; n(M) -> M.\n";
    body += &format!("-record(r, {{{}}}).\n", join(10_000, &|n| format!("f{n} :: integer()"), ", "));
    body += "-spec r(#r{}) -> any().\nr(#r{f7 = X}) when X > 5 -> X; r(_) -> 0.\n";
    body += &format!("-type u() :: {}.\n", join(10_000, &|n| format!("a{n}"), " | "));
    body += "-spec u(u()) -> u().\nu(a77) -> no; u(X) -> X.\n";
    let file = scratch("wide_types", &body);
    for function in ["m", "n", "r", "u"] {
        ends(&file, &format!("wide_types:{function}/1"));
    }
}

#[test]
fn long_arithmetic_counts() {
    let body = "\
        one() -> list_to_integer(\"1\").\n\
        squares() -> square(3).\nsquare(X) -> square(X * X).\n\
        shifts() -> shift(1).\nshift(X) -> shift(X bsl 1000000).\n\
        bits() -> bits(one() bsl 20000000).\nbits(X) -> put(x, <<X:30000000>>), bits(X).\n\
        sums() -> sums(one() bsl 30000000).\nsums(X) -> put(x, X + 1), sums(X).\n\
        equal() -> equal((one() bsl 30000000) + 1, (one() bsl 30000000) + 1).\nequal(X, Y) -> put(x, X =:= Y), equal(X, Y).\n\
        digits() -> digits(one() bsl 1000000).\ndigits(X) -> put(x, integer_to_list(X)), digits(X).\n\
        raised(5) -> error((one() bsl 30000000) - 1); raised(_) -> ok.\n";
    let file = scratch("long_arithmetic", body);
    for function in ["squares", "shifts", "bits", "sums", "equal", "digits"] {
        ends(&file, &format!("long_arithmetic:{function}/0"));
    }
    assert_eq!(tested(&file, "long_arithmetic:raised/1", &[]).verdict, "bugs");
}

/// Three million digits: neither read nor printed in a time that grows with their square.
#[test]
fn seeds_may_be_long_numbers() {
    let file = scratch("long_seed", "-spec f(integer()) -> any().\nf(X) when X > 7 -> X; f(_) -> 1.\n");
    let seeds = file.with_extension("seeds");
    std::fs::write(&seeds, format!("[{}]\n", "7".repeat(3_000_000))).expect("a file of seeds");
    tested(&file, "long_seed:f/1", &["--seed", &format!("@{}", seeds.display())]);
}

/// Shared data is exponentially larger than what it takes: whoever walks through it comes to no end.
#[test]
fn shared_data_keeps_to_the_budget() {
    let body = "\
        shared(X) -> lists:foldl(fun(_, A) -> {A, A} end, X, lists:seq(1, 60)).\n\
        compare(X) -> shared(X) == shared(X).\n\
        order(X) -> shared(X) < shared(X).\n\
        hash(X) -> erlang:phash2(shared(X)).\n\
        raise(X) -> error(shared(X)).\n\
        external(X) -> term_to_binary(shared(X)).\n\
        flat() -> iolist_size(lists:foldl(fun(_, A) -> [A, A] end, \"\", lists:seq(1, 60))).\n\
        key(X) -> #{shared(X) => 1, shared(X) => 2}.\n";
    let file = scratch("shared_data", body);
    for function in ["compare/1", "order/1", "hash/1", "raise/1", "external/1", "flat/0", "key/1"] {
        ends(&file, &format!("shared_data:{function}"));
    }
}

/// A call on the real runtime has what is left of the function's time at most, and is not made again and again.
#[test]
fn functions_of_the_real_runtime_keep_to_the_budget() {
    let body = "slow(X) when is_binary(X) -> crypto:pbkdf2_hmac(sha256, <<\"a\">>, X, 2000000000, 32).\n";
    let file = scratch("slow_runtime", body);
    let tested = tested(&file, "slow_runtime:slow/1", &[]);
    assert!(tested.incomplete.contains("takes too long"), "{}", tested.incomplete);
}

/// On a busy computer the clock says nothing about Beagle: what counts is the processor time of the command with everything
/// that it has started. The search, the solver and the runtime may each use the budget once.
#[test]
fn budgets_hold_under_load() {
    let seconds = if is_full() { 2.0 } else { 1.0 };
    let budget = format!("{seconds}s");
    let body = "\
        -spec paths([integer()]) -> integer().\n\
        paths(L) -> lists:sum([X * Y || X <- L, Y <- L, X =/= Y, X > Y * 3]).\n\
        -spec solver(integer(), integer(), integer()) -> ok.\n\
        solver(X, Y, Z) when X * X * X + Y * Y * Y =:= Z * Z * Z + 7, X > 1000, Y > X, Z > Y -> error(found);\n\
        solver(_, _, _) -> ok.\n\
        -spec steps(integer()) -> ok.\nsteps(N) when N > 5 -> steps(N); steps(_) -> ok.\n\
        -spec numbers(integer()) -> integer().\nnumbers(X) -> numbers(X * X + 3).\n\
        -spec runtime(binary()) -> binary().\n\
        runtime(X) -> crypto:pbkdf2_hmac(sha256, <<\"a\">>, X, 2000000000, 32).\n";
    let file = scratch("loaded", body);
    let used = |function: &str, options: &[&str]| {
        let usual = ["test", "--fresh", "-q", "-j", "1", "--budget", &budget, "--memory", "256", "-f", function];
        processor_time(&[&usual, options].concat(), &file)
    };
    let busy = Busy::new();
    let functions = ["paths/1", "runtime/1", "solver/3", "steps/1", "numbers/1"];
    for function in functions.into_iter().take(if is_full() { 5 } else { 2 }) {
        let function = format!("loaded:{function}");
        let start = used(&function, &["--max-runs", "1"]);
        let whole = used(&function, &[]);
        println!("budgets under load: {function} used {whole:.1} s, of which its start is {start:.1} s");
        assert!(whole <= start + 3.0 * seconds, "{function} used {whole} s, and its start {start} s");
    }
    drop(busy);
}

/// Twice as many processes as the computer has processors, which do nothing but work.
struct Busy(Vec<std::process::Child>);

impl Busy {
    fn new() -> Busy {
        let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let work = || std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a process");
        Busy((0..2 * processors).map(|_| work()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Runs Beagle, and returns the processor time that it used with its children, in seconds.
#[expect(clippy::zombie_processes, reason = "`wait4` waits for the child")]
fn processor_time(args: &[&str], file: &Path) -> f64 {
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_beagle"))
        .args(args)
        .arg(file)
        .env("BEAGLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("beagle can be started");
    let mut status = 0;
    // SAFETY: zeros are a valid structure, which the call fills; the process is a child that nobody else waits for.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::wait4(child.id() as i32, &mut status, 0, &mut usage), child.id() as i32);
        usage
    };
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) < 2, "{args:?} ended with status {status}");
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The function that takes the memory is given up; others are tested as if nothing had happened.
#[test]
fn the_memory_of_the_command_ends_one_function() {
    let body = "\
        -spec greedy([integer()]) -> integer().\n\
        greedy(L) -> lists:sum([X * Y || X <- L, Y <- L, X =/= Y, X > Y * 3]).\n\
        -spec modest(integer()) -> ok.\nmodest(X) when X > 5 -> ok; modest(_) -> ok.\n";
    let file = scratch("greedy", body);
    let args = ["test", "--format", "jsonl", "--fresh", "--no-confirm", "-j", "1", "--budget", "60s", "--memory", "16"];
    let output = beagle(&[&args[..], &["--total-memory", "24"]].concat(), &[file]);
    let text = String::from_utf8_lossy(&output.stdout);
    let of = |name: &str| {
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("one JSON object a line"));
        let mut functions = lines.filter(|object| object["type"] == "function");
        functions.find(|object| object.to_string().contains(name)).expect("a function")
    };
    let greedy = of("greedy:greedy/1").to_string();
    assert!(greedy.contains("memory limit of the command"), "{greedy}");
    assert_eq!(of("greedy:modest/1")["verdict"], "exhausted");
}

fn beside() -> Arc<dyn frontend::Code> {
    let config = CodeConfig {
        sources: vec![scratch("beside", BESIDE)],
        cache_dir: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
        ..CodeConfig::default()
    };
    beam::open(config).expect("one module")
}

fn stopped(code: &Arc<dyn frontend::Code>, expression: &str) -> String {
    let limits = Limits { memory: 32 << 20, ..Limits::default() };
    let mut session = Session::new(Arc::clone(code), limits).expect("a session over one module");
    match session.evaluate(expression, None) {
        Ok(Outcome::Stopped(stop)) => report::stopped(&stop, &|name| name.to_string()),
        Ok(other) => format!("{other:?}"),
        Err(error) => error.to_string(),
    }
}

const BESIDE: &str = "\
    arrays(N) -> atomics:new(1 bsl 16, []), arrays(N + 1).\n\
    counters(N) -> counters:new(1, []), counters(N + 1).\n\
    tables(N) -> ets:new(t, []), tables(N + 1).\n\
    objects(T, N) -> ets:insert(T, {N}), objects(T, N + 1).\n\
    terms(N) -> persistent_term:put(N, N), terms(N + 1).\n\
    entries(N) -> put(N, N), entries(N + 1).\n\
    messages(N) -> self() ! N, messages(N + 1).\n\
    timers(N) -> erlang:send_after(1000000, self(), N), timers(N + 1).\n\
    monitors(N) -> erlang:monitor(process, self()), monitors(N + 1).\n\
    kept(N, L) -> kept(N + 1, [atomics:new(1 bsl 14, []) | L]).\n";

/// Whatever a run keeps beside its heap is its memory, too.
#[test]
fn memory_beside_the_heap_counts() {
    let code = beside();
    for expression in [
        "atomics:new(1 bsl 30, [])",
        "counters:new(1 bsl 30, [])",
        "beside:arrays(0)",
        "beside:counters(0)",
        "beside:tables(0)",
        "beside:objects(ets:new(t, []), 0)",
        "beside:objects(ets:new(t, [ordered_set]), 0)",
        "beside:terms(0)",
        "beside:entries(0)",
        "beside:messages(0)",
        "beside:timers(0)",
        "beside:kept(0, [])",
        "binary:copy(<<\"abc\">>, 1 bsl 40)",
        "lists:duplicate(1 bsl 40, x)",
        "lists:seq(1, 1 bsl 40)",
        "<< <<N:64>> || N <- lists:seq(1, 1 bsl 24) >>",
        "string:copies(\"abc\", 1 bsl 30)",
    ] {
        assert_eq!(stopped(&code, expression), "memory limit", "{expression}");
    }
}
