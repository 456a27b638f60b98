//! What is said of a text that is wrong, and that no text brings us down.

use erlang::syntax::{lower_expression, parse_expression, parse_term};
use term::{Atom, Term};

fn parse_error(text: &str) -> String {
    parse_expression(text).expect_err("this is no expression").to_string()
}

fn lower_error(text: &str) -> String {
    let ast = parse_expression(text).expect("this is an expression");
    lower_expression(&ast, None).expect_err("this cannot be lowered").to_string()
}

#[test]
fn the_parser_says_what_it_expected_and_where() {
    let cases = [
        ("f(1", "1:4: expected ',' or ')', found the end"),
        ("f(1, )", "1:6: expected an expression, found ')'"),
        ("{a, b]", "1:6: expected ',' or '}', found ']'"),
        ("[1 2]", "1:4: expected ',', '|' or ']', found the integer 2"),
        ("case X of\n  1 -> a\n  2 -> b\nend", "3:3: expected ',', ';' or 'end', found the integer 2"),
        ("case X", "1:7: expected an operator or 'of', found the end"),
        ("fun(X) X end", "1:8: expected 'when' or '->', found the variable X"),
        ("#{a: 1}", "1:7: expected '=>' or ':=', found '}'"),
        ("1 < 2 < 3", "1:7: expected no second comparison without parentheses, found '<'"),
        (
            "f(1)(2)",
            "1:5: expected no second list of arguments: put the call in parentheses to apply its result, found '('",
        ),
        ("#person{name = 1}", "1:1: the record person has no definition in an expression"),
        ("?MODULE", "1:1: macros have no definition in an expression"),
        ("\"abc", "1:1: this string has no end: expected '\"'"),
        ("a b", "1:3: expected an operator, ',' or the end, found the atom b"),
        ("a. b", "1:4: expected an operator, ',' or the end, found the atom b"),
        ("fun(a) -> 1; (a, b) -> 2 end", "1:14: this clause has 2 parameters, the first has 1"),
        ("try 1 end", "1:7: expected ',', 'of', 'catch' or 'after', found 'end'"),
        (
            "<<1:8/8>>",
            "1:7: expected a type such as integer, binary, utf8, little, signed or unit:8, found the integer 8",
        ),
        ("37#12", "1:1: illegal base 37: it is between 2 and 36"),
        ("", "1:1: expected an expression, found the end"),
    ];
    for (text, expected) in cases {
        assert_eq!(parse_error(text), expected, "{text}");
    }
}

#[test]
fn lowering_says_what_cannot_be_meant() {
    let cases = [
        ("lists:map(f, [1]), f(1)", "1:20: local call f/1: give the module, m:f(...)"),
        ("lists:map(fun f/1, [])", "1:11: local call f/1: give the module, m:f(...)"),
        ("X + 1", "1:1: variable X is unbound"),
        (
            "case 1 of\n 1 -> Y = 1;\n _ -> ok\nend, Y",
            "4:6: variable Y is unsafe: 'case' at 1:1 does not always bind it",
        ),
        ("if lists:member(1, []) -> 1 end", "1:4: this is not allowed in a guard, a key or a size of a pattern"),
        ("f:g() = 1", "1:1: illegal pattern"),
        ("<<X/foo>>", "1:5: foo is no type of a binary's segment"),
        ("<<X:8/utf8>>", "1:5: a utf segment has neither size nor unit"),
        ("<<X/integer-float>>", "1:13: this type contradicts an earlier one of the same segment"),
        ("#{a := 1}", "1:3: a new map has no keys to update: expected '=>'"),
        ("lists:map", "1:1: a function's name alone is no value: call it, or write fun m:f/N"),
    ];
    for (text, expected) in cases {
        assert_eq!(lower_error(text), expected, "{text}");
    }
}

#[test]
fn constants_only_where_constants_are_meant() {
    let error = |text: &str| parse_term(text).expect_err("this is no constant").to_string();
    assert_eq!(error("[1, X]"), "1:5: expected a constant term, found the variable X");
    assert_eq!(error("{f(1)}"), "1:2: expected a constant term, found an expression to be evaluated");
    assert_eq!(parse_term("#{b => 1, a => 2, b => 3}."), parse_term("#{a => 2, b => 3}"));
    assert_eq!(parse_term("-1"), Ok(Term::Int(-1)));
}

#[test]
fn a_home_module_has_the_functions_called_without_a_module() {
    let ast = parse_expression("f(1)").expect("a call");
    let module = lower_expression(&ast, Some(Atom::new("m"))).expect("f is m's");
    let body = format!("{:?}", module.functions[0].body.get().expect("a body"));
    assert!(body.contains("Remote { module: 'm', function: 'f' }"), "{body}");
    assert_eq!(module.find(Atom::new("eval"), 0).map(|id| id.index()), Some(0));
    assert!(module.functions[0].exported);
}

#[test]
fn no_depth_brings_us_down() {
    let many = 20_000;
    let deep = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(many), close.repeat(many));
    let nested = [
        deep("{", "1", "}"),
        deep("[", "", "]"),
        deep("- ", "X", ""),
        deep("", "1", " + 1"),
        deep("1 ++ ", "1", ""),
        deep("begin ", "1", " end"),
        deep("fun() -> ", "1", " end"),
        deep("case ", "1", " of _ -> 1 end"),
        deep("#{1 => ", "1", "}"),
        deep("<<(", "1", ")>>"),
        deep("[", "1", " || _ <- []]"),
        deep("X = ", "1", ""),
        deep("case 1 of {", "1", "} -> 1 end"),
        deep("case 1 of 1 = ", "1", " -> 1 end"),
        deep("catch ", "1", ""),
        deep("1 andalso ", "1", ""),
    ];
    for text in &nested {
        if let Ok(ast) = parse_expression(text) {
            let error = lower_expression(&ast, None).expect_err("too deep").to_string();
            assert!(error.contains("deep") || error.contains("unbound"), "{error}");
        }
        let _ = parse_term(text);
    }
    let parentheses = parse_expression(&deep("(", "1", ")")).expect("parentheses are nothing by themselves");
    assert!(lower_expression(&parentheses, None).is_ok());
}

#[test]
fn what_is_long_is_not_deep() {
    let long = |item: &str, separator: &str| vec![item; 100_000].join(separator);
    let texts = [
        format!("[{}]", long("1", ",")),
        format!("[{}]", long("self()", ",")),
        format!("{{{}}}", long("self()", ",")),
        long("self()", ", "),
        long("{_} = {self()}", ", "),
        format!("\"{}\"", long("a", "")),
        format!("<<\"{}\", (self())>>", long("a", "")),
    ];
    for text in &texts {
        let ast = parse_expression(text).expect("an expression");
        let module = lower_expression(&ast, None).expect("not too deep");
        drop(module);
    }
}

#[test]
fn just_within_the_depth_allowed_is_fine_on_a_small_stack() {
    for (open, close) in [("{", "}"), ("{self(),", "}"), ("[self()|", "]"), ("abs(", ")"), ("fun() -> ", " end")] {
        let text = format!("{}1{}", open.repeat(1_900), close.repeat(1_900));
        let ast = parse_expression(&text).expect("an expression");
        assert!(lower_expression(&ast, None).is_ok(), "{open}");
    }
}
