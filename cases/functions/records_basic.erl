%% Records are tuples with defaults, update and named access.
%%! make()    ==> {{point,0,0,undefined},{point,0,2,undefined},{point,1,all,all}}
%%! update(1) ==> {point,1,2,here}
%%! access()  ==> {7,0,undefined}
%%! index()   ==> {2,4,4,[x,y,label]}
-module(records_basic).
-export([make/0, update/1, access/0, index/0]).
-record(point, {x = 0, y = 0, label}).
make() -> {#point{}, #point{y = 2}, #point{_ = all, x = 1}}.
update(X) -> P = #point{label = here}, P#point{x = X, y = X + 1}.
access() -> P = #point{x = 7}, {P#point.x, P#point.y, P#point.label}.
index() -> {#point.x, #point.label, record_info(size, point), record_info(fields, point)}.
