//! After the end: figures are summed up, the plan is asked together from those who hold its states, and the mail runs dry.

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

/// How long ranks wait for each other after somebody asked them to stop. They may be asked because one of them is gone.
const PARTING: Duration = Duration::from_secs(1);

/// What the leader comes back with.
pub(super) struct Finished<K> {
    pub(super) end: End,
    /// The keys of the plan, the start left out.
    pub(super) keys: Vec<K>,
    pub(super) stats: Stats,
}

/// What has been heard since the end.
struct Heard<K> {
    /// How many others have said their last word.
    last: usize,
    figures: usize,
    bye: bool,
    answer: Option<(usize, NodeId, K)>,
    stats: Stats,
}

impl<S: Space> Rank<'_, S> {
    /// Closes the books of a search that is over.
    pub(super) fn finish(mut self) -> Result<Finished<S::Key>, Lost> {
        let end = self.ended.unwrap_or(End::Elsewhere);
        let others = self.out.len() - 1;
        self.stats.stored = self.shard.arena.len() as u64;
        self.stats.close(&self.meter);
        let (expanded, stored, bytes) = (self.stats.expanded, self.stats.stored, self.stats.bytes);
        self.share = crate::core::outcome::Share { expanded, stored, bytes, ..self.share };
        self.tell_all(Kind::Last, &[])?;
        let mut heard =
            Heard { last: self.last, figures: 0, bye: false, answer: None, stats: Stats::default() };
        figures::add(&mut heard.stats, &self.stats, self.share);
        let stopping = matches!(end, End::Limit(Limit::Cancelled)).then(|| Instant::now() + PARTING);
        let mut keys = Vec::new();
        if self.me() == 0 {
            self.listen(&mut heard, stopping, |heard| heard.figures == others)?;
            if let End::Goal(rank, id) = end {
                keys = self.trace(&mut heard, rank, id)?;
            }
            self.tell_all(Kind::Bye, &[])?;
            self.listen(&mut heard, stopping, |heard| heard.last == others)?;
        } else {
            let numbers = figures::write(&self.stats, &self.share);
            self.tell_leader(Kind::Figures, &numbers)?;
            self.listen(&mut heard, None, |heard| heard.bye && heard.last == others)?;
        }
        heard.stats.elapsed = self.meter.elapsed();
        Ok(Finished { end, keys, stats: heard.stats })
    }

    /// Reads mail until that is enough, or the time is over.
    fn listen(
        &mut self,
        heard: &mut Heard<S::Key>,
        until: Option<Instant>,
        enough: impl Fn(&Heard<S::Key>) -> bool,
    ) -> Result<(), Lost> {
        while !enough(heard) && until.is_none_or(|until| Instant::now() < until) {
            match self.link.receive()? {
                Some((from, message)) => self.hear_after(heard, from, &message)?,
                None => self.link.wait(Duration::from_millis(2)),
            }
        }
        Ok(())
    }

    fn hear_after(&mut self, heard: &mut Heard<S::Key>, from: usize, message: &[u8]) -> Result<(), Lost> {
        let Some((kind, rest)) = read(message) else { return Ok(()) };
        let mut numbers = Numbers(rest);
        match kind {
            Kind::Last => heard.last += 1,
            Kind::Bye => heard.bye = true,
            Kind::Figures => {
                let (stats, share) = figures::read(&mut numbers);
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
            // What was still on its way when the search ended.
            _ => {}
        }
        Ok(())
    }

    fn node(&self, id: NodeId) -> (usize, NodeId, S::Key) {
        let (maker, parent) = self.shard.made_by(id);
        (maker, parent, self.shard.arena.keys.get(id))
    }

    /// The keys from the start (left out) to a goal.
    fn trace(
        &mut self,
        heard: &mut Heard<S::Key>,
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
