//! Scoped threads that always end, also after a panic.
//!
//! [`scope`] is [`std::thread::scope`] with three guarantees. A panic of any thread calls `abort`, which must end the other
//! threads; the panic is then passed on with its payload. A thread that the system refuses is an error, not a panic. All
//! primitives come from [`sync`], so that a model checker can run the code.
//!
//! [`rounds`] drives workers in synchronised rounds. Between two rounds the leader has exclusive access to all workers. It
//! decides what the next round does, or that there is none. The decision travels with the round, so all workers see the same
//! one.
//!
//! [`Allowance`] is a limit on expansions that several threads share.

use std::any::Any;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use crate::core::sync::atomic::{AtomicU64, Ordering};
use crate::core::sync::{self, Condvar, Mutex, MutexGuard, PoisonError, Scope, ScopedJoinHandle, lock};

/// Can this platform start threads? A browser's module has only the one that it runs on.
pub const AVAILABLE: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Threads that are always allowed, however few cores there are: tests and measurements use more threads than cores.
const ALWAYS: usize = 16;

/// Limits a number of threads to at most two for each core, but allows 16 on small machines. More threads only wait for each
/// other.
pub fn useful(threads: usize) -> usize {
    if !AVAILABLE {
        return 1;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    threads.clamp(1, ALWAYS.max(2 * cores))
}

/// What a thread panicked with.
type Payload = Box<dyn Any + Send>;

/// Starts threads; see [`scope`].
pub struct Team<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    abort: &'env (dyn Fn() + Sync),
    /// The payload of the first panic.
    panic: Arc<Mutex<Option<Payload>>>,
}

/// A thread of a [`Team`].
pub struct Handle<'scope, T> {
    thread: ScopedJoinHandle<'scope, ()>,
    done: Arc<Mutex<Option<T>>>,
}

impl<T> Handle<'_, T> {
    /// Waits for the thread's result; `None` if it panicked. [`scope`] passes the panic on.
    pub fn join(self) -> Option<T> {
        self.thread.join().ok()?;
        lock(&self.done).take()
    }
}

impl<'scope> Team<'scope, '_> {
    /// Starts a thread. An error means that the system refused it.
    pub fn spawn<T: Send + 'scope>(
        &self,
        work: impl FnOnce() -> T + Send + 'scope,
    ) -> io::Result<Handle<'scope, T>> {
        let done = Arc::new(Mutex::new(None));
        let result = Arc::clone(&done);
        let thread = self.start(Box::new(move || {
            let value = work();
            *lock(&result) = Some(value);
        }))?;
        Ok(Handle { thread, done })
    }

    /// Without types: a copy of the library's threads for each kind of work was a fortieth of the code of a solver.
    fn start(&self, work: Box<dyn FnOnce() + Send + 'scope>) -> io::Result<ScopedJoinHandle<'scope, ()>> {
        let (abort, panic) = (self.abort, Arc::clone(&self.panic));
        sync::spawn(self.scope, move || {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(work)) {
                lock(&panic).get_or_insert(payload);
                abort();
            }
        })
    }
}

/// Runs `body`, which may start threads, and returns when all of them have ended. If a thread panics, `scope` calls `abort`,
/// which must make all others end soon, and then passes the panic on.
///
/// ```
/// use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
/// use beeline_search::team;
///
/// let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
/// let work = || {
///     let mut sum = 0;
///     while !stop.load(Ordering::Relaxed) {
///         match next.fetch_add(1, Ordering::Relaxed) {
///             task @ 0..100 => sum += task,
///             _ => break,
///         }
///     }
///     sum
/// };
/// let total: usize = team::scope(&|| stop.store(true, Ordering::Relaxed), |team| {
///     // As many threads as the system gives share the work.
///     let others: Vec<_> = (1..4).map_while(|_| team.spawn(work).ok()).collect();
///     work() + others.into_iter().filter_map(|other| other.join()).sum::<usize>()
/// });
/// assert_eq!(total, 99 * 100 / 2);
/// ```
pub fn scope<'env, T>(
    abort: &'env (dyn Fn() + Sync),
    body: impl for<'scope> FnOnce(&Team<'scope, 'env>) -> T,
) -> T {
    let (mut body, mut done) = (Some(body), None);
    scope_of(abort, &mut |team| done = body.take().map(|body| body(team)));
    let Some(done) = done else { unreachable!("the panic of `body` was passed on") };
    done
}

/// [`scope`] without types.
fn scope_of<'env>(abort: &'env (dyn Fn() + Sync), body: &mut dyn for<'scope> FnMut(&Team<'scope, 'env>)) {
    let panic = Arc::new(Mutex::new(None));
    let ended = sync::scope(|scope| {
        let team = Team { scope, abort, panic: Arc::clone(&panic) };
        let ended = catch_unwind(AssertUnwindSafe(|| body(&team)));
        if ended.is_err() {
            abort();
        }
        ended
    });
    if let Some(payload) = ended.err().or_else(|| lock(&panic).take()) {
        resume_unwind(payload);
    }
}

