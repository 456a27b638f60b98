%% nodes/2 gives each node with the information that the options ask for.
%%! f(this, #{})                                          ==> [{nonode@nohost,#{}}]
%%! f(this, #{connection_id => true})                     ==> [{nonode@nohost,#{connection_id => undefined}}]
%%! f(known, #{connection_id => true, node_type => true}) ==> [{nonode@nohost,#{connection_id => undefined,node_type => this}}]
%%! f([this, visible, this], #{connection_id => false, node_type => true}) ==> [{nonode@nohost,#{node_type => this}}]
%%! f(hidden, #{node_type => true})                       ==> []
%%! f([], #{})                                            ==> []
%%! f(visible, #{node_type => 1})                         ==> error badarg
%%! f(visible, #{other => true})                          ==> error badarg
%%! f(visible, [])                                        ==> error badarg
%%! f(nobody, #{})                                        ==> error badarg
%%! f([this | that], #{})                                 ==> error badarg
-module(nodes_with_information).
-export([f/2]).
f(Kinds, Options) -> nodes(Kinds, Options).
