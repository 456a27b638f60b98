%% exit(self(), Reason): even normal ends the process that sends it to itself, unless exits are trapped.
%%! plain(normal)        ==> normal
%%! plain(kill)          ==> killed
%%! plain(shutdown)      ==> shutdown
%%! trapping(normal)     ==> {got,true,normal}
%%! trapping(kill)       ==> killed
%%! trapping(other)      ==> {got,true,other}
%%! not_caught(shutdown) ==> {shutdown,nothing}
%%! not_caught(kill)     ==> {killed,nothing}
-module(exit_signals_to_self).
-export([plain/1, trapping/1, not_caught/1]).
plain(Why) -> ends(fun() -> exit(self(), Why), receive {'EXIT', _, Got} -> exit({got, Got}) after 0 -> exit(went_on) end end).
trapping(Why) -> ends(fun() -> process_flag(trap_exit, true), exit(self(), Why),
                               receive {'EXIT', P, Got} -> exit({got, P =:= self(), Got}) after 0 -> exit(went_on) end end).
not_caught(Why) ->
    Me = self(),
    End = ends(fun() -> try exit(self(), Why), receive never -> ok end
                        catch Class:Reason -> Me ! {caught, Class, Reason}
                        after Me ! after_ran
                        end
               end),
    {End, receive Message -> Message after 0 -> nothing end}.
ends(F) ->
    {_, R} = spawn_monitor(F),
    receive {'DOWN', R, _, _, Why} -> Why end.
