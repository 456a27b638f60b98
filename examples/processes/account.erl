%% An account whose balance is kept by a process.
-module(account).
-export([book/1, keep/1]).

-type entry() :: {in | out, pos_integer()}.

%% The balance after these entries.
-spec book([entry()]) -> non_neg_integer().
book(Entries) ->
    Account = spawn_link(account, keep, [0]),
    [Account ! {book, Entry} || Entry <- Entries],
    Account ! {balance, self()},
    receive {Account, Balance} -> Balance end.

keep(Balance) ->
    receive
        {book, Entry} -> keep(booked(Entry, Balance));
        {balance, From} -> From ! {self(), Balance}
    end.

booked({in, Amount}, Balance) -> Balance + Amount;
booked({out, Amount}, Balance) when Amount =< Balance -> Balance - Amount.
