%% Digests, message authentication codes and compression are natives without state.
%%! crypto:hash(sha256, <<"abc">>)                         ==> <<186,120,22,191,143,1,207,234,65,65,64,222,93,174,34,35,176,3,97,163,150,23,122,156,180,16,255,97,242,0,21,173>>
%%! crypto:hash(md5, ["a", <<"bc">>])                      ==> <<144,1,80,152,60,210,79,176,214,150,63,125,40,225,127,114>>
%%! crypto:mac(hmac, sha, <<"key">>, <<"data">>)           ==> <<16,65,82,197,191,220,160,123,198,51,238,189,70,25,159,2,85,201,244,157>>
%%! crypto:exor(<<1,2>>, <<3,4>>)                          ==> <<2,6>>
%%! zlib:uncompress(zlib:compress(<<"aaaaaaaaaaaaaaaa">>)) ==> <<"aaaaaaaaaaaaaaaa">>
%%! zlib:gunzip(zlib:gzip("text"))                         ==> <<"text">>
%%! zlib:unzip(zlib:zip([<<"a">>, $b]))                    ==> <<"ab">>
%%! zlib:uncompress(<<"no such stream">>)                  ==> error data_error
%%! zlib:compress(atom)                                    ==> error badarg
-module(digests_and_compression).
