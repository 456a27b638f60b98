//! The text form: print and read are inverse, whatever the module; a bad text is an error with its
//! place, never a panic.

use program::{Binding, Body, Expr, Function, Module, Origin, Pattern, Span, Types, Var, decode, encode, print, read};
use proptest::prelude::*;
use std::sync::Arc;
use term::Atom;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back(choices in prop::collection::vec(any::<u64>(), 0..600)) {
        let module = crate::generate::module(&choices);
        let text = print(&module);
        let again = match read(&text) {
            Ok(module) => module,
            Err(error) => panic!("{error}\n{text}"),
        };
        // Bytes are exact where `==` is not: 0.0 and -0.0.
        prop_assert_eq!(encode(&module).unwrap(), encode(&again).unwrap(), "{}", text);
        prop_assert_eq!(&text, &print(&again));
    }

    #[test]
    fn damaged_text_is_an_error_or_a_module(
        choices in prop::collection::vec(any::<u64>(), 0..200),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
    ) {
        let mut text: Vec<char> = print(&crate::generate::module(&choices)).chars().collect();
        for (from, to) in cuts {
            let character = text[from.index(text.len())];
            let to = to.index(text.len());
            if character.is_alphanumeric() { text[to] = character } else { text.insert(to, character) }
        }
        let text: String = text.into_iter().collect();
        match read(&text) {
            Ok(module) => {
                let _ = program::verify(&module);
                prop_assert!(read(&print(&module)).is_ok());
            }
            Err(error) => {
                prop_assert!(error.line >= 1 && error.line <= text.lines().count() + 1);
                prop_assert!(error.column >= 1);
            }
        }
    }

    #[test]
    fn any_text_is_answered(text in "[()\\[\\]{}#'\"\\\\;@:|_<>a-f0-9 \\nx]{0,80}") {
        let _ = read(&text);
    }
}

#[test]
fn encoding_keeps_what_is_printed() {
    let module =
        crate::generate::module(&(0..400).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect::<Vec<_>>());
    let decoded = decode(Arc::from(encode(&module).unwrap())).unwrap();
    assert_eq!(print(&module), print(&decoded));
}

#[test]
fn the_layout_is_for_people() {
    let text = r#"(module shapes
  (files "shapes.erl")
  (attribute vsn [1 2 | 3])
  (type shape () (union (is point) (tuple (is circle) float)) exported)
  (spec area 1 (clause ((named shape)) (union float (integer 0 _))))
  (function f0 area 1 exported @3:1
    (case (v0)
      (of @3:6 (point) 0)
      (of @4:6 ((tuple circle (as v1 _))) (when (guard (remote @4:20 erlang is_float v1)))
        (remote @1:4:40 erlang * v1 v1))
      (of (_) (primitive match_fail (tuple function_clause v0)))))
  (function f1 'v1' 0 (captures 1) (lambda 0 77)
    (let (v1 #{a {1.5 <<ff80:9>>}}) ((v2 v3) (values v0 v1)) (cons v2 v3 v0 []))))
"#;
    assert_eq!(print(&read(text).unwrap()), text);
}

#[test]
fn errors_say_where() {
    let error = |text: &str| read(text).err().map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(error(""), "1:1: a text is one form: (module NAME …)");
    assert_eq!(error("(module m"), "1:1: this bracket is never closed");
    assert_eq!(error("(module m\n  (files \"a\"])"), "2:13: `(` is closed by `)`, not by `]`");
    assert_eq!(error("(module m\n  (function f0 a 0 (tuple v1 V)))"), "2:30: this is no atom without quotes");
    assert_eq!(error("(module m (function f1 a 0 []))"), "1:11: this is the function f0");
    assert_eq!(error("(module m (function f0 a 0 (case (v0) (for (_) 1))))"), "1:39: expected (of …)");
    assert_eq!(error("(module m (attribute a \"x\"))"), "1:24: a term has no strings: write a list or a bitstring");
    assert_eq!(error("(module 'm)"), "1:9: this quote is never closed");
    assert_eq!(error("(module m (function f0 a 99999999999 []))"), "1:26: expected a number, not too large");
}

const DEEP: usize = 50_000;

/// Nested in several ways, each as deep as generated source could be.
fn deep_bodies() -> Vec<Expr> {
    let nest = |wrap: fn(Expr, u32) -> Expr| (1..DEEP as u32).fold(Expr::Var(Var(0)), wrap);
    vec![
        nest(|inner, _| Expr::Cons(Box::new(Expr::int(1)), Box::new(inner))),
        nest(|inner, _| Expr::Cons(Box::new(inner), Box::new(Expr::int(1)))),
        nest(|inner, _| Expr::Tuple(vec![inner])),
        nest(|inner, number| Expr::Let {
            bindings: vec![Binding { vars: vec![Var(number)], value: Expr::int(0) }],
            body: Box::new(inner),
        }),
        Expr::Case {
            subjects: vec![Expr::Var(Var(0))],
            clauses: vec![program::Clause {
                patterns: vec![(0..DEEP).fold(Pattern::Any, |inner, _| Pattern::Tuple(vec![inner]))],
                guard: None,
                body: Expr::int(1),
                span: Span::default(),
            }],
            span: Span::default(),
        },
    ]
}

#[test]
fn depth_does_not_matter() {
    let functions = deep_bodies().into_iter().enumerate().map(|(index, body)| Function {
        name: Atom::new(&format!("deep{index}")),
        arity: 1,
        captures: 0,
        exported: true,
        origin: Origin::Named,
        span: Span::default(),
        body: Body::new(body),
    });
    let module = Module::new(Atom::new("deep"), Vec::new(), functions.collect(), Vec::new(), Types::default());
    program::verify(&module).unwrap();
    let text = print(&module);
    let again = read(&text).unwrap();
    assert_eq!(text, print(&again));
    let bytes = encode(&module).unwrap();
    assert_eq!(text, print(&decode(Arc::from(bytes)).unwrap()));
    // A mistake after something deep: what was read so far has to be let go.
    let broken = text.replace("deep4 1", "deep4 1 nonsense");
    assert_eq!(read(&broken).unwrap_err().message, "expected (…)");
}
