/* The space that bench/compare.py measures, for SPIN: the design `core` with check=atomic, equal=accept,
   release=compare, register=no, two stores and five workers, where nothing is ever restored.

   One process with one loop, and one d_step per action: so each state that SPIN stores is a state of the model, and
   each way round the loop is a transition of it. Nothing is there that this space does not use (no saved copies, no
   restore budgets): a shorter state vector is faster, and SPIN is to have its best. The number of leases is given by
   `spin -a -DLEASES=8 fencing.pml`. */

#ifndef LEASES
#define LEASES 8
#endif
#define WORKERS 5
#define STORES 2

/* The phases of a worker. */
#define idle 0
#define ready 1
#define done 2

/* The issuer. `issued` and `topToken` are ghosts: no action's guard on tokens reads them. */
byte counter, holder, issued, topToken;

/* The workers. `at` is the store that is written next, from 1 on; 0 when idle or done. */
byte phase[WORKERS], at[WORKERS], token[WORKERS], lease[WORKERS];

/* The stores, from 0 on: store number at[w] has the index at[w] - 1. `high` is a ghost. */
byte maxToken[STORES], value[STORES], high[STORES];

inline acquire(w) {
  d_step {
    phase[w] == idle && holder == 0 && issued < LEASES ->
    issued = issued + 1;
    counter = counter + 1;
    holder = issued;
    token[w] = counter;
    lease[w] = issued;
    phase[w] = ready;
    at[w] = 1;
    if
    :: counter > topToken -> topToken = counter
    :: else
    fi
  }
}

inline write(w) {
  d_step {
    phase[w] == ready ->
    if
    :: token[w] < maxToken[at[w] - 1] ->          /* Stale: the store refuses it. */
       phase[w] = done;
       at[w] = 0
    :: else ->
       assert(lease[w] >= high[at[w] - 1]);       /* no-stale-write */
       value[at[w] - 1] = lease[w];
       maxToken[at[w] - 1] = token[w];
       if
       :: lease[w] > high[at[w] - 1] -> high[at[w] - 1] = lease[w]
       :: else
       fi;
       if
       :: at[w] < STORES -> at[w] = at[w] + 1
       :: else -> phase[w] = done; at[w] = 0
       fi
    fi
  }
}

inline release(w) {
  d_step {
    phase[w] == done ->
    if
    :: holder == lease[w] ->
       assert(holder == 0 || holder == lease[w]); /* no-foreign-release: so by the compare, judged all the same. */
       holder = 0
    :: else
    fi;
    phase[w] = idle;
    token[w] = 0;
    lease[w] = 0
  }
}

inline expire() {
  d_step { holder != 0 -> holder = 0 }
}

active proctype world() {
end: /* A state without a next step is a good end here, not a deadlock. */
  do
  :: acquire(0) :: write(0) :: release(0)
  :: acquire(1) :: write(1) :: release(1)
  :: acquire(2) :: write(2) :: release(2)
  :: acquire(3) :: write(3) :: release(3)
  :: acquire(4) :: write(4) :: release(4)
  :: expire()
  od
}
