%% Patterns nest through maps, tuples and lists.
%%! f(#{user => #{name => "ann", tags => [admin, x]}}) ==> {admin,"ann"}
%%! f(#{user => #{name => "bob", tags => []}})         ==> {user,"bob"}
%%! f(#{user => {old, #{name => "cy"}}})               ==> {old,99}
%%! f(#{user => none})                                 ==> {other,none}
-module(map_nested).
-export([f/1]).
f(#{user := #{name := Name, tags := [admin | _]}}) -> {admin, Name};
f(#{user := #{name := Name}}) -> {user, Name};
f(#{user := {old, #{name := [C | _]}}}) -> {old, C};
f(#{user := U}) -> {other, U}.
