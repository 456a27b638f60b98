%% Stresses float arithmetic in tuples and lists: planets pulling at each other.
-module(nbody).
-export([main/1, size/0]).

size() -> 240000.

main(N) ->
    Bodies = run(N, bodies()),
    {round(energy(Bodies) * 1.0e9), length(Bodies)}.

%% Position, velocity, mass.
bodies() ->
    [{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47841760435743},
     {4.84143144246472, -1.16032004402742, -0.10362204447112, 0.60632639299583, 2.81198684491626,
      -0.02521836165988, 0.03769367487038},
     {8.34336671824458, 4.12479856412430, -0.40352341711432, -1.01077434617879, 1.82566237123041, 0.00841576137658,
      0.01128632613196},
     {12.8943695621391, -15.1111514016986, -0.22330757889266, 1.08279100644153, 0.86871301816961,
      -0.01083263740136, 0.00172372405705},
     {15.3796971148509, -25.9193146099879, 0.17925877295037, 0.97909073224390, 0.59469899864767, -0.03475595555078,
      0.00203368686992}].

run(0, Bodies) -> Bodies;
run(N, Bodies) -> run(N - 1, [move(pull(B, Bodies)) || B <- Bodies]).

pull(B, []) -> B;
pull({X, Y, Z, _, _, _, _} = B, [{X, Y, Z, _, _, _, _} | Others]) -> pull(B, Others);
pull({X, Y, Z, VX, VY, VZ, M}, [{X2, Y2, Z2, _, _, _, M2} | Others]) ->
    DX = X - X2, DY = Y - Y2, DZ = Z - Z2,
    Square = DX * DX + DY * DY + DZ * DZ,
    Pull = M2 * 0.001 / (Square * math:sqrt(Square)),
    pull({X, Y, Z, VX - DX * Pull, VY - DY * Pull, VZ - DZ * Pull, M}, Others).

move({X, Y, Z, VX, VY, VZ, M}) -> {X + 0.001 * VX, Y + 0.001 * VY, Z + 0.001 * VZ, VX, VY, VZ, M}.

energy([]) -> 0.0;
energy([{X, Y, Z, VX, VY, VZ, M} | Rest]) ->
    Kinetic = 0.5 * M * (VX * VX + VY * VY + VZ * VZ),
    Potential = lists:sum([M * M2 / distance(X - X2, Y - Y2, Z - Z2) || {X2, Y2, Z2, _, _, _, M2} <- Rest]),
    Kinetic - Potential + energy(Rest).

distance(X, Y, Z) -> math:sqrt(X * X + Y * Y + Z * Z).
