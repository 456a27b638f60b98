//! What we lower expressions to, run on the BEAM beside the expressions themselves.

use crate::support::unlower::{PRIMITIVES, unlower};
use crate::support::{Random, SEPARATOR, beam, meaning, scaled, seed};
use erlang::syntax::{SyntaxError, lower_expression, parse_expression};
use program::Module;
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
    Forms = [{attribute, 1, module, home}, {attribute, 1, export, [{eval, 0}]}, function(eval, Text) | own()],
    case erl_lint:module(Forms, "home", [nowarn_unused_vars]) of
        {ok, _} -> ok;
        {error, Errors, _} -> {error, [lists:flatten(M:format_error(E)) || {_, Es} <- Errors, {_, M, E} <- Es]}
    end.

%% What the home module has of its own.
own() -> forms("foo(X) -> {foo, X}. ").

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
    Forms = [{attribute, 1, module, home}, {attribute, 1, compile, export_all} | own()] ++ Originals ++ Lowered,
    {ok, home, Binary} =
        case compile:forms(Forms, [return_errors]) of
            {ok, home, B} -> {ok, home, B};
            Other -> throw(Other)
        end,
    {module, home} = code:load_binary(home, "home", Binary),
    [{N, compared(Text, call("original", N, ""), call("lowered", N, "_0"))} || {N, Text, _} <- Items].

forms(Source) ->
    {ok, Tokens, _} = erl_scan:string(Source),
    [begin {ok, Form} = erl_parse:parse_form(Ts), Form end || Ts <- split(Tokens, [])].

split([], _) -> [];
split([{dot, _} = Dot | Rest], Form) -> [lists:reverse([Dot | Form]) | split(Rest, [])];
split([Token | Rest], Form) -> split(Rest, [Token | Form]).

call(Kind, N, Suffix) ->
    Function = list_to_atom(Kind ++ integer_to_list(N) ++ Suffix),
    evaluate(fun() -> home:Function() end).

interpreted(Text) ->
    {function, _, _, _, [{clause, _, _, _, Body}]} = function(eval, Text),
    Local = {value, fun(Name, Args) -> apply(home, Name, Args) end},
    evaluate(fun() -> {value, Value, _} = erl_eval:exprs(Body, [], Local), Value end).

evaluate(Work) ->
    {Pid, Monitor} = spawn_monitor(fun() ->
        Result = try Work() of
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

compared(_, Same, Same) -> io_lib:format("same ~0tp", [Same]);
compared(Text, Compiled, Found) ->
    %% The compiler confuses a name with the same name in another argument if that one is unsafe.
    case interpreted(Text) of
        Found -> io_lib:format("same ~0tp", [Found]);
        _ -> io_lib:format("different~n  expected ~0tp~n  found    ~0tp", [Compiled, Found])
    end.
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
        // Matching one value with two binary patterns in turn is harmless; OTP 25 alone refuses it.
        Ok(_) => !answer.starts_with("same") && !answer.contains("binary patterns cannot be matched in parallel"),
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
    let mut random = Random::new(seed(6));
    let count = scaled(60, 3_000);
    let texts: Vec<String> = (0..count).map(|_| meaning::expressions(&mut random)).collect();
    let values = judge(&texts);
    assert!(values > count / 5, "only {values} of {count} have a value: the generator is off");
}

