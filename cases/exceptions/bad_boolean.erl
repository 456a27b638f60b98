%% andalso and orelse raise badarg with the left value; the right may be anything.
%%! f(true)  ==> anything
%%! f(false) ==> false
%%! f(1)     ==> error {badarg,1}
%%! g(false) ==> {any,thing}
%%! g(x)     ==> error {badarg,x}
%%! h(1)     ==> error badarg
-module(bad_boolean).
-export([f/1, g/1, h/1]).
f(X) -> X andalso anything.
g(X) -> X orelse {any, thing}.
h(X) -> not X.
