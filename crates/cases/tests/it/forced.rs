//! Orders of processes that our machine has chosen are forced on the real BEAM, which then does the same.

use frontend::{Code, CodeConfig, Evaluation, Evaluations, Limits, Order, Outcome};
use path::Turn;
use session::Session;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use term::Term;

const RACE: &str = include_str!("race.erl");

struct Race {
    _folder: tempfile::TempDir,
    code: Arc<dyn Code>,
    session: Session,
}

fn race() -> Race {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("race.erl");
    std::fs::write(&source, RACE).expect("the source is written");
    let config = CodeConfig {
        sources: vec![source],
        evaluation: Evaluation::Unguarded,
        is_conducted: true,
        ..CodeConfig::default()
    };
    let code: Arc<dyn Code> = beam::open(config).expect("the source is found");
    let session = Session::new(Arc::clone(&code), machine::Limits::default()).expect("a session");
    Race { _folder: folder, code, session }
}

impl Race {
    /// An order for each answer that our machine comes to with these seeds.
    fn orders(&mut self, expression: &str, seeds: u64) -> BTreeMap<String, Vec<Turn>> {
        let mut orders = BTreeMap::new();
        for seed in 0..seeds {
            self.session.machine.interleave(Some(seed));
            match self.session.evaluate(expression, None) {
                Ok(path::Outcome::Value(value)) => {
                    let turns = self.session.machine.recorder_mut().turns.schedule(Term::OWN_PID);
                    orders.entry(erlang::print(&value)).or_insert(turns);
                }
                other => panic!("{expression} with seed {seed}: {other:?}"),
            }
        }
        for module in self.session.usage().all() {
            self.code.load_into_runtime(module).expect("the runtime takes the module");
        }
        orders
    }

    fn forced(&self, expression: &str, turns: &[Turn]) -> (String, Option<Order>) {
        let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
        let how = Evaluations { limits, is_printed: false, is_fresh: false };
        let replay = self.code.replay(expression, how, Duration::ZERO, Some(turns)).expect("an answer");
        match replay.watched.outcome {
            Outcome::Value { term, .. } => (erlang::print(&term), replay.order),
            other => panic!("{expression}: {other:?}"),
        }
    }

    /// Every answer is one of the BEAM's, too, in the same order.
    fn check(&mut self, expression: &str, expected: &[&str]) {
        let orders = self.orders(expression, 300);
        assert_eq!(orders.keys().map(String::as_str).collect::<Vec<_>>(), expected, "{expression}");
        for (answer, turns) in &orders {
            assert_eq!(self.forced(expression, turns), (answer.clone(), Some(Order::Followed)), "{turns:?}");
        }
    }
}

#[test]
fn all_orders_of_three_messages_are_forced() {
    race().check("race:arrivals()", &["[a,b,c]", "[a,c,b]", "[b,a,c]", "[b,c,a]", "[c,a,b]", "[c,b,a]"]);
}

#[test]
fn lost_updates_are_forced() {
    race().check("race:counted()", &["[{n,1}]", "[{n,2}]", "[{n,3}]"]);
}

#[test]
fn the_order_of_calls_of_a_server_is_forced() {
    race().check("race:served()", &["[1,2,3]", "[1,3,2]", "[2,1,3]", "[2,3,1]", "[3,1,2]", "[3,2,1]"]);
}

#[test]
fn what_a_poll_finds_is_forced() {
    race().check("race:polled()", &["found", "nothing"]);
}

#[test]
fn who_gets_a_name_is_forced() {
    race().check("race:registered()", &["a", "b"]);
}

#[test]
fn operations_that_are_known_when_they_are_called_are_forced() {
    race().check("race:applied()", &["[a,b,c]", "[a,c,b]", "[b,a,c]", "[b,c,a]", "[c,a,b]", "[c,b,a]"]);
    race().check("race:started()", &["[a,b]", "[b,a]"]);
}

#[test]
fn ends_of_processes_are_forced() {
    let (one, two, three) = ("{1,normal}", "{2,wrong}", "{3,over}");
    let orders = [
        [one, two, three],
        [one, three, two],
        [two, one, three],
        [two, three, one],
        [three, one, two],
        [three, two, one],
    ];
    let orders = orders.map(|order| format!("[{}]", order.join(",")));
    race().check("race:ended()", &orders.each_ref().map(String::as_str));
    race().check("race:name_of_dead()", &["{false,undefined}", "{true,undefined}"]);
}

#[test]
fn the_place_where_a_schedule_is_left_is_named() {
    let mut race = race();
    let orders = race.orders("race:counted()", 1);
    let turns = orders.values().next().expect("an order");
    // The first process cannot read twice.
    let reads = |turn: &&Turn| turn.operation.text() == "ets:lookup/2" && turn.process == [1];
    let read = turns.iter().find(reads).expect("a lookup").clone();
    let mut wrong: Vec<Turn> = turns.iter().take_while(|turn| turn.process.is_empty()).cloned().collect();
    wrong.extend([read.clone(), read.clone()]);
    let (_, order) = race.forced("race:counted()", &wrong);
    let Some(Order::Left { index, expected, wanted }) = order else { panic!("{order:?}") };
    assert_eq!((index, &expected), (wrong.len(), &read));
    assert!(wanted.iter().any(|turn| turn.to_string() == "main.1 ets:insert/2"), "{wanted:?}");
}

#[test]
fn an_operation_that_never_comes_is_noticed_when_everybody_waits() {
    let mut race = race();
    let orders = race.orders("race:counted()", 1);
    let (answer, turns) = orders.iter().next().expect("an order");
    let more: Turn = "main.1 ets:lookup/2".parse().expect("a turn");
    let longer: Vec<Turn> = turns.iter().cloned().chain([more.clone()]).collect();
    let left = Order::Left { index: longer.len(), expected: more, wanted: Vec::new() };
    assert_eq!(race.forced("race:counted()", &longer), (answer.clone(), Some(left)));
}
