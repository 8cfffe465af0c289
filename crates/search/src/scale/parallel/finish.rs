//! The end of a parallel search: figures are summed, the plan is collected from the ranks, and pending messages are read.

use std::time::Duration;

use super::figures;
use super::message::{Kind, Numbers, read};
use super::rank::{End, Rank};
use super::transport::Lost;
use crate::core::arena::{NO_NODE, NodeId};
use crate::core::budget::Limit;
use crate::core::clock::Instant;
use crate::core::outcome::Stats;
use crate::core::space::{Key, Space};

/// How long ranks wait for each other after a request to stop. The reason may be that a rank is gone.
const SHUTDOWN_WAIT: Duration = Duration::from_secs(1);

/// The leader's result.
pub(super) struct Finished<K> {
    pub(super) end: End,
    /// The keys of the plan, without the start.
    pub(super) keys: Vec<K>,
    pub(super) stats: Stats,
}

/// Messages received since the end.
struct AfterEnd<K> {
    /// How many other ranks have sent their last message.
    last: usize,
    figures: usize,
    bye: bool,
    answer: Option<(usize, NodeId, K)>,
    stats: Stats,
}

impl<S: Space> Rank<'_, S> {
    /// Ends a search: sums the figures and collects the plan.
    pub(super) fn finish(mut self) -> Result<Finished<S::Key>, Lost> {
        let end = self.ended.unwrap_or(End::Elsewhere);
        let others = self.out.len() - 1;
        self.stats.stored = self.shard.arena.len() as u64;
        self.stats.close(&self.meter);
        let (expanded, stored, bytes) = (self.stats.expanded, self.stats.stored, self.stats.bytes);
        self.share = crate::core::outcome::Share { expanded, stored, bytes, ..self.share };
        self.broadcast(Kind::Last, &[])?;
        let mut heard =
            AfterEnd { last: self.last, figures: 0, bye: false, answer: None, stats: Stats::default() };
        figures::add(&mut heard.stats, &self.stats, self.share);
        let stopping = matches!(end, End::Limit(Limit::Cancelled)).then(|| Instant::now() + SHUTDOWN_WAIT);
        let mut keys = Vec::new();
        if self.me() == 0 {
            self.listen(&mut heard, stopping, |heard| heard.figures == others)?;
            if let End::Goal(rank, id) = end {
                keys = self.trace(&mut heard, rank, id)?;
            }
            self.broadcast(Kind::Bye, &[])?;
            self.listen(&mut heard, stopping, |heard| heard.last == others)?;
        } else {
            let numbers = figures::write(&self.stats, &self.share);
            self.send_to_leader(Kind::Figures, &numbers)?;
            self.listen(&mut heard, None, |heard| heard.bye && heard.last == others)?;
        }
        heard.stats.elapsed = self.meter.elapsed();
        Ok(Finished { end, keys, stats: heard.stats })
    }

    /// Reads messages until `enough` holds or the time is over.
    fn listen(
        &mut self,
        heard: &mut AfterEnd<S::Key>,
        until: Option<Instant>,
        enough: impl Fn(&AfterEnd<S::Key>) -> bool,
    ) -> Result<(), Lost> {
        while !enough(heard) && until.is_none_or(|until| Instant::now() < until) {
            match self.link.receive()? {
                Some((from, message)) => self.handle_after_end(heard, from, &message)?,
                None => self.link.wait(Duration::from_millis(2)),
            }
        }
        Ok(())
    }

    fn handle_after_end(
        &mut self,
        heard: &mut AfterEnd<S::Key>,
        from: usize,
        message: &[u8],
    ) -> Result<(), Lost> {
        let Some((kind, rest)) = read(message) else { return Ok(()) };
        let mut numbers = Numbers(rest);
        match kind {
            Kind::Last => heard.last += 1,
            Kind::Bye => heard.bye = true,
            Kind::Figures => {
                let Some((stats, share)) = figures::read(&mut numbers.rest()) else {
                    return Err(Lost::Failed(format!("the figures of rank {from} cannot be read")));
                };
                figures::add(&mut heard.stats, &stats, share);
                heard.figures += 1;
            }
            Kind::Ask => {
                let (maker, parent, key) = self.node(numbers.next() as NodeId);
                let mut answer = vec![maker as u64, u64::from(parent)];
                answer.extend((0..S::Key::WORDS).map(|i| key.word(i)));
                self.link.send(from, Kind::Answer.with(&answer))?;
            }
            Kind::Answer => {
                let (maker, parent) = (numbers.next() as usize, numbers.next() as NodeId);
                heard.answer = Some((maker, parent, S::Key::from_words(|_| numbers.next())));
            }
            // A message of the search that was still on its way.
            _ => {}
        }
        Ok(())
    }

    fn node(&self, id: NodeId) -> (usize, NodeId, S::Key) {
        let (maker, parent) = self.shard.parent_of(id);
        (maker, parent, self.shard.arena.keys.get(id))
    }

    /// The keys from the start (excluded) to a goal.
    fn trace(
        &mut self,
        heard: &mut AfterEnd<S::Key>,
        mut rank: usize,
        mut id: NodeId,
    ) -> Result<Vec<S::Key>, Lost> {
        let mut keys = Vec::new();
        loop {
            let (maker, parent, key) = if rank == self.me() {
                self.node(id)
            } else {
                heard.answer = None;
                self.link.send(rank, Kind::Ask.with(&[u64::from(id)]))?;
                self.listen(heard, None, |heard| heard.answer.is_some())?;
                heard.answer.take().ok_or(Lost::Rank(rank))?
            };
            if parent == NO_NODE {
                keys.reverse();
                return Ok(keys);
            }
            keys.push(key);
            (rank, id) = (maker, parent);
        }
    }
}
