//! The core IR back to Erlang source, so that the BEAM can run what we lowered and judge it. Several
//! values are a tuple, a trace is `{Class, Stack}`, primitives are functions of the test module, and a
//! clause whose guard fails goes on through a local fun.

use program::{BitKind, BitPattern, BitSegment, BitSize, Callee, Clause, Endian, Expr, Function, Module, Pattern, Var};
use std::fmt::Write;
use term::Atom;

/// Function definitions; those of `module` are called `PREFIXn`, the first is the entry.
pub fn unlower(module: &Module, prefix: &str) -> String {
    let mut writer = Writer { module, prefix, counter: 0, out: String::new() };
    for (index, function) in module.functions.iter().enumerate() {
        writer.function(index, function);
    }
    writer.out
}

/// What the primitives mean; part of the test module.
pub const PRIMITIVES: &str = r#"
prim_apply(Fun, Args) -> apply(Fun, Args).
prim_match_fail(Reason) -> erlang:error(Reason).
prim_raise({Class, Stack}, Reason) -> erlang:raise(Class, Reason, Stack).
prim_build_stacktrace({_, Stack}) -> Stack.
prim_catch_value(throw, Reason, _) -> Reason;
prim_catch_value(exit, Reason, _) -> {'EXIT', Reason};
prim_catch_value(error, Reason, {_, Stack}) -> {'EXIT', {Reason, Stack}}.
prim_catch_value_unread(Class, Reason, Trace) -> prim_catch_value(Class, Reason, Trace).
prim_recv_peek_message() ->
    {messages, Messages} = process_info(self(), messages),
    Position = position(),
    case length(Messages) > Position of
        true -> {true, lists:nth(Position + 1, Messages)};
        false -> {false, none}
    end.
prim_remove_message() ->
    {messages, Messages} = process_info(self(), messages),
    Message = lists:nth(position() + 1, Messages),
    receive Message -> ok end,
    erase('$position').
prim_take_message(_) -> prim_remove_message().
prim_recv_next() -> put('$position', position() + 1).
prim_recv_wait_timeout(infinity) -> exit(deadlock);
prim_recv_wait_timeout(Time) when is_integer(Time), Time >= 0, Time < 16#100000000 ->
    receive after Time -> ok end, erase('$position'), true;
prim_recv_wait_timeout(_) -> erlang:error(timeout_value).
position() -> case get('$position') of undefined -> 0; Position -> Position end.
"#;

struct Writer<'p> {
    module: &'p Module,
    prefix: &'p str,
    counter: u32,
    out: String,
}

