//! What we lower expressions to, run on the BEAM beside the expressions themselves.

mod support;

use erlang::syntax::{SyntaxError, lower_expression, parse_expression};
use program::Module;
use support::unlower::{PRIMITIVES, unlower};
use support::{Random, SEPARATOR, beam, meaning, scaled};
use term::Atom;

fn lowered(text: &str) -> Result<Module, SyntaxError> {
    let ast = parse_expression(text)?;
    lower_expression(&ast, Some(Atom::new("home")))
}

/// For each pair of an expression and our code for it (empty if we refuse it), says whether OTP's
/// linter accepts the expression, and what both evaluate to, each in a process of its own.
const JUDGE: &str = r#"
    {ok, Bytes} = file:read_file(Input),
    [Primitives | Items0] = binary:split(Bytes, <<1,1,10>>, [global]),
    Items = numbered(Items0, 0),
    Judged = [judge(Item) || Item <- Items],
    Chunks = chunks([Item || {run, Item} <- Judged]),
    Results = maps:from_list(lists:append([run(Chunk, Primitives) || Chunk <- Chunks])),
    Answers = [case J of
                   {run, {N, _, _}} -> maps:get(N, Results);
                   {refused, _, Why} -> io_lib:format("refused ~0tp", [Why]);
                   {accepted, _, _} -> "accepted"
               end || J <- Judged],
    ok = file:write_file(Output, [unicode:characters_to_binary([A, 1, 1, 10]) || A <- Answers]).

numbered([Text, Code | Rest], N) ->
    [{N, unicode:characters_to_list(Text), unicode:characters_to_list(Code)} | numbered(Rest, N + 1)];
numbered(_, _) -> [].

%% Local functions are the home module's.
judge({N, Text, Code} = Item) ->
    case lint(Text) of
        {error, Why} -> {refused, N, Why};
        ok when Code =:= [] -> {accepted, N, Text};
        ok -> {run, Item}
    end.

lint(Text) ->
    try lint_forms(Text) catch error:{badmatch, {error, Why}} -> {error, Why} end.

lint_forms(Text) ->
    Forms = [{attribute, 1, module, home}, {attribute, 1, export, [{eval, 0}]}, function(eval, Text)],
    case erl_lint:module(Forms, "home", [nowarn_unused_vars]) of
        {ok, _} -> ok;
        {error, Errors, _} -> {error, [lists:flatten(M:format_error(E)) || {_, Es} <- Errors, {_, M, E} <- Es]}
    end.

function(Name, Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, Body} = erl_parse:parse_exprs(Tokens),
    {function, 1, Name, 0, [{clause, 1, [], [], Body}]}.

chunks([]) -> [];
chunks(Items) when length(Items) =< 100 -> [Items];
chunks(Items) -> {First, Rest} = lists:split(100, Items), [First | chunks(Rest)].

run(Items, Primitives) ->
    Originals = [function(list_to_atom("original" ++ integer_to_list(N)), Text) || {N, Text, _} <- Items],
    Source = [unicode:characters_to_list(Primitives) | [Code || {_, _, Code} <- Items]],
    Lowered = forms(lists:append(Source)),
    Forms = [{attribute, 1, module, home}, {attribute, 1, compile, export_all}] ++ Originals ++ Lowered,
    {ok, home, Binary} =
        case compile:forms(Forms, [return_errors]) of
            {ok, home, B} -> {ok, home, B};
            Other -> throw(Other)
        end,
    {module, home} = code:load_binary(home, "home", Binary),
    [{N, compared(evaluate("original", N, ""), evaluate("lowered", N, "_0"))} || {N, _, _} <- Items].

forms(Source) ->
    {ok, Tokens, _} = erl_scan:string(Source),
    [begin {ok, Form} = erl_parse:parse_form(Ts), Form end || Ts <- split(Tokens, [])].

split([], _) -> [];
split([{dot, _} = Dot | Rest], Form) -> [lists:reverse([Dot | Form]) | split(Rest, [])];
split([Token | Rest], Form) -> split(Rest, [Token | Form]).

evaluate(Kind, N, Suffix) ->
    Function = list_to_atom(Kind ++ integer_to_list(N) ++ Suffix),
    {Pid, Monitor} = spawn_monitor(fun() ->
        Result = try home:Function() of
                     Value -> {value, Value}
                 catch Class:Reason -> {Class, Reason} end,
        {messages, Messages} = process_info(self(), messages),
        exit({result, plain({Result, Messages})})
    end),
    receive {'DOWN', Monitor, process, Pid, Why} -> Why after 5000 -> exit(Pid, kill), timeout end.

%% Without what may differ: stacks, and which process and which fun it was.
plain(X) when is_function(X) -> {'$fun', erlang:fun_info(X, arity)};
plain(X) when is_pid(X) -> '$pid';
plain(X) when is_tuple(X) -> list_to_tuple(plain(tuple_to_list(X)));
plain(X) when is_map(X) -> maps:from_list(plain(maps:to_list(X)));
plain([{M, F, _, L} | T]) when is_atom(M), is_atom(F), is_list(L) -> stack(T);
plain([H | T]) -> [plain(H) | plain(T)];
plain(X) -> X.

stack([{_, _, _, _} | T]) -> stack(T);
stack(T) -> ['$stack' | plain(T)].

compared(Same, Same) -> io_lib:format("same ~0tp", [Same]);
compared(Expected, Found) -> io_lib:format("different~n  expected ~0tp~n  found    ~0tp", [Expected, Found]).
"#;

/// Gives how many evaluated to a value.
fn judge(texts: &[String]) -> usize {
    let mut input = PRIMITIVES.to_owned();
    for (number, text) in texts.iter().enumerate() {
        let code = lowered(text).map(|module| unlower(&module, &format!("lowered{number}_"))).unwrap_or_default();
        input.push_str(&format!("{SEPARATOR}{text}{SEPARATOR}{code}"));
    }
    let output = beam(JUDGE, input.as_bytes());
    let answers: Vec<&str> = output.split(SEPARATOR).collect();
    assert_eq!(answers.len(), texts.len() + 1, "one answer for each text");
    let wrong = |text: &str, answer: &str| match lowered(text) {
        Ok(_) => !answer.starts_with("same"),
        Err(_) => answer == "accepted",
    };
    let failures = texts.iter().zip(&answers).filter(|(text, answer)| wrong(text, answer));
    if let Some((text, answer)) = failures.min_by_key(|(text, _)| text.len()) {
        let why = lowered(text).err().map(|error| error.render(text)).unwrap_or_default();
        let code = lowered(text).map(|module| unlower(&module, "lowered_")).unwrap_or_default();
        let code = if answer.starts_with("different") { code } else { String::new() };
        panic!("{text}\n--- the BEAM says: {answer}\n{why}{code}");
    }
    answers.iter().filter(|answer| answer.starts_with("same {result,{{value,")).count()
}

#[test]
fn generated_expressions_mean_the_same() {
    let mut random =
        Random::new(std::env::var("BEAGLE_SYNTAX_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(6));
    let count = scaled(150, 20_000);
    let texts: Vec<String> = (0..count).map(|_| meaning::expressions(&mut random)).collect();
    let values = judge(&texts);
    assert!(values > count / 5, "only {values} of {count} have a value: the generator is off");
}
