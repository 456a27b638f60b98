%% A door that is locked while it stands open.
%%! play([open, lock]) ==> error {locked_open,{open,free}}
%%! play([lock, open]) ==> {shut,locked}
%%? play/1 with max 100: finds error:{locked_open,_} for ([open, lock | _]); failures = 1
-module(order_of_events).
-export([play/1]).

-spec play([open | close | lock | unlock]) -> {open | shut, free | locked}.
play(Events) -> play(Events, {shut, free}).

play([], Door) -> Door;
play([open | Es], {shut, free}) -> play(Es, {open, free});
play([close | Es], {open, free}) -> play(Es, {shut, free});
play([lock | Es], {shut, free}) -> play(Es, {shut, locked});
play([lock | _], {open, free} = Door) -> error({locked_open, Door});
play([unlock | Es], {shut, locked}) -> play(Es, {shut, free});
play([_ | Es], Door) -> play(Es, Door).
