%% Remembers the name of a visitor.
-module(session).
-export([visit/2]).

-type pause() :: short | long.

%% Asks for the name after each of these pauses. The session ends if nobody asks for a minute.
-spec visit(Name :: string(), [pause()]) -> [string()].
visit(Name, Pauses) ->
    Session = spawn_link(fun() -> keep(Name) end),
    [ask(Session, Pause) || Pause <- Pauses].

ask(Session, Pause) ->
    timer:sleep(1000 * seconds(Pause)),
    Session ! {name, self()},
    receive
        {name, Name} -> Name
    after 1000 -> nobody
    end.

seconds(short) -> 20;
seconds(long) -> 90.

keep(Name) ->
    receive
        {name, From} -> From ! {name, Name}, keep(Name)
    after 60000 -> ended
    end.
