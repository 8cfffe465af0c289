//! The open connections: how many each visitor has, which of them are idle, and which are closed to make room.
//!
//! hyper limits the time for a request's head to arrive. It limits neither the time that a peer takes to read an
//! answer, nor the number of idle connections. This module limits both.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::task::AbortHandle;

use crate::limits::{Limits, Quota};

/// How long a connection must have waited for its visitor before it may be closed in favour of another. The time
/// exceeds a round trip around the world, so that no connection in use is closed.
const STALE: Duration = Duration::from_millis(500);
/// The number of connections beyond the limit that are answered with a refusal. Further ones are closed without an
/// answer.
const SPARE: usize = 64;

/// The subject of a quota: an IPv4 address, or a 64-bit IPv6 network, which is what one household usually has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visitor(IpAddr);

impl Visitor {
    pub(crate) fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(v6) if !v6.is_loopback() => Ipv6Addr::from(u128::from(v6) >> 64 << 64).into(),
            other => other,
        })
    }

    /// The quota of this visitor.
    pub(crate) fn quota(self, limits: &Limits) -> Quota {
        if self.0.is_loopback() { limits.local } else { limits.visitor }
    }
}

/// Why a connection gets only a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    /// Its visitor has too many connections, all in use.
    Visitor,
    /// The server has too many connections, all in use.
    Server,
}

/// The registry of all open connections.
#[derive(Clone, Debug)]
pub(crate) struct Connections(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limits: Limits,
    open: Mutex<Vec<Arc<Connection>>>,
}

/// The shared state of one connection.
#[derive(Debug)]
pub(crate) struct Connection {
    visitor: Visitor,
    excess: Option<Excess>,
    /// [`Limits::rate`].
    rate: f64,
    activity: Mutex<Activity>,
    task: OnceLock<AbortHandle>,
}

/// The activity of a connection.
#[derive(Debug)]
struct Activity {
    /// When the last byte moved in either direction, or the server last finished work for it.
    progress: Instant,
    /// Since when the peer has accepted none of the pending bytes.
    stalled: Option<Instant>,
    /// How far the peer is behind [`Limits::rate`] with reading its answers.
    behind: Duration,
    /// Is the server working on one of its requests?
    working: bool,
    evicted: bool,
}

impl Connections {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self(Arc::new(Shared { limits: limits.clone(), open: Mutex::default() }))
    }

    /// The number of open connections.
    pub(crate) fn count(&self) -> usize {
        lock(&self.0.open).len()
    }

    /// Registers a new connection; `None` if it cannot even be refused. At a limit, the connection that has waited
    /// longest for its visitor is closed: one of the same visitor if that visitor has too many, else any.
    pub(crate) fn open(&self, visitor: Visitor, now: Instant) -> Option<Arc<Connection>> {
        let limits = &self.0.limits;
        let mut open = lock(&self.0.open);
        let count = |test: &dyn Fn(&Connection) -> bool| {
            open.iter().filter(|c| !c.evicted() && c.excess.is_none() && test(c)).count()
        };
        let excess = if count(&|c| c.visitor == visitor) >= visitor.quota(limits).connections
            && !evict(&open, now, |c| c.visitor == visitor)
        {
            Some(Excess::Visitor)
        } else if count(&|_| true) >= limits.connections && !evict(&open, now, |c| c.excess.is_none()) {
            Some(Excess::Server)
        } else {
            None
        };
        let refused = open.iter().filter(|c| !c.evicted() && c.excess.is_some()).count();
        if excess.is_some() && refused >= SPARE && !evict(&open, now, |c| c.excess.is_some()) {
            return None;
        }
        let activity =
            Activity { progress: now, stalled: None, behind: Duration::ZERO, working: false, evicted: false };
        let connection = Arc::new(Connection {
            visitor,
            excess,
            rate: limits.rate.max(1) as f64,
            activity: Mutex::new(activity),
            task: OnceLock::new(),
        });
        open.push(connection.clone());
        Some(connection)
    }

    /// Removes a closed connection.
    pub(crate) fn close(&self, connection: &Arc<Connection>) {
        lock(&self.0.open).retain(|c| !Arc::ptr_eq(c, connection));
    }

    /// Closes connections whose visitor reads an answer too slowly or not at all.
    pub(crate) fn close_stalled(&self, now: Instant) {
        for connection in lock(&self.0.open).iter() {
            if connection.activity().overdue(now) > self.0.limits.stall_time {
                connection.evict();
            }
        }
    }

    /// Closes the connection that has waited longest for its visitor, unless all are in use.
    pub(crate) fn close_stalest(&self, now: Instant) {
        evict(&lock(&self.0.open), now, |_| true);
    }

    /// May this visitor start one more request?
    pub(crate) fn admits_request(&self, visitor: Visitor) -> bool {
        let open = lock(&self.0.open);
        let working = open.iter().filter(|c| c.visitor == visitor && c.activity().working).count();
        working < visitor.quota(&self.0.limits).requests
    }
}

