%% An update of a nested record leaves the original untouched.
%%! f() ==> {{car,{engine,1},beetle},{car,{engine,99},beetle},99}
-module(records_nested_update).
-export([f/0]).
-record(engine, {power = 1}).
-record(car, {engine = #engine{}, name}).
f() ->
    Car = #car{name = beetle},
    Tuned = Car#car{engine = (Car#car.engine)#engine{power = 99}},
    {Car, Tuned, (Tuned#car.engine)#engine.power}.