impl Writer<'_> {
    fn function(&mut self, index: usize, function: &Function) {
        let body = function.body.get().expect("a fresh body is decoded");
        let parameters = joined(&(0..function.arity + function.captures).map(|n| variable(Var(n))).collect::<Vec<_>>());
        let body = self.expr(body);
        writeln!(self.out, "{}{index}({parameters}) ->\n    {body}.", self.prefix).expect("a string takes all");
    }

    fn new_name(&mut self, kind: &str) -> String {
        self.counter += 1;
        format!("{kind}_{}", self.counter)
    }

    fn exprs(&mut self, exprs: &[Expr]) -> String {
        let texts: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        joined(&texts)
    }

    fn expr(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Const(term) => erlang::print_pasteable(term),
            Expr::Var(var) => variable(*var),
            Expr::Let { bindings, body } => {
                let mut text = String::from("begin ");
                for binding in bindings {
                    let vars: Vec<String> = binding.vars.iter().copied().map(variable).collect();
                    let value = self.expr(&binding.value);
                    let target = if vars.len() == 1 { joined(&vars) } else { format!("{{{}}}", joined(&vars)) };
                    write!(text, "{target} = {value}, ").expect("a string takes all");
                }
                text + &self.expr(body) + " end"
            }
            Expr::Values(items) | Expr::Tuple(items) => format!("{{{}}}", self.exprs(items)),
            Expr::Cons(head, tail) => format!("[{} | {}]", self.expr(head), self.expr(tail)),
            Expr::Map { base, pairs, .. } => {
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|pair| {
                        let arrow = if pair.exact { ":=" } else { "=>" };
                        format!("{} {arrow} {}", self.expr(&pair.key), self.expr(&pair.value))
                    })
                    .collect();
                format!("({})#{{{}}}", self.expr(base), joined(&pairs))
            }
            Expr::Bits { segments, .. } => {
                let segments: Vec<String> = segments.iter().map(|segment| self.segment(segment)).collect();
                format!("<<{}>>", joined(&segments))
            }
            Expr::Closure { function, captures } => {
                let name = self.new_name("P");
                let arity = self.module.function(*function).arity;
                let parameters: Vec<String> = (0..arity).map(|n| format!("{name}_{n}")).collect();
                let all: Vec<String> =
                    parameters.iter().cloned().chain(captures.iter().copied().map(variable)).collect();
                let (parameters, all) = (joined(&parameters), joined(&all));
                format!("fun({parameters}) -> {}{}({all}) end", self.prefix, function.0)
            }
            Expr::Call { callee, args, .. } => self.call(callee, args),
            Expr::Case { subjects, clauses, .. } => self.case(subjects, clauses),
            Expr::Try { body, ok_vars, ok, handler_vars, handler } => {
                let ok_vars: Vec<String> = ok_vars.iter().copied().map(variable).collect();
                let value = if ok_vars.len() == 1 { joined(&ok_vars) } else { format!("{{{}}}", joined(&ok_vars)) };
                let [class, reason, trace] = handler_vars.map(variable);
                let stack = self.new_name("Stack");
                let (body, ok, handler) = (self.expr(body), self.expr(ok), self.expr(handler));
                format!(
                    "try {body} of {value} -> {ok} catch {class}:{reason}:{stack} -> {trace} = {{{class}, {stack}}}, {handler} end"
                )
            }
            Expr::Guard(test) => format!("try {} catch _:_ -> false end", self.expr(test)),
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Expr]) -> String {
        let arguments = self.exprs(args);
        match callee {
            Callee::Local(function) => format!("{}{}({arguments})", self.prefix, function.0),
            Callee::Remote { module, function } => format!("{}:{}({arguments})", quoted(*module), quoted(*function)),
            Callee::Dynamic { module, function } => {
                format!("({}):({})({arguments})", self.expr(module), self.expr(function))
            }
            // Not as a plain call, which the compiler would inline with an eye on the arity.
            Callee::Value(function) => format!("prim_apply({}, [{arguments}])", self.expr(function)),
            Callee::Primitive(name) if name.text() == "function_clause" => "erlang:error(function_clause)".into(),
            Callee::Primitive(name) => format!("prim_{}({arguments})", name.text()),
        }
    }

    fn case(&mut self, subjects: &[Expr], clauses: &[Clause]) -> String {
        let subject = self.new_name("Subject");
        let value = self.exprs(subjects);
        let mut text = format!("begin {subject} = {{{value}}}, ");
        let mut next = String::from("erlang:error(no_clause_left)");
        for clause in clauses.iter().rev() {
            let name = self.new_name("Next");
            let patterns: Vec<String> = clause.patterns.iter().map(|pattern| self.pattern(pattern)).collect();
            let body = self.expr(&clause.body);
            let guarded = match &clause.guard {
                None => body,
                Some(guard) => format!("case {} of true -> {body}; _ -> {next} end", self.expr(guard)),
            };
            write!(
                text,
                "{name} = fun() -> case {subject} of {{{}}} -> {guarded}; _ -> {next} end end, ",
                joined(&patterns)
            )
            .expect("a string takes all");
            next = format!("{name}()");
        }
        text + &next + " end"
    }

    fn segment(&mut self, segment: &BitSegment) -> String {
        let value = self.expr(&segment.value);
        let size = self.size(&segment.size);
        let types = types(segment.kind, &segment.size, segment.unit, segment.signed, segment.endian);
        format!("({value}){size}/{types}")
    }

    fn size(&mut self, size: &BitSize) -> String {
        match size {
            BitSize::All | BitSize::Encoded => String::new(),
            // In a pattern, a size that raises matches nothing anyway.
            BitSize::Times(Expr::Guard(size)) => format!(":({})", self.expr(size)),
            BitSize::Times(size) => format!(":({})", self.expr(size)),
        }
    }

    fn pattern(&mut self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Any => "_".into(),
            Pattern::Var(var) => variable(*var),
            Pattern::Alias(var, inner) => format!("{} = {}", variable(*var), self.pattern(inner)),
            Pattern::Const(term) => erlang::print_pasteable(term),
            Pattern::Cons(head, tail) => format!("[{} | {}]", self.pattern(head), self.pattern(tail)),
            Pattern::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.pattern(item)).collect();
                format!("{{{}}}", joined(&items))
            }
            Pattern::Map(pairs) => {
                let pairs: Vec<String> =
                    pairs.iter().map(|(key, value)| format!("{} := {}", self.expr(key), self.pattern(value))).collect();
                format!("#{{{}}}", joined(&pairs))
            }
            Pattern::Bits(segments) => {
                let segments: Vec<String> = segments.iter().map(|segment| self.bit_pattern(segment)).collect();
                format!("<<{}>>", joined(&segments))
            }
        }
    }

    fn bit_pattern(&mut self, segment: &BitPattern) -> String {
        let value = self.pattern(&segment.value);
        let size = self.size(&segment.size);
        format!("{value}{size}/{}", types(segment.kind, &segment.size, segment.unit, segment.signed, segment.endian))
    }
}

fn variable(var: Var) -> String {
    format!("V{}", var.0)
}

fn joined(texts: &[String]) -> String {
    texts.join(", ")
}

fn quoted(atom: Atom) -> String {
    erlang::syntax::print_atom(atom)
}

fn types(kind: BitKind, size: &BitSize, unit: u16, signed: bool, endian: Endian) -> String {
    let endian = match endian {
        Endian::Big => "big",
        Endian::Little => "little",
        Endian::Native => "native",
    };
    let sign = if signed { "signed" } else { "unsigned" };
    match (kind, size) {
        (BitKind::Utf8, _) => "utf8".into(),
        (BitKind::Utf16, _) => format!("utf16-{endian}"),
        (BitKind::Utf32, _) => format!("utf32-{endian}"),
        (BitKind::Integer, _) => format!("integer-{sign}-{endian}-unit:{unit}"),
        (BitKind::Float, _) => format!("float-{endian}-unit:{unit}"),
        (BitKind::Bits, _) => format!("binary-unit:{unit}"),
    }
}
