%% There is a working directory, and absolute names do not depend on it.
%%! element(1, file:get_cwd())               ==> ok
%%! filename:absname("/a/b")                 ==> "/a/b"
%%! filename:pathtype(filename:absname("a")) ==> absolute
-module(working_directory).