/// A phase of a round. It gets the round's order, the worker's number and the worker.
pub type Phase<'a, W, O> = &'a (dyn Fn(&O, usize, &mut W) + Sync);

/// Exclusive access to a worker between two rounds.
pub type Idle<'a, W> = MutexGuard<'a, W>;

/// The leader's decision between two rounds.
type Lead<'l, W, O, R> = dyn FnMut(&mut [Idle<'_, W>]) -> ControlFlow<R, O> + 'l;

/// What the threads of [`rounds`] share.
struct Rounds<'a, W, O> {
    workers: Vec<Mutex<W>>,
    phases: &'a [Phase<'a, W, O>],
    state: Mutex<State<O>>,
    /// Signals that a phase begins or the team ends.
    begun: Condvar,
    /// Signals that the last phase of a round is done or the team ends.
    done: Condvar,
}

struct State<O> {
    threads: usize,
    /// Phases begun since the start, over all rounds.
    phase: u64,
    /// Threads that have finished the phase.
    arrived: usize,
    /// The order of the round; `None` between rounds.
    order: Option<Arc<O>>,
    over: bool,
}

impl<W, O> Rounds<'_, W, O> {
    fn end(&self) {
        lock(&self.state).over = true;
        self.begun.notify_all();
        self.done.notify_all();
    }

    /// Waits for the next phase; gives its number, the round's order, and the number of threads that share the workers. `None`
    /// at the end.
    fn next_phase(&self, after: u64) -> Option<(u64, Arc<O>, usize)> {
        let mut state = lock(&self.state);
        loop {
            if state.over {
                return None;
            }
            match &state.order {
                Some(order) if state.phase > after => {
                    return Some((state.phase, Arc::clone(order), state.threads));
                }
                _ => state = self.begun.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Runs a phase for the workers of this thread. The last thread to arrive begins the next phase or ends the round.
    fn carry_out(&self, thread: usize, (phase, order, threads): (u64, Arc<O>, usize)) {
        let number = (phase - 1) % self.phases.len() as u64;
        for (me, worker) in self.workers.iter().enumerate().skip(thread).step_by(threads) {
            self.phases[number as usize](&order, me, &mut lock(worker));
        }
        drop(order);
        let mut state = lock(&self.state);
        state.arrived += 1;
        if state.arrived < state.threads {
            return;
        }
        state.arrived = 0;
        if number + 1 == self.phases.len() as u64 {
            state.order = None;
            self.done.notify_one();
        } else {
            state.phase += 1;
            self.begun.notify_all();
        }
    }

    /// The rounds of a following thread.
    fn follow(&self, thread: usize) {
        let mut after = 0;
        while let Some(turn) = self.next_phase(after) {
            after = turn.0;
            self.carry_out(thread, turn);
        }
    }

    /// The rounds of the leading thread; `None` if another thread panicked.
    fn lead<R>(&self, threads: usize, lead: &mut Lead<'_, W, O, R>) -> Option<R> {
        loop {
            let decision = lead(&mut self.workers.iter().map(lock).collect::<Vec<_>>());
            let order = match decision {
                ControlFlow::Break(result) => return Some(result),
                ControlFlow::Continue(order) => order,
            };
            let mut after = {
                let mut state = lock(&self.state);
                state.threads = threads;
                state.order = Some(Arc::new(order));
                state.phase += 1;
                self.begun.notify_all();
                state.phase - 1
            };
            for _ in self.phases {
                let turn = self.next_phase(after)?;
                after = turn.0;
                self.carry_out(0, turn);
            }
            let mut state = lock(&self.state);
            while state.order.is_some() && !state.over {
                state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.over {
                return None;
            }
        }
    }
}

/// Drives workers in rounds. The calling thread leads, and each worker has its own thread. If the system refuses threads, one
/// thread runs several workers. So results never depend on the number of threads.
///
/// Before each round, `lead` runs alone with access to all workers. It gives the order of the round, or ends with a result.
/// Then all workers run the phases one after the other: no phase begins before all workers have finished the previous one. A
/// panic anywhere ends all threads and is passed on.
///
/// ```
/// use std::ops::ControlFlow;
/// use beeline_search::team;
///
/// // Three workers count down; the leader ends when all are at 0.
/// let (workers, rounds) = team::rounds(
///     vec![3u32, 5, 4],
///     &[&|by: &u32, _, left: &mut u32| *left = left.saturating_sub(*by)],
///     {
///         let mut rounds = 0;
///         move |workers| {
///             if workers.iter().all(|left| **left == 0) {
///                 return ControlFlow::Break(rounds);
///             }
///             rounds += 1;
///             ControlFlow::Continue(2)
///         }
///     },
/// );
/// assert_eq!((workers, rounds), (vec![0, 0, 0], 3));
/// ```
///
/// # Panics
/// If `lead` or a phase panics, with the same payload.
pub fn rounds<W: Send, O: Send + Sync, R>(
    workers: Vec<W>,
    phases: &[Phase<'_, W, O>],
    mut lead: impl FnMut(&mut [Idle<'_, W>]) -> ControlFlow<R, O>,
) -> (Vec<W>, R) {
    let count = workers.len();
    let rounds = Rounds {
        workers: workers.into_iter().map(Mutex::new).collect(),
        phases,
        state: Mutex::new(State { threads: 1, phase: 0, arrived: 0, order: None, over: false }),
        begun: Condvar::new(),
        done: Condvar::new(),
    };
    let result = scope(&|| rounds.end(), |team| {
        let followers = (1..count).map_while(|thread| {
            let rounds = &rounds;
            team.spawn(move || rounds.follow(thread)).ok()
        });
        let threads = 1 + followers.count();
        let result = rounds.lead(threads, &mut lead);
        rounds.end();
        result
    });
    let Some(result) = result else { unreachable!("the panic that ended the team was passed on") };
    let workers = rounds.workers.into_iter().map(|w| w.into_inner().unwrap_or_else(PoisonError::into_inner));
    (workers.collect(), result)
}

/// A shared limit on expansions. A thread takes expansions before it makes them, so that the sum never exceeds the limit.
#[derive(Debug)]
pub struct Allowance(Option<AtomicU64>);

impl Allowance {
    /// This many expansions; `None` sets no limit.
    pub fn new(nodes: Option<u64>) -> Self {
        Self(nodes.map(AtomicU64::new))
    }

    /// Takes `wanted` expansions, or as many as are left.
    #[inline]
    pub fn take(&self, wanted: u64) -> u64 {
        self.take_of(|_| wanted)
    }

    /// Takes a portion for one of several threads: at most `most`, and a smaller share when little is left. At least one,
    /// unless none is left.
    pub fn portion(&self, most: u64, threads: usize) -> u64 {
        self.take_of(|left| most.min(left.div_ceil(2 * threads as u64)))
    }

    #[inline]
    fn take_of(&self, wanted: impl Fn(u64) -> u64) -> u64 {
        let Some(left) = &self.0 else { return wanted(u64::MAX) };
        let mut taken = 0;
        // The closure always returns a value, so the update cannot fail.
        let _ = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            taken = wanted(left).min(left);
            Some(left - taken)
        });
        taken
    }
}

#[cfg(all(test, not(feature = "model")))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize};

    #[test]
    fn a_phase_begins_when_all_have_done_the_one_before() {
        for size in [1, 2, 5, 16] {
            let arrived = AtomicUsize::new(0);
            let first = |round: &usize, _: usize, _: &mut usize| {
                arrived.fetch_add(1, Ordering::SeqCst);
                assert!(arrived.load(Ordering::SeqCst) > round * size);
            };
            let second = |round: &usize, _: usize, seen: &mut usize| {
                assert_eq!(arrived.load(Ordering::SeqCst), (round + 1) * size);
                *seen += 1;
            };
            let mut round = 0;
            let (workers, ()) = rounds(vec![0; size], &[&first, &second], |workers| {
                assert!(workers.iter().all(|seen| **seen == round));
                round += 1;
                if round > 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(round - 1) }
            });
            assert_eq!(workers, vec![50; size]);
        }
    }

    /// Any thread may panic in any round: all threads end, and the payload arrives.
    #[test]
    fn a_panic_ends_the_team_and_is_passed_on() {
        for size in [1, 2, 4] {
            // One number more than the workers, for the leader.
            for (who, when) in (0..=size).flat_map(|who| (0..3).map(move |when| (who, when))) {
                let mut round = 0;
                let ended = catch_unwind(AssertUnwindSafe(|| {
                    let phase = |round: &u32, me: usize, (): &mut ()| {
                        if (me, *round) == (who, when) {
                            resume_unwind(Box::new((who, when)));
                        }
                    };
                    rounds(vec![(); size], &[&phase, &phase], |_| -> ControlFlow<(), u32> {
                        if (size, round) == (who, when) {
                            resume_unwind(Box::new((who, when)));
                        }
                        round += 1;
                        ControlFlow::Continue(round - 1)
                    })
                }));
                assert_eq!(ended.unwrap_err().downcast_ref(), Some(&(who, when)));
            }
        }
    }

    #[test]
    fn a_panic_of_one_thread_stops_the_others() {
        let stop = AtomicBool::new(false);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            scope(&|| stop.store(true, Ordering::Relaxed), |team| {
                let other = team.spawn(|| resume_unwind(Box::new("on purpose"))).unwrap();
                while !stop.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                assert_eq!(other.join(), None::<()>);
            });
        }));
        assert_eq!(ended.unwrap_err().downcast_ref(), Some(&"on purpose"));
    }

    #[test]
    fn an_allowance_is_never_exceeded() {
        let allowance = Allowance::new(Some(1000));
        assert_eq!((allowance.take(10), allowance.portion(1 << 16, 3)), (10, 165));
        assert_eq!((allowance.take(10_000), allowance.take(1), allowance.portion(1, 1)), (825, 0, 0));
        assert_eq!(Allowance::new(None).take(7), 7);
        assert_eq!(useful(0), 1);
        assert!(useful(usize::MAX) >= ALWAYS);
    }
}
