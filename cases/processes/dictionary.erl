%% The process dictionary: put, get, erase and what they return.
%%! f()    ==> [undefined,1,2,undefined,2,undefined,undefined]
%%! all()  ==> {[{a,1},{"b",2}],[{a,1},{"b",2}],[]}
%%! keys() ==> {[a,b,c],[a,b],[]}
-module(dictionary).
-export([f/0, all/0, keys/0]).
f() -> [put(k, 1), put(k, 2), get(k), get(none), erase(k), erase(k), get(k)].
all() -> put(a, 1), put("b", 2), All = lists:sort(get()), {All, lists:sort(erase()), get()}.
keys() -> put(a, 1), put(b, 1), put(c, 2), {lists:sort(get_keys()), lists:sort(get_keys(1)), get_keys(3)}.
