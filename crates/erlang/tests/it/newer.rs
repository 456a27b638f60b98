//! What later releases than the oldest have: kept as small terms of theirs, so that it is tested with any release.
//!
//! The release is one for the whole process, so all that sets it is one test.

use crate::compiled::{lower_verified, text};
use erlang::syntax::{parse_term, print};
use erlang::{bifs, otp};
use program::{Module, Type};
use term::{Atom, Term, floats, order};

/// A module with these definitions, in Core as a later compiler hands it out.
fn module(definitions: &str) -> Module {
    with_attributes("[]", definitions)
}

fn with_attributes(attributes: &str, definitions: &str) -> Module {
    let text = format!("{{c_module,[],{{c_literal,[],m}},[],{attributes},[{definitions}]}}");
    lower_verified(&parse_term(&text).expect("a term"))
}

fn definition(name: &str, body: &str) -> String {
    format!(
        "{{{{c_var,[],{{{name},1}}}},{{c_fun,[{{function,{{{name},1}}}},5,{{file,\"m.erl\"}}],[{{c_var,[],0}}],{body}}}}}"
    )
}

const PAIR: &str = "{c_record_pair,[],{c_literal,[],x},{c_var,[],'X'}}";

/// OTP 29. Nothing makes one here, so nothing is one.
#[test]
fn native_records_are_unsupported_and_match_nothing() {
    let made = definition(
        "f",
        "{c_record,[],{c_literal,[],empty},{c_literal,[],point},[{c_record_pair,[],{c_literal,[],x},{c_var,[],0}}]}",
    );
    assert!(text(&module(&made), "f").contains("(primitive native_record)"));
    let asked = definition(
        "f",
        "{c_primop,[],{c_literal,[],is_native_record},[{c_var,[],0},{c_literal,[],m},{c_literal,[],point}]}",
    );
    assert!(text(&module(&asked), "f").contains("(primitive is_native_record v0 m point)"));
    let matched = definition(
        "f",
        &format!(
            "{{c_case,[],{{c_var,[],0}},[\
               {{c_clause,[],[{{c_tuple,[],[{{c_record,[],{{c_literal,[],ok}},{{c_literal,[],point}},[{PAIR}]}}]}}],\
                 {{c_literal,[],true}},{{c_var,[],'X'}}}},\
               {{c_clause,[],[{{c_var,[],1}}],{{c_literal,[],true}},{{c_literal,[],none}}}}]}}"
        ),
    );
    assert!(text(&module(&matched), "f").contains("(case (v0) (of (_) none))"), "{}", text(&module(&matched), "f"));
}

/// Later inliners hand the parts of a tuple on as values: what fails then is a function that was inlined.
#[test]
fn a_failure_of_an_inlined_function_stands_for_several_values() {
    let clause = "{c_clause,[],[{c_tuple,[],[{c_var,[],1},{c_var,[],2}]}],{c_literal,[],true},{c_values,[],[{c_var,[],1},{c_var,[],2}]}}";
    let failing = "{c_clause,[compiler_generated],[{c_var,[],3}],{c_literal,[],true},\
        {c_primop,[{function,{g,1}}],{c_literal,[],match_fail},[{c_tuple,[{function,{g,1}}],[{c_literal,[],function_clause},{c_var,[],3}]}]}}";
    let body = format!(
        "{{c_let,[],[{{c_var,[],4}},{{c_var,[],5}}],{{c_case,[],{{c_var,[],0}},[{clause},{failing}]}},\
         {{c_cons,[],{{c_var,[],4}},{{c_var,[],5}}}}}}"
    );
    let module = module(&definition("f", &body));
    assert!(text(&module, "f").contains("(values [] [])"), "{}", text(&module, "f"));
}

/// Compiled with `beam_debug_info` or for coverage, and what Dialyzer is told.
#[test]
fn marks_for_tools_do_nothing() {
    for (name, arguments) in [("executable_line", 2), ("debug_line", 4), ("dialyzer_unknown", 1)] {
        assert!(bifs::find_operation(Atom::new(name), arguments).is_some(), "{name}/{arguments}");
    }
}

#[test]
fn what_depends_on_the_release() {
    let (zero, minus) = (Term::Float(0.0), Term::Float(-0.0));
    let row = |module: &str, function: &str, arity| bifs::find(Atom::new(module), Atom::new(function), arity);
    for release in [25, 26, 27, 28, 29] {
        otp::work_with(release);
        assert_eq!(otp::release(), release);
        assert_eq!(order::identical(&zero, &minus), release < 27, "{release}");
        assert!(order::equal(&zero, &minus) && order::compare(&zero, &minus).is_eq());
        assert_eq!(order::key_order(&minus, &zero).is_lt(), release >= 27);
        assert_eq!(floats::absolute(-0.0).is_sign_negative(), release < 27);
        assert_eq!(
            etf::encode(&Term::atom("a"), release),
            if release < 26 { vec![131, 100, 0, 1, 97] } else { vec![131, 119, 1, 97] }
        );
        assert_eq!(print(&Term::atom("maybe")), if release < 27 { "maybe" } else { "'maybe'" });
        assert_eq!(row("ets", "lookup_element", 4).is_some(), release >= 26);
        assert_eq!(row("ets", "first_lookup", 1).is_some(), release >= 27);
        assert_eq!(row("erlang", "is_integer", 3).is_some(), release >= 29);
        assert_eq!(
            row("binary", "part", 3).map(|row| row.domain[0]),
            Some(if release < 27 { machine::Domain::Bits } else { machine::Domain::Binary })
        );
        assert!(row("erlang", "is_integer", 1).is_some());
        // A record that nobody declared is a native one where there are such.
        let spec = "[{{c_literal,[],spec},{c_literal,[],[{{f,1},[{type,1,'fun',[{type,1,product,[{type,1,record,[{atom,1,point}]}]},{type,1,dynamic,[]}]}]}]}},\
                    {{c_literal,[],nominal},{c_literal,[],[{meters,{type,1,integer,[]},[]}]}}]";
        let module = with_attributes(spec, &definition("f", "{c_var,[],0}"));
        let clause = &module.types.specs[0].clauses[0];
        assert_eq!(clause.params[0], if release < 29 { Type::AnyTuple } else { Type::None });
        assert_eq!(clause.result, Type::Any);
        assert!(module.types.definitions.iter().any(|definition| definition.name == Atom::new("meters")));
    }
    otp::work_with(otp::OLDEST);
}
