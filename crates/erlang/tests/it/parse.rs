//! Our parser against `erl_scan` and `erl_parse`.

use crate::support::abstract_format::abstract_format;
use crate::support::{Random, beam_answers, follow_release, generate, scaled};
use erlang::syntax::ast::Node;
use erlang::syntax::parse_expression;
use term::Term;

/// Scans and parses, and answers with the abstract format or `error`. What has no full stop gets one,
/// as in our own parser.
const ANSWER: &str = r#"
answer(Text) ->
    try tokens(Text) of
        Tokens ->
            case erl_parse:parse_exprs(Tokens) of
                {ok, Exprs} ->
                    Plain = [erl_parse:map_anno(fun(_) -> 0 end, E) || E <- Exprs],
                    io_lib:format("~0tp", [Plain]);
                {error, _} -> "error"
            end
    catch throw:_ -> "error" end.

tokens(Text) ->
    case erl_scan:string(Text) of
        {ok, Tokens, _} ->
            case lists:reverse(Tokens) of
                [{dot, _} | _] -> Tokens;
                _ -> Tokens ++ [{dot, 0}]
            end;
        {error, _, _} -> throw(scan)
    end.
"#;

/// A block is one expression or a sequence of them: the abstract format of either.
fn readings(text: &str) -> Vec<String> {
    match parse_expression(text) {
        Err(_) => vec!["error".into()],
        Ok(ast) => {
            let mut readings = vec![Term::list([abstract_format(&ast)])];
            if let Node::Block(body) = &ast.node {
                readings.push(Term::list(body.iter().map(abstract_format).collect::<Vec<_>>()));
            }
            readings.iter().map(erlang::print).collect()
        }
    }
}

/// Expressions are read as OTP 25 reads them: what later grammars have besides is no expression here.
fn is_another_grammar() -> bool {
    let release = follow_release();
    if release != erlang::otp::OLDEST {
        eprintln!(
            "This is OTP {release}, and expressions are read as OTP {} reads them: not compared",
            erlang::otp::OLDEST
        );
    }
    release != erlang::otp::OLDEST
}

fn compare(texts: &[String]) -> usize {
    let theirs = beam_answers(texts, ANSWER);
    let different = texts.iter().zip(&theirs).filter(|(text, expected)| !readings(text).contains(expected));
    if let Some((text, expected)) = different.min_by_key(|(text, _)| text.len()) {
        let found = readings(text);
        let why = parse_expression(text).err().map(|error| error.render(text)).unwrap_or_default();
        panic!("{text}\n--- the BEAM reads\n{expected}\n--- we read\n{found:?}\n{why}");
    }
    theirs.iter().filter(|answer| *answer != "error").count()
}

#[test]
fn generated_expressions_read_as_erl_parse_reads_them() {
    if is_another_grammar() {
        return;
    }
    let mut random = Random::new(1);
    let count = scaled(3_000, 100_000);
    let texts: Vec<String> = (0..count).map(|_| generate::expressions(&mut random)).collect();
    let accepted = compare(&texts);
    assert!(accepted > count / 4, "only {accepted} of {count} texts are expressions: the generator is off");
}

#[test]
fn damaged_expressions_are_refused_where_erl_parse_refuses_them() {
    if is_another_grammar() {
        return;
    }
    let mut random = Random::new(2);
    let texts: Vec<String> = (0..scaled(3_000, 100_000)).map(|_| generate::damaged(&mut random)).collect();
    compare(&texts);
}

#[test]
fn corners_of_the_scanner() {
    if is_another_grammar() {
        return;
    }
    let texts = [
        "1.", "1.0", "1.e", "1. ", "1.%c", "a.b", "16#", "37#1", "1#0", "1__0", "1_", "16#F_F", "16#_F", "1.0_1",
        "1.0e", "1.0e+", "1.0e1_0", "1.0e400", "1.0e-400", "4.9e-324", "2.0e-324", "1.7976931348623157e308", "$",
        "$\n", "$\\\n", "\"\\x{}\"", "\"\\x{D800}\"", "\"\\x{FFFE}\"", "\"\\x{110000}\"", "\"\\x4\"", "\"\\xZZ\"",
        "\"\\^?\"", "\"\\^\u{416}\"", "\"a\nb\"", "'a\nb'", "\"unfinished", "'unfinished", "\"unfinished\\", "''''",
        "\"\"\"a\"\"\"", "=<<\"a\">>", "X=<<\"a\">>", "<<1>>>2", "[a||b]", "[a|b|c]", "a--b", "a---b", "- - 1", "--1",
        "1<2<3", "1<2==3", "(1<2)<3", "a:b:c", "a:b#{}", "f(1)(2)", "(f(1))(2)", "f(1)#{}", "#{}(1)", "#{}#{}#{}",
        "X#{}#{}(1)", "fun() -> 1 end()", "fun F() -> 1; G() -> 2 end", "fun(A) -> 1; (A,B) -> 2 end", "fun f/1",
        "fun F/1", "fun f:F/A", "fun f:g", "fun (X:Y) -> 1 end", "fun (f(X)) -> 1 end", "fun ((X)) -> 1 end",
        "fun ({a:b}) -> 1 end", "try 1 end", "try 1 catch a:b:C -> 1 end", "try 1 catch a:b:c -> 1 end",
        "try 1 catch {a,b}:c -> 1 end", "try 1 catch (a):c -> 1 end", "try 1 of X -> 1 after 2 end", "receive end",
        "receive after 1 -> 2 end", "if true -> 1 end", "if end", "case X of end", "begin end", "{1,}", "[1,]", "f(,)",
        "<<1,>>", "<<-1>>", "<<1+1>>", "<<(1+1)>>", "<<X:Y:Z>>", "<<X/a-b:1-c>>", "<<X/a:b>>", "<<a:b/c>>",
        "<<-X || X <- Y>>", "<<X || X <- Y>>", "<<(X) || <<X>> <= Y>>", "[X || X <= Y]", "[X || <<X>> <= Y]",
        "[X || (<<X>>) <= Y]", "catch 1 + catch 2", "1 + catch 2 + 3", "X = catch 1", "- catch 1", "not not true",
        "1 ! 2 ! 3", "A = B = C", "A = B ! C = D", "A ! B = C ! D", "a andalso b orelse c andalso d",
        "1 + 2 * 3 - 4 div 5", "1 ++ 2 -- 3 ++ 4", "\u{a0}1\u{85}", "\u{416}", "a\u{416}", "?X", "@a", "`a`", "let",
        "cond", "a..b", "a...b", "a::b", "a,b.", "a,b. c", ".", "", "a.\n", "%only a comment", "#", "#{a}", "#{a=>1,}",
        "#{1+2:=3=4}", "maybe", "maybe 1 end", "x ?= y", "\u{0}a\u{1f}", "÷", "×", "Þ", "ß", "ª", "-", "1 -", "- 1 -1",
        "a-1", "[a,b|[c]]", "[|a]", "fun a:b/c", "fun a/b",
    ];
    compare(&texts.map(str::to_owned));
}
