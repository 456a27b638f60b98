% The work of bench/programs, in small, beside an argument that has nothing to do with it and is alive all
% along.
-module(concrete).
-export([
    balanced_tree/1, big_integers/1, binary_append/1, closures_and_folds/1, exceptions_in_loops/1,
    fib/1, interpreter/1, json_tokens/1, mandelbrot/1, map_large/1, map_small/1, naive_reverse/1,
    nbody/1, packets/1, process_dictionary/1, quicksort_lists/1, record_update/1, sieve/1,
    sorting/1, tables/1, tak/1, text/1, word_count/1
]).

-spec balanced_tree(integer()) -> {term(), integer()}.
balanced_tree(Unrelated) -> {balanced_tree:main(1500), Unrelated}.

-spec big_integers(integer()) -> {term(), integer()}.
big_integers(Unrelated) -> {big_integers:main(600), Unrelated}.

-spec binary_append(integer()) -> {term(), integer()}.
binary_append(Unrelated) -> {binary_append:main(50000), Unrelated}.

-spec closures_and_folds(integer()) -> {term(), integer()}.
closures_and_folds(Unrelated) -> {closures_and_folds:main(8000), Unrelated}.

-spec exceptions_in_loops(integer()) -> {term(), integer()}.
exceptions_in_loops(Unrelated) -> {exceptions_in_loops:main(15000), Unrelated}.

-spec fib(integer()) -> {term(), integer()}.
fib(Unrelated) -> {fib:main(24), Unrelated}.

-spec interpreter(integer()) -> {term(), integer()}.
interpreter(Unrelated) -> {interpreter:main(200), Unrelated}.

-spec json_tokens(integer()) -> {term(), integer()}.
json_tokens(Unrelated) -> {json_tokens:main(100), Unrelated}.

-spec mandelbrot(integer()) -> {term(), integer()}.
mandelbrot(Unrelated) -> {mandelbrot:main(30), Unrelated}.

-spec map_large(integer()) -> {term(), integer()}.
map_large(Unrelated) -> {map_large:main(2000), Unrelated}.

-spec map_small(integer()) -> {term(), integer()}.
map_small(Unrelated) -> {map_small:main(80000), Unrelated}.

-spec naive_reverse(integer()) -> {term(), integer()}.
naive_reverse(Unrelated) -> {naive_reverse:main(120), Unrelated}.

-spec nbody(integer()) -> {term(), integer()}.
nbody(Unrelated) -> {nbody:main(1500), Unrelated}.

-spec packets(integer()) -> {term(), integer()}.
packets(Unrelated) -> {packets:main(5000), Unrelated}.

-spec process_dictionary(integer()) -> {term(), integer()}.
process_dictionary(Unrelated) -> {process_dictionary:main(30000), Unrelated}.

-spec quicksort_lists(integer()) -> {term(), integer()}.
quicksort_lists(Unrelated) -> {quicksort_lists:main(6000), Unrelated}.

-spec record_update(integer()) -> {term(), integer()}.
record_update(Unrelated) -> {record_update:main(60000), Unrelated}.

-spec sieve(integer()) -> {term(), integer()}.
sieve(Unrelated) -> {sieve:main(5000), Unrelated}.

-spec sorting(integer()) -> {term(), integer()}.
sorting(Unrelated) -> {sorting:main(2000), Unrelated}.

-spec tables(integer()) -> {term(), integer()}.
tables(Unrelated) -> {tables:main(1500), Unrelated}.

-spec tak(integer()) -> {term(), integer()}.
tak(Unrelated) -> {tak:main(5), Unrelated}.

-spec text(integer()) -> {term(), integer()}.
text(Unrelated) -> {text:main(120), Unrelated}.

-spec word_count(integer()) -> {term(), integer()}.
word_count(Unrelated) -> {word_count:main(3000), Unrelated}.
