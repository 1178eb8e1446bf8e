%% SPDX-License-Identifier: MIT
%% The actor benches on Erlang/OTP: one process per actor, default settings.
%% Prints one number: a rate per second, or bytes per actor for idle.
-module(actors).
-export([main/1]).

main([Bench | Args]) ->
    Numbers = [list_to_integer(Arg) || Arg <- Args],
    io:format("~w~n", [round(bench(Bench, Numbers))]),
    halt(0, [{flush, true}]).

bench("pingpong", [N]) -> pingpong(N);
bench("ring", [Actors, Hops]) -> ring(Actors, Hops);
bench("forkjoin", [N]) -> forkjoin(N);
bench("contend", [Senders, Each]) -> contend(Senders, Each);
bench("big", [Actors, Each]) -> big(Actors, Each);
bench("idle", [N]) -> idle(N).

%% Events per second when Fun takes the time for Events of them.
rate(Events, Fun) ->
    Start = erlang:monotonic_time(),
    Fun(),
    Ticks = erlang:monotonic_time() - Start,
    Events * erlang:convert_time_unit(1, second, native) / Ticks.

await(Message) ->
    receive
        Message -> ok
    end.

await_each(0, _Message) ->
    ok;
await_each(N, Message) ->
    await(Message),
    await_each(N - 1, Message).

%% One ball between two actors: round trips per second.

pingpong(N) ->
    Main = self(),
    rate(N, fun() ->
        Ponger = spawn(fun ponger/0),
        spawn(fun() -> pinger(N, Ponger, Main) end),
        await(done)
    end).

pinger(0, _Ponger, Main) ->
    Main ! done;
pinger(N, Ponger, Main) ->
    Ponger ! {ping, self()},
    await(pong),
    pinger(N - 1, Ponger, Main).

ponger() ->
    receive
        {ping, From} ->
            From ! pong,
            ponger()
    end.

%% One token through a ring of actors that exists before the clock starts.

ring(Actors, Hops) ->
    Main = self(),
    First = spawn(fun() ->
        receive
            {next, Next} -> ring_actor(Next, Main)
        end
    end),
    Second = ring_before(First, Actors - 1, Main),
    First ! {next, Second},
    rate(Hops, fun() ->
        First ! Hops,
        await(done)
    end).

ring_before(Next, 0, _Main) ->
    Next;
ring_before(Next, N, Main) ->
    Actor = spawn(fun() -> ring_actor(Next, Main) end),
    ring_before(Actor, N - 1, Main).

ring_actor(Next, Main) ->
    receive
        0 ->
            Main ! done;
        Hops ->
            Next ! Hops - 1,
            ring_actor(Next, Main)
    end.

%% Actors created, given one message, reporting to a joiner and gone.

forkjoin(N) ->
    Main = self(),
    rate(N, fun() ->
        Joiner = spawn(fun() -> sink(N, Main) end),
        fork(N, Joiner),
        await(done)
    end).

fork(0, _Joiner) ->
    ok;
fork(N, Joiner) ->
    Actor = spawn(fun() ->
        receive
            Value -> Joiner ! Value
        end
    end),
    Actor ! N,
    fork(N - 1, Joiner).

sink(0, Main) ->
    Main ! done;
sink(N, Main) ->
    receive
        _ -> sink(N - 1, Main)
    end.

%% Many senders into one mailbox: messages received per second.

contend(Senders, Each) ->
    Main = self(),
    rate(Senders * Each, fun() ->
        Sink = spawn(fun() -> sink(Senders * Each, Main) end),
        [spawn(fun() -> flood(Each, Sink) end)
         || _ <- lists:seq(1, Senders)],
        await(done)
    end).

flood(0, _Sink) ->
    ok;
flood(N, Sink) ->
    Sink ! N,
    flood(N - 1, Sink).

%% All to all: each actor pings random peers, the next one after the pong,
%% and answers the pings of the others until everybody is done.

big(Actors, Each) ->
    Main = self(),
    Pids = [spawn(fun() -> big_start(Seed, Each, Main) end)
            || Seed <- lists:seq(1, Actors)],
    Numbered = lists:enumerate(Pids),
    [begin
         Others = list_to_tuple([Pid || {K, Pid} <- Numbered, K =/= I]),
         Actor ! {peers, Others}
     end || {I, Actor} <- Numbered],
    await_each(Actors, ready),
    rate(Actors * Each, fun() ->
        [Pid ! pong || Pid <- Pids],
        await_each(Actors, done)
    end).

%% The first pong, which answers no ping, sets an actor off.
big_start(Seed, Each, Main) ->
    receive
        {peers, Peers} ->
            Main ! ready,
            big_actor(Each, Seed, Peers, Main)
    end.

big_actor(Left, Random, Peers, Main) ->
    receive
        {ping, From} ->
            From ! pong,
            big_actor(Left, Random, Peers, Main);
        pong when Left =:= 0 ->
            Main ! done,
            big_actor(Left, Random, Peers, Main);
        pong ->
            Next = Random * 48271 rem 2147483647,
            Peer = element(1 + Next rem tuple_size(Peers), Peers),
            Peer ! {ping, self()},
            big_actor(Left - 1, Next, Peers, Main)
    end.

%% Resident bytes per actor that has run once and waits.

idle(N) ->
    erlang:garbage_collect(),
    Before = resident(),
    Pids = [idle_actor() || _ <- lists:seq(1, N)],
    erlang:garbage_collect(),
    Grown = resident() - Before,
    Grown / length(Pids).

%% Waiting for each keeps a queue of N messages out of the figure.
idle_actor() ->
    Main = self(),
    Pid = spawn(fun() ->
        Main ! ready,
        await(stop)
    end),
    await(ready),
    Pid.

resident() ->
    {ok, Status} = file:read_file("/proc/self/status"),
    {match, [KiB]} = re:run(Status, "VmRSS:\\s+(\\d+) kB",
                            [{capture, all_but_first, list}]),
    list_to_integer(KiB) * 1024.
