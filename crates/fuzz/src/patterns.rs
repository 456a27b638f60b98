//! Patterns and guards of generated modules.

use crate::Terms;

/// Returns a pattern. The variables that it binds are added to `bound`. A variable of `scope` in it is a test of
/// equality.
pub fn pattern(terms: &mut Terms, fresh: &mut usize, scope: &[String], bound: &mut Vec<String>, depth: u32) -> String {
    let kinds = if depth == 0 { 6 } else { 16 };
    match terms.random.below(kinds) {
        0 | 1 => variable(fresh, bound),
        2 => "_".to_owned(),
        3 if !scope.is_empty() => terms.random.pick(scope).clone(),
        3 | 4 => literal(terms),
        5 => (*terms.random.pick(&["[]", "{}", "\"abc\"", "true", "a"])).to_owned(),
        6 | 7 => {
            let head = pattern(terms, fresh, scope, bound, depth - 1);
            format!("[{head} | {}]", pattern(terms, fresh, scope, bound, depth - 1))
        }
        8 | 9 => {
            let first = pattern(terms, fresh, scope, bound, depth - 1);
            format!("{{{first}, {}}}", pattern(terms, fresh, scope, bound, depth - 1))
        }
        10 => {
            let key = if scope.is_empty() || terms.random.one_in(2) {
                literal(terms)
            } else {
                terms.random.pick(scope).clone()
            };
            format!("#{{{key} := {}}}", pattern(terms, fresh, scope, bound, depth - 1))
        }
        11 => format!("#point{{x = {}}}", pattern(terms, fresh, scope, bound, depth - 1)),
        12 => {
            let inner = pattern(terms, fresh, scope, bound, depth - 1);
            format!("{inner} = {}", variable(fresh, bound))
        }
        13 => format!("[{}]", pattern(terms, fresh, scope, bound, depth - 1)),
        14 => format!("\"ab\" ++ {}", variable(fresh, bound)),
        _ => bits(terms, &mut || variable(fresh, bound)),
    }
}

fn variable(fresh: &mut usize, bound: &mut Vec<String>) -> String {
    *fresh += 1;
    let name = format!("V{fresh}");
    bound.push(name.clone());
    name
}

/// Returns segments of every kind, some with a size that another segment binds.
fn bits(terms: &mut Terms, name: &mut dyn FnMut() -> String) -> String {
    let (a, b) = (name(), name());
    match terms.random.below(12) {
        0 => format!("<<{a}, {b}/binary>>"),
        1 => format!("<<{a}:4/signed, {b}:4, _/bits>>"),
        2 => format!("<<{a}, {b}:{a}/binary, _/binary>>"),
        3 => format!("<<{a}:64/float, {b}/binary>>"),
        4 => format!("<<{a}/utf8, {b}/binary>>"),
        5 => format!("<<{a}:16/little, {b}/bits>>"),
        6 => format!("<<\"a\", {a}:8/signed, {b}/bits>>"),
        7 => format!("<<{a}:3, {b}/bits>>"),
        8 => format!("<<{a}:1/binary, {b}/binary>>"),
        9 => format!("<<{a}:12/signed-little, {b}:4/bits, _/bits>>"),
        10 => format!("<<{a}:32/float-little, {b}/binary>>"),
        _ => format!("<<{a}/utf16, {b}/bits>>"),
    }
}

pub fn literal(terms: &mut Terms) -> String {
    match terms.random.below(6) {
        0..3 => terms.integer(),
        3 => terms.float(),
        4 => terms.atom(),
        _ => (*terms.random.pick(&["\"ab\"", "<<\"ab\">>", "$a", "[]", "-1", "0.0"])).to_owned(),
    }
}

/// Returns one to three tests, joined in any way.
pub fn guard(terms: &mut Terms, scope: &[String]) -> String {
    let count = 1 + terms.random.below(3);
    let mut text = test(terms, scope);
    for _ in 1..count {
        let joint = *terms.random.pick(&[", ", "; ", " andalso ", " orelse ", " and ", " or "]);
        text = format!("{text}{joint}{}", test(terms, scope));
    }
    text
}

fn test(terms: &mut Terms, scope: &[String]) -> String {
    let x = operand(terms, scope);
    match terms.random.below(10) {
        0..3 => {
            let kind = *terms.random.pick(&[
                "integer", "float", "number", "atom", "list", "tuple", "map", "binary", "bitstring", "boolean",
                "function",
            ]);
            format!("is_{kind}({x})")
        }
        3 => format!("not is_list({x})"),
        4 => format!("is_record({x}, point)"),
        5 => format!("is_map_key({}, {x})", operand(terms, scope)),
        6 => format!("is_function({x}, {})", terms.random.below(3)),
        _ => {
            let operator = *terms.random.pick(&["<", "=<", ">", ">=", "==", "/=", "=:=", "=/="]);
            format!("({x} {operator} {})", operand(terms, scope))
        }
    }
}

fn operand(terms: &mut Terms, scope: &[String]) -> String {
    let x = if scope.is_empty() || terms.random.one_in(4) { literal(terms) } else { terms.random.pick(scope).clone() };
    match terms.random.below(12) {
        0 => format!("length({x})"),
        1 => format!("tuple_size({x})"),
        2 => format!("({x} + 1)"),
        3 => format!("hd({x})"),
        4 => format!("element(1, {x})"),
        5 => format!("({x} rem 3)"),
        6 => format!("byte_size({x})"),
        _ => x,
    }
}
