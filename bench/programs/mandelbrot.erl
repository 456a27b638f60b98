%% Stresses float arithmetic in tight loops: how many points of a grid do not escape.
-module(mandelbrot).
-export([main/1, size/0]).

size() -> 400.

main(N) -> rows(0, N, 0, 0).

rows(N, N, Inside, Steps) -> {Inside, Steps};
rows(Y, N, Inside, Steps) ->
    {I, S} = columns(0, N, 2.0 * Y / N - 1.0, Inside, Steps),
    rows(Y + 1, N, I, S).

columns(N, N, _, Inside, Steps) -> {Inside, Steps};
columns(X, N, CI, Inside, Steps) ->
    case escape(0.0, 0.0, 2.0 * X / N - 1.5, CI, 100) of
        0 -> columns(X + 1, N, CI, Inside + 1, Steps + 100);
        Left -> columns(X + 1, N, CI, Inside, Steps + 100 - Left)
    end.

escape(_, _, _, _, 0) -> 0;
escape(R, I, _, _, Left) when R * R + I * I > 4.0 -> Left;
escape(R, I, CR, CI, Left) -> escape(R * R - I * I + CR, 2.0 * R * I + CI, CR, CI, Left - 1).