/// One for each thing the language has, and for what is easily got wrong.
const EXPRESSIONS: &[&str] = &[
    // Order of evaluation, and variables bound on the way.
    "A = put(x, 1), B = get(x), {A, B}",
    "{put(x, 1), put(x, 2), X = put(x, 3), get(x)}, X",
    "{get(x), begin put(x, 1), get(x) end, begin Y = put(x, 2), Y end, get(x)}",
    "[put(x, 1), begin Y = 2, put(x, Y) end | get(x)]",
    "(X = 1) + (Y = 2), X + Y",
    "{X = 1, X = 1}",
    "{X = 1, X = 2}",
    "erlang:'+'(X = 1, begin X = 1, 2 end), X",
    "(begin F = fun(X) -> {X, get(x)} end, put(x, 1), F end)(put(x, 2))",
    "#{put(x, 1) => get(x), get(x) => put(x, 3)}",
    "(begin put(m, 1), #{} end)#{get(m) => put(m, 2), get(m) => 3}",
    "<<(begin put(x, 7), 1 end), (get(x)), \"ab\":(begin put(x, 16), get(x) end), (get(x))>>",
    "lists:nth(begin put(x, 1), 2 end, [get(x), get(x)])",
    "M = lists, F = reverse, M:F([1,2])",
    "(begin put(x, 1), lists end):(begin get(x), reverse end)([get(x)])",
    "_ = 1, _ = 2, ok",
    // Matching.
    "{A, [B | C]} = {1, [2, 3]}, {A, B, C}",
    "A = 1, {A, B} = {1, 2}, B",
    "A = 1, {A, B} = {2, 2}, B",
    "{A, A} = {1, 1}",
    "{A, A} = {1, 1.0}",
    "A = B = {C, _} = {1, 2}, {A, B, C}",
    "\"ab\" ++ T = \"abc\", T",
    "[1, $a] ++ [X] = [1, 97, 3], X",
    "[] ++ X = b, X",
    "case [1,2] of [H | _] = [_, T | _] -> {H, T} end",
    "case {a, \"xy\"} of {a, \"xy\" = [H | T]} -> {H, T} end",
    "case {a, [1]} of {a, [X] = \"xy\"} -> X; {X = {Y}, Z} -> {X, Y, Z}; _ -> none end",
    "case {1, 2} of {A, _} = {_, B} = C -> {A, B, C} end",
    "case {1, 2} of {A, _} = [B | _] -> {A, B}; _ -> no end",
    "case 3 of 1 + 2 -> yes end",
    "case -3 of -(1 + 2) -> yes end",
    "case 1.5 of 3 / 2 -> yes end",
    "case 256 of 1 bsl 8 -> yes end",
    "case -0.0 of 0.0 -> yes; _ -> no end",
    "case 1 of 1.0 -> yes; _ -> no end",
    "case 12345678901234567890 of 12345678901234567890 -> yes end",
    "case {b, #{a => 1}} of {K, #{K := V}} -> V; {_, #{a := V}} -> V end",
    "K = a, case #{a => 1} of #{K := V} -> V end",
    "K = a, case #{{a, 1} => 1} of #{{K, 1} := V} -> V end",
    "case #{2 => x} of #{1 div 0 := V} -> V; #{1 + 1 := V} -> V end",
    "case #{false => x} of #{1 div 0 := V} -> V; _ -> none end",
    "case #{a => #{b => 1}} of #{a := #{b := X} = Y} -> {X, Y} end",
    "case x of #{} -> map; _ -> other end",
    "#{a := A, b := A} = #{a => 1, b => 1}, A",
    "#{a := A} = B = #{a => 1}, {A, B}",
    // Binaries.
    "<<A, B:A/binary, C/bits>> = <<2, 5, 6, 7:4>>, {A, B, C}",
    "<<L:16, D:L/binary, R/binary>> = <<3:16, \"abcdef\">>, {D, R}",
    "N = 4, <<A:N, B:(N * 2)/signed, _/bits>> = <<16#1ff0:16>>, {A, B}",
    "<<N, X:(N + 1)/unit:8, _/binary>> = <<1, 2, 3, 4>>, X",
    "case <<1, 2>> of <<A, A>> -> same; <<A, B>> -> {A, B} end",
    "A = 2, case <<1, 2>> of <<A, _>> -> first; <<_, A>> -> second end",
    "N = 1, case <<2, 3, 4>> of <<N, X:N/binary, _/bits>> -> X; <<M, X:M/binary>> -> X end",
    "<<X/utf8, Y/utf16, Z/utf32-little>> = <<\"å\"/utf8, 16#1F600/utf16, $b/utf32-little>>, {X, Y, Z}",
    "case <<\"åb\"/utf8>> of <<\"å\"/utf8, R/binary>> -> R end",
    "case <<255>> of <<-1>> -> yes; _ -> no end",
    "case <<255>> of <<-1/signed>> -> yes; _ -> no end",
    "case <<1/float>> of <<1/float>> -> yes; _ -> no end",
    "case <<1.5:32/float>> of <<F:32/float>> -> F end",
    "case <<1:64>> of <<F:64/float-little>> -> F; _ -> none end",
    "case <<1, 2, 3>> of <<X:2/binary-unit:12>> -> X end",
    "case <<5:3>> of <<X/binary>> -> X; <<X/bits>> -> {bits, X} end",
    "case <<1, 2>> of <<X:(foo)/binary, _/bits>> -> X; _ -> none end",
    "case <<1, 2>> of <<X:(-1)/binary, _/bits>> -> X; _ -> none end",
    "case <<1, 2>> of <<X:(1 div 0)/binary, _/bits>> -> X; _ -> none end",
    "case <<>> of <<>> -> empty end",
    "<<\"abc\">>",
    "X = 3, <<X, X:16/little, X:4, (-X):4/signed, 1.5:32/float, \"s\":X, \"åß\"/utf8, X/utf16>>",
    "X = <<1, 2, 3>>, <<X/binary, X:2/binary, 7:1>>",
    "<<(300)>>",
    "<<a>>",
    "<<1.0>>",
    "X = 1.5, <<X>>",
    "<<(<<1:4>>)/binary>>",
    "<<1:(-1)>>",
    "<<16#D800/utf8>>",
    "<<1:foo>>",
    "<<(<<1, 2>>):3/binary>>",
    // Branches.
    "case 1 of X when X > 0, X < 2 -> small; _ -> large end",
    "case foo of bar -> 1 end",
    "X = 1, case X of 1 -> Y = a; _ -> Y = b end, {X, Y}",
    "X = 1, case X of 1 -> Y = a, Z = 1; _ -> Y = b, Z = 2 end, {X, Y, Z}",
    "X = case 1 of 1 -> Y = a; _ -> Y = b end, {X, Y}",
    "if 1 > 2 -> a; true -> b end",
    "if 1 > 2 -> a end",
    "X = 1, if X == 1 -> Y = 2; true -> Y = 3 end, Y",
    "if hd(a) > 1; true -> a end",
    "if is_list(a), hd(a) > 1; true -> a end",
    "if not (hd([]) == 1) -> a; true -> b end",
    "X = foo, if X -> a; not X -> b; true -> c end",
    "X = 1, if X andalso true -> a; true orelse X -> b end",
    "if erlang:'+'(1, 1) == 2, erlang:is_list([]) -> a end",
    "case {1, 2} of {X, Y} when X == Y; X < Y, Y > 1; hd(X) -> ok end",
    "true andalso false",
    "false andalso error(x)",
    "true andalso foo",
    "foo andalso true",
    "true orelse error(x)",
    "false orelse foo",
    "1 orelse true",
    "X = 1, (X == 1 andalso (Y = 2) == 2), X",
    // Funs.
    "(fun(X) -> X + 1 end)(1)",
    "X = 1, F = fun(Y) -> X + Y end, F(2)",
    "X = 1, F = fun(X) -> X end, F(2)",
    "F = fun(a) -> 1; (b) -> 2 end, {F(a), F(b)}",
    "(fun(a) -> 1 end)(b)",
    "(fun(a, _) -> 1 end)(b)",
    "(fun Fact(0) -> 1; Fact(N) -> N * Fact(N - 1) end)(20)",
    "X = 10, (fun Loop(0, A) -> A; Loop(N, A) -> Loop(N - 1, A + X) end)(1000, 0)",
    "F = fun(X) -> fun(Y) -> fun(Z) -> {X, Y, Z} end end end, ((F(1))(2))(3)",
    "F = fun(X) when X > 1 -> big; (X) when is_integer(X); is_float(X) -> small end, [F(2), F(1), F(0.5)]",
    "N = 1, (fun(<<X:N/binary, N>>) -> {X, N} end)(<<5, 6>>)",
    "K = a, (fun(#{K := V}) -> V end)(#{a => 1})",
    "K = a, (fun(K, #{K := V}) -> {K, V} end)(b, #{a => 1})",
    "(fun lists:reverse/1)([1,2])",
    "(fun length/1)([1,2])",
    "M = lists, F = reverse, A = 1, (fun M:F/A)([1,2])",
    "foo(1)",
    "(foo)(1)",
    "lists:map(fun foo/1, [1])",
    "X = 3, X(1)",
    "X = foo, X:bar()",
    "1:bar()",
    "F = fun() -> X = 1, X end, X = 2, {F(), X}",
    "fun(X, X) -> X end(1, 1)",
    "lists:foldl(fun({K, V}, A) -> A#{K => V} end, #{}, [{a, 1}, {b, 2}])",
    "spawn(fun() -> ok end), ok",
    "(fun(_, _) -> ok end)(1)",
    // Comprehensions.
    "[X * 2 || X <- [1,2,3], X > 1]",
    "[{X, Y} || X <- [1,2], Y <- [a,b]]",
    "[{X, Y} || X <- [1,2,3], Y <- lists:seq(1, X), X + Y > 3]",
    "[X || {ok, X} <- [{ok, 1}, error, {ok, 2}]]",
    "X = 1, [X || X <- [2,3]] ++ [X]",
    "Y = 1, [X || X <- [1,2], X == Y]",
    "[X || X <- [1, true, a], X]",
    "[X || X <- [[1], a, [3]], hd(X) > 1]",
    "[X || X <- [1,2], begin X end]",
    "[X || X <- [1,2], Y <- begin Z = X, [Z] end, begin W = Y, W > 1 end]",
    "[W || X <- [1,2], (W = X) > 0]",
    "[X || X <- [1,2 | 3]]",
    "[X || X <- foo]",
    "[ok || _ <- [1,2]]",
    "[X || true, X <- [1]]",
    "[x || false]",
    "[[Y || Y <- X] || X <- [[1], [2,3]]]",
    "[fun() -> X end() || X <- [1,2]]",
    "[X || <<X:4>> <= <<16#12, 16#34>>]",
    "[X || <<1:4, X:4>> <= <<16#12, 16#34, 16#15>>]",
    "[X || <<X:3>> <= <<255, 1:1>>]",
    "[{N, B} || <<N, B:N/binary>> <= <<1, 5, 2, 6, 7, 9>>]",
    "X = 4, [X || <<X:X>> <= <<16#12>>]",
    "[X || <<X, X>> <= <<1, 1, 1, 2, 3, 3>>]",
    "[X || <<X/utf8>> <= <<\"aå\"/utf8, 255, 65>>]",
    "[X || <<X>> <= foo]",
    "<< <<(X + 1)>> || X <- [1,2,3], X =/= 2 >>",
    "<< <<X:4, Y:4>> || X <- [1,2], <<Y:4>> <= <<16#ab>> >>",
    "<< (list_to_binary([X])) || X <- [1,2] >>",
    "<< <<\"a\">> || _ <- [1,2] >>",
    "<< X || X <- [<<1:3>>, <<2:3>>] >>",
    "<< <<X>> || X <- [a] >>",
    "<< 1 || _ <- [1] >>",
    "length([X || X <- lists:seq(1, 10000), X rem 3 == 0])",
    // Exceptions.
    "try 1 catch _:_ -> 2 end",
    "try error(x) catch error:R -> {caught, R} end",
    "try throw(x) catch R -> {caught, R} end",
    "try error(x) catch R -> {caught, R} end",
    "try exit(x) catch C:R -> {C, R} end",
    "try exit(x) catch error:R -> R; exit:R -> {exit, R} end",
    "try error(x) catch error:y -> 1 end",
    "try 1 of 1 -> a; 2 -> b catch _:_ -> c end",
    "try 3 of 1 -> a catch _:_ -> c end",
    "try 1 of _ -> error(x) catch _:_ -> c end",
    "try X = 1, {X, 2} of {A, B} when A == X -> {A, B, X} catch _:_ -> c end",
    "try 1 after put(x, 1) end, get(x)",
    "try try error(x) after put(x, 1) end catch _:_ -> get(x) end",
    "X = 5, try X of Y -> Y + X catch _:_ -> X after put(x, X) end + get(x)",
    "try error(x) catch _:R:S -> {R, is_list(S)} end",
    "try error({a, 1}) catch error:{a, X} when X > 1 -> big; error:{a, X} when X =< 1 -> {small, X} end",
    "C = error, try error(x) catch C:_ -> same end",
    "C = exit, try error(x) catch C:_ -> same end",
    "try hd([]) catch error:badarg -> caught end",
    "try 1 div 0 catch error:badarith -> caught end",
    "try foo:bar() catch error:undef -> caught end",
    "try (fun(a) -> 1 end)(b) catch error:function_clause -> caught end",
    "try case 1 of 2 -> 3 end catch error:{case_clause, 1} -> caught end",
    "try error(a) catch _:_ -> try error(b) catch _:R -> R end end",
    "try try error(a) catch _:a -> error(b) end catch _:R -> R end",
    "try error(a) catch error:R:S -> erlang:raise(throw, R, S) end",
    "element(1, catch error(x))",
    "catch throw(x)",
    "catch exit(x)",
    "catch 1 + 1",
    "X = (catch 1), X",
    "(catch X = 1), ok",
    "element(1, element(2, catch 1 + a))",
    "fun() -> try throw(x) catch throw:X -> X end end()",
    // Processes.
    "self() ! a, receive X -> X end",
    "self() ! a, self() ! b, receive b -> 1 end, receive X -> X end",
    "receive X -> X after 0 -> timeout end",
    "receive after 1 -> ok end",
    "receive after foo -> ok end",
    "self() ! {a, 1}, receive {b, X} -> X; {a, X} -> Y = X end, {X, Y}",
    "self() ! {a, 1}, receive {a, X} when X > 1 -> big; {a, X} -> {small, X} after 10 -> none end",
    "self() ! 1, X = 1, receive X -> same; Y -> Y end",
    "self() ! x, receive A -> B = 1 after 0 -> A = 2, B = 2 end, {A, B}",
    "T = 0, receive after T -> T end",
    "self() ! 1, self() ! 2, F = fun Loop(0) -> []; Loop(N) -> receive X -> [X | Loop(N - 1)] end end, F(2)",
    "self() ! z, receive after 0 -> ok end",
    "P = self(), P ! P, receive P -> same end",
    // Refused by both.
    "X",
    "X = X",
    "f(X = 1, X)",
    "case 1 of 1 -> X = 1; _ -> ok end, X",
    "case 1 of 1 -> X = 1; _ -> ok end, X = 2",
    "(catch X = 1), X",
    "(true andalso (X = true)), X",
    "try X = 1 catch _:_ -> 2 end, X",
    "try X = 1 catch _:_ -> X end",
    "try X = 1 after X end",
    "[X || X <- [1]], X",
    "fun() -> X = 1 end, X",
    "receive after (X = 0) -> X end",
    "if f() -> 1 end",
    "if lists:member(1, [1]) -> 1 end",
    "case 1 of X when (Y = X) > 1 -> 1 end",
    "case 1 of f() -> 1 end",
    "case 1 of X + 1 -> 1 end",
    "case 1 of #{a => 1} -> 1 end",
    "fun(K, #{K := V}) -> V end",
    "fun(N, <<X:N>>) -> X end",
    "<<X:8/utf8>> = <<1>>",
    "<<1/unit:8>>",
    "<<1:8/foo>>",
    "<<1:8/integer-binary>>",
    "<<X/binary, Y>> = <<1>>",
    "<<\"a\":8>> = <<1>>",
    "[X || <<X/binary>> <= <<1>>]",
    "#{a := 1}",
    "lists:map",
    "_",
    "f(_)",
    "try 1 catch _:R:R -> 1 end",
    "S = 1, try 1 catch _:_:S -> 1 end",
    "try 1 catch _:_:S when S == [] -> 1 end",
    "<<X:Y>> = <<1>>",
    "fun F() -> 1 end, F",
];

#[test]
fn each_construct_means_the_same() {
    judge(&EXPRESSIONS.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
}
