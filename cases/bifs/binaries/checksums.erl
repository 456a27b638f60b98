%% crc32, adler32 and md5, whole and in steps.
%%! f(<<"hello">>)                      ==> {907060870,103547413,<<93,65,64,42,188,75,42,118,185,113,157,145,16,23,197,146>>}
%%! f([])                               ==> {0,1,<<212,29,140,217,143,0,178,4,233,128,9,152,236,248,66,126>>}
%%! f(["he", <<"llo">>, [$ , "world"]]) ==> {222957957,436929629,<<94,182,59,187,224,30,238,208,147,203,34,187,143,90,205,195>>}
%%! g()                                 ==> {907060870,103547413,<<93,65,64,42,188,75,42,118,185,113,157,145,16,23,197,146>>}
%%! f(a)                                ==> error badarg
-module(checksums).
-export([f/1, g/0]).
f(D) -> {erlang:crc32(D), erlang:adler32(D), erlang:md5(D)}.
g() ->
    C = erlang:md5_update(erlang:md5_update(erlang:md5_init(), "he"), "llo"),
    {erlang:crc32(erlang:crc32("he"), "llo"), erlang:adler32(erlang:adler32("he"), "llo"), erlang:md5_final(C)}.
