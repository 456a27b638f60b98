%% Results that are maps: records of named keys, with and without optional ones, and maps that were changed.
%%! older(#{kind => user, age => 1}) ==> #{age => 6,kind => user}
%%? older/1: finds spec:_ for (#{age := A}) when A < -5; failures = 1; exhausts
%%? kept/1: finds error:badarith for (#{age := A}) when A >= (1 bsl 1024) - (1 bsl 970); failures = 1; exhausts
%%? named/1: finds spec:_ for (#{kind := user}); failures = 1; exhausts
%%? counted/1: finds spec:_ for (#{a := N}) when N < 1; failures = 1
%%? removed/1: clean; exhausts
-module(maps_as_results).
-export([older/1, kept/1, named/1, counted/1, removed/1]).

-type user() :: #{kind := user, age := integer()}.

-spec older(user()) -> #{kind := user, age := non_neg_integer()}.
older(#{age := Age} = User) -> User#{age := Age + 5}.

-spec kept(user()) -> #{kind := user, age := number()}.
kept(#{age := Age} = User) when Age > 3 -> User#{age := Age / 2};
kept(User) -> User.

-spec named(#{kind := user, name => atom()}) -> #{kind := user, name := atom()}.
named(User) -> User.

-spec counted(#{atom() => integer()}) -> #{atom() => non_neg_integer()}.
counted(#{a := N} = Counts) when N < 1 -> #{a => N - 1, b => maps:size(Counts)};
counted(_) -> #{}.

-spec removed(#{atom() => integer()}) -> #{atom() => integer()}.
removed(Counts) -> maps:remove(b, Counts#{a => 3}).
