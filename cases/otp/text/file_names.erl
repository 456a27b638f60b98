%% filename works on text alone.
%%! f("/a/b/c.erl") ==> {"c.erl","c","/a/b",".erl","/a/b/c",["/","a","b","c.erl"],absolute}
%%! f("x")          ==> {"x","x",".",[],"x",["x"],relative}
%%! g()             ==> {"/c/d",<<"a/b">>,"a/b","ab"}
-module(file_names).
-export([f/1, g/0]).
f(N) -> {filename:basename(N), filename:basename(N, ".erl"), filename:dirname(N), filename:extension(N),
    filename:rootname(N), filename:split(N), filename:pathtype(N)}.
g() -> {filename:join(["a", "b/", "/c", "d"]), filename:join("a", <<"b">>), filename:nativename("a/b"),
    filename:flatten([a, "b"])}.
