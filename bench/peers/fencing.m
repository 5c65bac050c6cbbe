-- The space that bench/compare.py measures, for Rumur: the design `core` with check=atomic, equal=accept,
-- release=compare, register=no, two stores and five workers, where nothing is ever restored.
--
-- One rule per action. Nothing is there that this space does not use (no saved copies, no restore budgets): a shorter
-- state is faster, and Rumur is to have its best. Properties are assertions on the step, not invariants over all
-- workers, for the same reason.

const
  LEASES: 8;  -- compare.py --quick puts a smaller number here.
  WORKERS: 5;
  STORES: 2;

type
  serial_t: 0..LEASES;
  worker_t: 1..WORKERS;  -- a range, not a scalarset: no symmetry is to be used.
  store_t: 1..STORES;
  at_t: 0..STORES;
  phase_t: enum { idle, ready, done };

var
  -- The issuer. issued and topToken are ghosts: no guard on tokens reads them.
  counter: serial_t;
  holder: serial_t;
  issued: serial_t;
  topToken: serial_t;

  worker: array[worker_t] of record
    phase: phase_t;
    at: at_t;  -- the store that is written next; 0 when idle or done
    token: serial_t;
    lease: serial_t;
  end;

  store: array[store_t] of record
    maxToken: serial_t;
    value: serial_t;
    high: serial_t;  -- a ghost
  end;

startstate begin
  counter := 0; holder := 0; issued := 0; topToken := 0;
  for w: worker_t do
    worker[w].phase := idle; worker[w].at := 0; worker[w].token := 0; worker[w].lease := 0;
  end;
  for s: store_t do
    store[s].maxToken := 0; store[s].value := 0; store[s].high := 0;
  end;
end;

ruleset w: worker_t do
  rule "Acquire" worker[w].phase = idle & holder = 0 & issued < LEASES ==> begin
    issued := issued + 1;
    counter := counter + 1;
    holder := issued;
    worker[w].token := counter;
    worker[w].lease := issued;
    worker[w].phase := ready;
    worker[w].at := 1;
    if counter > topToken then topToken := counter; end;
  end;

  rule "Write" worker[w].phase = ready ==> begin
    alias s: store[worker[w].at] do
      if worker[w].token < s.maxToken then  -- Stale: the store refuses it.
        worker[w].phase := done;
        worker[w].at := 0;
      else
        assert worker[w].lease >= s.high "no-stale-write";
        s.value := worker[w].lease;
        s.maxToken := worker[w].token;
        if worker[w].lease > s.high then s.high := worker[w].lease; end;
        if worker[w].at < STORES then
          worker[w].at := worker[w].at + 1;
        else
          worker[w].phase := done;
          worker[w].at := 0;
        end;
      end;
    end;
  end;

  rule "Release" worker[w].phase = done ==> begin
    if holder = worker[w].lease then
      -- So by the compare, judged all the same.
      assert holder = 0 | holder = worker[w].lease "no-foreign-release";
      holder := 0;
    end;
    worker[w].phase := idle;
    worker[w].token := 0;
    worker[w].lease := 0;
  end;
end;

rule "Expire" holder != 0 ==> begin
  holder := 0;
end;
