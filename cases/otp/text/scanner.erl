%% erl_scan makes tokens.
%%! f("X = foo(1, \"s\") + 2.5.") ==> {ok,[{var,1,'X'},{'=',1},{atom,1,foo},{'(',1},{integer,1,1},{',',1},{string,1,"s"},{')',1},{'+',1},{float,1,2.5},{dot,1}],1}
%%! f("$a 'q a' <<>> => :=")      ==> {ok,[{char,1,97},{atom,1,'q a'},{'<<',1},{'>>',1},{'=>',1},{':=',1}],1}
%%! f("\"open")                   ==> {error,{1,erl_scan,{string,34,"open"}},1}
%%! f("16#fg 1.0e5")              ==> {ok,[{integer,1,15},{atom,1,g},{float,1,1.0e5}],1}
-module(scanner).
-export([f/1]).
f(S) -> erl_scan:string(S).
