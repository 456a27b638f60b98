//! Programs of several processes with one outcome: scripts for the actors of `process_script.erl`.
//!
//! A script is a list of steps, each done by one actor after the steps before it have had all their effects. So any
//! part of a script is also a script, and a script that shows a difference can be shrunk by leaving out steps. If an
//! actor is dead, another one does its steps.

use crate::Random;

/// The module that runs scripts.
pub const RUNNER: &str = include_str!("process_script.erl");
pub const RUNNER_NAME: &str = "process_script";

#[derive(Clone, Debug)]
pub struct Script {
    /// The steps as Erlang terms.
    steps: Vec<String>,
}

const ACTORS: usize = 5;
const STEPS: std::ops::Range<usize> = 6..40;
const REASONS: &[&str] = &["normal", "kill", "killed", "shutdown", "{shutdown, 1}", "broken", "{code, 7}", "noproc"];
const MESSAGES: &[&str] = &["hello", "{m, 1}", "{m, 2}", "[x]", "{'EXIT', fake, normal}", "#{k => 1}"];
const NAMES: &[&str] = &["script_n1", "script_n2"];
const TABLES: &[&str] = &["script_t1", "script_t2"];
const KEYS: &[&str] = &["k1", "k2", "k3"];
const SPAWNS: &[&str] = &[
    "plain", "function", "link", "link", "monitor", "both", "tagged", "request", "library", "library_link", "server",
    "server_link", "server_trapping",
];
const ITEMS: &[&str] = &[
    "registered_name", "links", "monitors", "monitored_by", "trap_exit", "message_queue_len", "messages", "dictionary",
];
const MONITOR_OPTIONS: &[&str] = &[
    "[]",
    "[{tag, own}]",
    "[{alias, explicit_unalias}]",
    "[{alias, demonitor}]",
    "[{alias, reply_demonitor}]",
    "[{alias, reply_demonitor}, {tag, {own, 1}}]",
];
/// The time in milliseconds after which all timers have ended. A step takes much less than the shortest of them.
const WAIT: usize = 220;

impl Script {
    pub fn random(random: &mut Random) -> Script {
        let mut writer = Writer { random, actors: 1, timers: 0 };
        let length = STEPS.start + writer.random.below(STEPS.end - STEPS.start);
        let has_timers = writer.random.one_in(6);
        let mut steps: Vec<String> = (0..1 + writer.random.below(3)).flat_map(|_| writer.start()).collect();
        steps.extend((0..length).flat_map(|_| writer.step(has_timers)));
        if writer.timers > 0 {
            steps.push(format!("{{wait, {WAIT}}}"));
        }
        Script { steps }
    }

    pub fn call(&self) -> String {
        format!("{RUNNER_NAME}:run([{}])", self.steps.join(", "))
    }

    /// Returns a call of the script with actors that are delayed now and then.
    pub fn shaken(&self) -> String {
        format!("{RUNNER_NAME}:shaken([{}])", self.steps.join(", "))
    }

    /// Returns shorter scripts: without a half, a quarter and so on, down to single steps.
    pub fn smaller(&self) -> Vec<Script> {
        let mut scripts = Vec::new();
        let mut size = self.steps.len().div_ceil(2);
        while size > 0 && !self.steps.is_empty() {
            for start in (0..self.steps.len()).step_by(size) {
                let mut steps = self.steps.clone();
                steps.drain(start..(start + size).min(self.steps.len()));
                scripts.push(Script { steps });
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        scripts
    }
}

struct Writer<'r> {
    random: &'r mut Random,
    actors: usize,
    timers: usize,
}

impl Writer<'_> {
    fn step(&mut self, has_timers: bool) -> Vec<String> {
        match self.random.below(20) {
            0..=2 => self.start(),
            3 if has_timers && self.timers < 6 => vec![self.timer()],
            4 if has_timers && self.timers > 0 => vec![format!("{{wait, {WAIT}}}")],
            5 => vec![self.end()],
            _ => {
                let op = self.op(true);
                vec![self.by_somebody(&op)]
            }
        }
    }

    /// Starts an actor, unless there is one of that number. Many trap exits, since otherwise few would live long.
    fn start(&mut self) -> Vec<String> {
        let by = self.actor();
        let number = if self.actors < ACTORS { self.actors + 1 } else { self.actor() };
        self.actors = self.actors.max(number);
        if self.random.one_in(15) {
            return vec![format!("{{{by}, {{spawn, {{server_fails, {}}}, {number}}}}}", self.failed_start())];
        }
        let mut steps = vec![format!("{{{by}, {{spawn, {}, {number}}}}}", self.random.pick(SPAWNS))];
        if self.random.one_in(2) {
            steps.push(format!("{{{number}, {{trap, true}}}}"));
        }
        steps
    }

    fn failed_start(&mut self) -> String {
        if self.random.one_in(2) { "ignore".to_owned() } else { format!("{{stop, {}}}", self.reason()) }
    }

    /// Ends an actor by its own action.
    fn end(&mut self) -> String {
        let reason = self.reason();
        let op = match self.random.below(6) {
            0 => "leave".to_owned(),
            1 => format!("{{fatal, error, {reason}}}"),
            2 => format!("{{fatal, throw, {reason}}}"),
            3 => "{fatal, divide, 0}".to_owned(),
            _ => format!("{{fatal, exit, {reason}}}"),
        };
        self.by_somebody(&op)
    }

