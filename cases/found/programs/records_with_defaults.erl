%% A record's fields have types, and a guard over three of them picks the wrong combination.
%%! start({conf, "localhost", 80, false})  ==> open
%%! start({conf, "localhost", 443, false}) ==> error {plain,443}
%%! default()                              ==> {conf,"localhost",80,false}
%%? start/1: finds error:{plain,443} for ({conf, [_|_], 443, false}); failures = 1; exhausts
-module(records_with_defaults).
-export([start/1, default/0]).

-record(conf, {host = "localhost" :: string(), port = 80 :: 1..65535, tls = false :: boolean()}).

-spec start(#conf{}) -> open | closed.
start(#conf{host = []}) -> closed;
start(#conf{port = 443, tls = false} = Conf) -> error({plain, Conf#conf.port});
start(#conf{}) -> open.

-spec default() -> #conf{}.
default() -> #conf{}.
