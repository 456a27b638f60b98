%% uri_string: parse, recompose, normalize, quote.
%%! f("http://user@example.com:8080/a/b?q=1&r=x%20y#frag") ==> #{fragment => "frag",host => "example.com",path => "/a/b",port => 8080,query => "q=1&r=x%20y",scheme => "http",userinfo => "user"}
%%! f("mailto:a@b.c")                                      ==> #{path => "a@b.c",scheme => "mailto"}
%%! f("http://[::1")                                       ==> {error,invalid_uri,":"}
%%! g("HTTP://Example.COM/a/./b/../c")                     ==> {"http://example.com/a/c","HTTP://Example.COM/a/./b/../c"}
%%! h()                                                    ==> {"a+b=1%262&%C3%BC",[{"x","1"},{"y","ü"}],"a%20b%2F%C3%BC","http://h/a/x"}
-module(uris).
-export([f/1, g/1, h/0]).
f(U) -> uri_string:parse(U).
g(U) -> {uri_string:normalize(U), uri_string:recompose(uri_string:parse(U))}.
h() -> {uri_string:compose_query([{"a b", "1&2"}, {"ü", true}]), uri_string:dissect_query("x=1&y=%C3%BC"),
    uri_string:quote("a b/ü"), uri_string:resolve("../x", "http://h/a/b/c")}.