    fn timer(&mut self) -> String {
        self.timers += 1;
        // Their times differ by more than a few steps take.
        let time = 60 + 20 * self.timers;
        let (kind, to) = (*self.random.pick(&["send_after", "start_timer"]), self.timer_target());
        let op = format!("{{timer, {kind}, {time}, {to}, timer{}}}", self.timers);
        self.by_somebody(&op)
    }

    fn timer_target(&mut self) -> String {
        if self.random.one_in(4) { format!("{{name, {}}}", self.random.pick(NAMES)) } else { self.actor().to_string() }
    }

    fn op(&mut self, may_call: bool) -> String {
        let (actor, reason) = (self.actor(), self.reason());
        let (message, name, key) = (*self.random.pick(MESSAGES), *self.random.pick(NAMES), *self.random.pick(KEYS));
        match self.random.below(30) {
            0..=3 => format!("{{send, {}, {message}}}", self.target()),
            4 | 5 => format!("{{take, {message}}}"),
            6 => "drain".to_owned(),
            7 | 8 => format!("{{link, {actor}}}"),
            9 => format!("{{unlink, {actor}}}"),
            10 => format!("{{monitor, {}, {key}}}", self.process()),
            11 => format!("{{monitor, {}, {key}, {}}}", self.process(), self.monitor_options()),
            12 => format!("{{demonitor, {key}, {}}}", self.random.pick(&["[]", "[flush]", "[info]", "[flush, info]"])),
            13 => format!("{{alias, {key}, {}}}", self.random.pick(&["[]", "[reply]", "[explicit_unalias]"])),
            14 => format!("{{unalias, {key}}}"),
            15 | 16 => format!("{{trap, {}}}", !self.random.one_in(3)),
            17 | 18 => format!("{{exit_signal, {actor}, {reason}}}"),
            19 => format!("{{register, {name}, {actor}}}"),
            20 => format!("{{{}, {name}}}", self.random.pick(&["unregister", "whereis"])),
            21 => format!("{{put, {key}, {message}}}"),
            22 | 23 => format!("{{info, {actor}, {}}}", self.random.pick(ITEMS)),
            24 => format!("{{alive, {actor}}}"),
            25 | 26 => self.table(actor),
            27 if self.timers > 0 => {
                let timer = 1 + self.random.below(self.timers);
                format!("{{{}, timer{timer}}}", self.random.pick(&["cancel", "read"]))
            }
            28 if may_call => {
                let op = self.op(false);
                format!("{{{}, {actor}, {op}}}", self.random.pick(&["call", "call", "server_call"]))
            }
            // The process that is called may end during the call.
            29 if may_call => {
                format!("{{call, {actor}, {{fatal, {}, {reason}}}}}", self.random.pick(&["exit", "error", "throw"]))
            }
            27 => format!("{{try_after, {reason}}}"),
            28 => format!("{{erase, {key}}}"),
            _ => "hibernate".to_owned(),
        }
    }

    fn table(&mut self, actor: usize) -> String {
        let (table, key) = (*self.random.pick(TABLES), *self.random.pick(KEYS));
        let heir = if self.random.one_in(2) { "none".to_owned() } else { actor.to_string() };
        match self.random.below(12) {
            0..=2 => {
                let kind = *self.random.pick(&["set", "ordered_set", "bag"]);
                let protection = *self.random.pick(&["public", "protected", "private"]);
                format!("{{table, {table}, {kind}, {protection}, {heir}}}")
            }
            3 | 4 => format!("{{insert, {table}, {key}, {}}}", self.random.below(3)),
            5 => format!("{{lookup, {table}, {key}}}"),
            6 => format!("{{count, {table}, counter}}"),
            7 => format!("{{contents, {table}}}"),
            8 => format!("{{give, {table}, {actor}}}"),
            9 => format!("{{set_heir, {table}, {heir}}}"),
            10 => format!("{{owner, {table}}}"),
            _ => format!("{{drop, {table}}}"),
        }
    }

    fn monitor_options(&mut self) -> &'static str {
        let options: &&str = self.random.pick(MONITOR_OPTIONS);
        options
    }

    /// Returns a target of a message.
    fn target(&mut self) -> String {
        match self.random.below(8) {
            0 => format!("{{name, {}}}", self.random.pick(NAMES)),
            1 => format!("{{name_on_node, {}}}", self.random.pick(NAMES)),
            2 => format!("{{ref, {}}}", self.random.pick(KEYS)),
            _ => self.actor().to_string(),
        }
    }

    /// Returns a target of a monitor.
    fn process(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("{{name, {}}}", self.random.pick(NAMES)),
            1 => format!("{{name_on_node, {}}}", self.random.pick(NAMES)),
            _ => self.actor().to_string(),
        }
    }

    fn by_somebody(&mut self, op: &str) -> String {
        format!("{{{}, {op}}}", self.actor())
    }

    fn actor(&mut self) -> usize {
        1 + self.random.below(self.actors)
    }

    fn reason(&mut self) -> &'static str {
        let reason: &&str = self.random.pick(REASONS);
        reason
    }
}
