%% A guard that looks into a value asks first what it is.
%%! head([5])       ==> error five
%%! head(5)         ==> ok
%%! second({a, 5})  ==> error five
%%! sized(<<1, 2>>) ==> error {bytes,<<1,2>>}
%%? head/1: finds error:five for ([5|_]); failures = 1; exhausts
%%? second/1: finds error:five for (T) when element(2, T) =:= 5; failures = 1
%%? sized/1: finds error:{bytes,_} for (B) when byte_size(B) =:= 2; finds error:{tuple,_} for ({_,_}); failures = 2
-module(guards_on_anything).
-export([head/1, second/1, sized/1]).

head(X) when hd(X) =:= 5 -> error(five);
head(_) -> ok.

second(X) when element(2, X) =:= 5 -> error(five);
second(_) -> ok.

sized(X) when byte_size(X) =:= 2 -> error({bytes, X});
sized(X) when tuple_size(X) =:= 2 -> error({tuple, X});
sized(_) -> ok.
