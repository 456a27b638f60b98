%% Sends mails in the background.
-module(mailing).
-export([send/2, deliver/2]).

%% Starts to send so many mails, evenly over so many minutes, and returns at once.
-spec send(Mails :: non_neg_integer(), Minutes :: non_neg_integer()) -> ok.
send(Mails, Minutes) ->
    spawn(mailing, deliver, [Mails, Minutes]),
    ok.

deliver(0, _) -> done;
deliver(Mails, Minutes) ->
    Now = Mails div Minutes,
    post(Now),
    timer:sleep(60000),
    deliver(Mails - Now, Minutes - 1).

%% Hands mails over to the mail server.
post(_Mails) -> ok.