/// Closes the connection that has waited longest for its visitor, among those that pass the test. False if none has
/// waited.
fn evict(open: &[Arc<Connection>], now: Instant, test: impl Fn(&Connection) -> bool) -> bool {
    let waiting = open.iter().filter(|c| test(c)).filter_map(|c| Some((c.activity().waiting_since()?, c)));
    let longest = waiting.min_by_key(|(since, _)| *since);
    let Some((_, connection)) = longest.filter(|(since, _)| now.saturating_duration_since(*since) >= STALE)
    else {
        return false;
    };
    connection.evict();
    true
}

impl Activity {
    /// Since when the server has waited for the visitor; `None` while the visitor waits for the server.
    fn waiting_since(&self) -> Option<Instant> {
        let waiting = !self.evicted && (!self.working || self.stalled.is_some());
        waiting.then_some(self.progress)
    }

    /// How far the peer is behind the rate now; zero if it has accepted everything sent.
    fn overdue(&self, now: Instant) -> Duration {
        self.stalled.map_or(Duration::ZERO, |since| self.behind + now.saturating_duration_since(since))
    }
}

impl Connection {
    /// The visitor of this connection.
    pub(crate) fn visitor(&self) -> Visitor {
        self.visitor
    }

    /// Why the connection is only refused, if it is.
    pub(crate) fn excess(&self) -> Option<Excess> {
        self.excess
    }

    /// Sets the task that serves this connection.
    pub(crate) fn served_by(&self, task: AbortHandle) {
        let task = self.task.get_or_init(|| task);
        // It may have been evicted before it had a task.
        if self.evicted() {
            task.abort();
        }
    }

    /// Was it closed to make room or for lack of progress?
    pub(crate) fn evicted(&self) -> bool {
        self.activity().evicted
    }

    /// Notes that bytes have arrived.
    pub(crate) fn received(&self) {
        self.activity().progress = Instant::now();
    }

    /// Notes that the peer currently accepts no more bytes.
    pub(crate) fn blocked(&self, now: Instant) {
        self.activity().stalled.get_or_insert(now);
    }

    /// Notes that the peer accepted this many bytes.
    pub(crate) fn sent(&self, bytes: usize, now: Instant) {
        let mut activity = self.activity();
        let allowed = Duration::from_secs_f64(bytes as f64 / self.rate);
        activity.behind = activity.overdue(now).max(activity.behind).saturating_sub(allowed);
        (activity.stalled, activity.progress) = (None, now);
    }

    /// Marks the connection as being worked on until the guard is dropped.
    pub(crate) fn work(self: &Arc<Self>) -> RequestGuard {
        self.activity().working = true;
        RequestGuard(self.clone())
    }

    /// Aborts its task, and with it the work of the task.
    fn evict(&self) {
        self.activity().evicted = true;
        if let Some(task) = self.task.get() {
            task.abort();
        }
    }

    fn activity(&self) -> MutexGuard<'_, Activity> {
        lock(&self.activity)
    }
}

/// A guard: the server works on a request of this connection.
#[derive(Debug)]
pub(crate) struct RequestGuard(Arc<Connection>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let mut activity = self.0.activity();
        (activity.working, activity.progress) = (false, Instant::now());
    }
}

