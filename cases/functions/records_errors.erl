%% Using a record on something else raises badrecord with the value.
%%! field({point, 1, 2})  ==> 1
%%! field({circle, 1, 2}) ==> error {badrecord,{circle,1,2}}
%%! field({point, 1})     ==> error {badrecord,{point,1}}
%%! field(nothing)        ==> error {badrecord,nothing}
%%! set({point, 1, 2})    ==> {point,1,9}
%%! set([])               ==> error {badrecord,[]}
-module(records_errors).
-export([field/1, set/1]).
-record(point, {x, y}).
field(P) -> P#point.x.
set(P) -> P#point{y = 9}.