/// Locks a mutex and ignores poisoning: no code leaves a value half changed under these locks.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn visitor(last: u8) -> Visitor {
        Visitor::of(IpAddr::from([192, 0, 2, last]))
    }

    fn connections(connections: usize, each: usize) -> Connections {
        let visitor = Quota { connections: each, ..Quota::ALL };
        Connections::new(&Limits { connections, visitor, ..Limits::default() })
    }

    #[test]
    fn a_visitor_is_an_address_or_a_network_of_a_household() {
        let of = |text: &str| Visitor::of(text.parse().unwrap());
        assert_eq!(of("192.0.2.1"), of("::ffff:192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        let limits = Limits::default();
        for local in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(of(local).quota(&limits).runs, usize::MAX, "{local}");
        }
        assert_eq!(of("192.0.2.1").quota(&limits).runs, limits.visitor.runs);
    }

    #[test]
    fn the_one_that_has_waited_longest_makes_room() {
        let connections = connections(3, 9);
        let start = Instant::now();
        let open = |at: u8| connections.open(visitor(at), start + SECOND * u32::from(at)).unwrap();
        let first = [open(0), open(1), open(2)];
        let _working = first[0].work();
        let fourth = open(3);
        let evicted = first.each_ref().map(|c| c.evicted());
        assert_eq!(evicted, [false, true, false], "the first is being served, the second has waited longest");
        assert_eq!(fourth.excess(), None);
    }

    #[test]
    fn without_one_that_waits_the_next_is_refused_and_then_closed() {
        let connections = connections(2, 9);
        let now = Instant::now();
        let open = |now| connections.open(visitor(0), now);
        let held: Vec<_> = (0..2).map(|_| open(now).unwrap()).collect();
        let _work: Vec<_> = held.iter().map(Connection::work).collect();
        for _ in 0..SPARE {
            assert_eq!(open(now).unwrap().excess(), Some(Excess::Server));
        }
        assert!(open(now).is_none());
        // Connections that do not even read the refusal are closed first.
        assert_eq!(open(now + SECOND).unwrap().excess(), Some(Excess::Server));
    }

    #[test]
    fn a_visitor_with_too_many_loses_its_own() {
        let connections = connections(9, 2);
        let start = Instant::now();
        let other = connections.open(visitor(9), start).unwrap();
        let own: Vec<_> = (0..2).map(|_| connections.open(visitor(0), start + SECOND).unwrap()).collect();
        assert_eq!(connections.open(visitor(0), start + SECOND).unwrap().excess(), Some(Excess::Visitor));
        let third = connections.open(visitor(0), start + 3 * SECOND).unwrap();
        assert_eq!(third.excess(), None);
        assert_eq!(own.iter().filter(|c| c.evicted()).count(), 1);
        assert!(!other.evicted());
    }

    #[test]
    fn who_takes_nothing_or_too_little_is_shown_out_and_who_takes_enough_is_not() {
        let limits = Limits::default();
        let connections = Connections::new(&limits);
        let start = Instant::now();
        // A peer with a full buffer that accepts this many bytes every second.
        let survives = |bytes: usize, seconds: u32| {
            let connection = connections.open(visitor(0), start).unwrap();
            connection.blocked(start);
            for second in 1..=seconds {
                let now = start + SECOND * second;
                if bytes > 0 {
                    connection.sent(bytes, now);
                    connection.blocked(now);
                }
                connections.close_stalled(now);
            }
            !connection.evicted()
        };
        assert!(survives(0, 10));
        assert!(!survives(0, 11));
        assert!(!survives(1, 12));
        assert!(!survives(limits.rate / 2, 22));
        assert!(survives(limits.rate, 600));
    }

    #[test]
    fn requests_at_work_are_counted_by_visitor() {
        let visitors = Quota { requests: 2, ..Quota::ALL };
        let connections = Connections::new(&Limits { visitor: visitors, ..Limits::default() });
        let now = Instant::now();
        let open: Vec<_> = (0..2).map(|_| connections.open(visitor(0), now).unwrap()).collect();
        let work: Vec<_> = open.iter().map(Connection::work).collect();
        assert!(!connections.admits_request(visitor(0)));
        assert!(connections.admits_request(visitor(1)));
        drop(work);
        assert!(connections.admits_request(visitor(0)));
    }
}
