//! Breadth-first search with its layers on disk.
//!
//! For spaces whose moves all cost 1 and are reversible. Memory holds a buffer of successors and a few blocks of files,
//! whatever the size of the space. All layers stay on disk until the end, because the plan is found by walking back through
//! them. Counters are those of breadth-first search. Inside a layer, states are ordered by key, so the search may find another
//! shortest plan.
//!
//! Rules must judge states, not moves: a state dropped on one way and kept on another would reappear in a later layer.

mod folder;
mod layers;
mod rows;

use std::path::Path;

use crate::core::arena::replay;
use crate::core::budget::{Limit, Meter};
use crate::core::checkpoint::{Damage, In, Unloadable, read_stats, write_stats};
use crate::core::heuristic::Heuristic;
use crate::core::memory::OutOfMemory;
use crate::core::observer::{NodeView, Observer};
use crate::core::outcome::{Outcome, Solution, Stats, Verdict};
use crate::core::prune::{Prune, Ruling};
use crate::core::space::{Cost, Key, Space};
use crate::strategies::{Task, Unsupported, outcome};
use folder::Folder;
use layers::{Layers, layers};
use rows::Stamp;

/// Words of the widest key that is sorted.
const WIDEST: usize = 8;

/// Why a search on disk ends early.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A limit.
    Limit(Limit),
    /// The disk.
    Disk(String),
    /// The layers are not those that were saved.
    Misfit,
}

impl From<Limit> for Fault {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<OutOfMemory> for Fault {
    fn from(_: OutOfMemory) -> Self {
        Self::Limit(Limit::Memory)
    }
}

impl From<Damage> for Fault {
    fn from(_: Damage) -> Self {
        Self::Misfit
    }
}

impl From<Unloadable> for Fault {
    fn from(unloadable: Unloadable) -> Self {
        match unloadable {
            Unloadable::Limit(limit) => limit.into(),
            Unloadable::Damage(damage) => damage.into(),
        }
    }
}

/// Runs breadth-first search with its layers in this folder. With a checkpoint, the layers stay until it is removed.
pub(crate) fn run<S, H, P, O>(
    task: Task<'_, S, H, P, O>,
    folder: &Path,
) -> Result<Outcome<S::Move>, Unsupported>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    let Task { space, prune, budget, observer, .. } = task;
    let refuse = |why: &str| Err(Unsupported::needs("bfs on disk", why));
    if !space.reversible() {
        return refuse("the moves of this space cannot be taken back");
    }
    if !space.unit_cost() {
        return refuse("the moves of this space do not all cost 1");
    }
    if S::Key::WORDS > WIDEST {
        return refuse("the states of this space are too large");
    }
    let mut meter = Meter::keeping(budget);
    if let Some(checkpoint) = &budget.checkpoint {
        checkpoint.goes_with(folder, Folder::clear);
    }
    let sound = prune.is_sound();
    let mut search = Search { space, prune, observer, stats: Stats::default(), width: space.key_width() };
    let verdict = match search.run(&mut meter, folder) {
        Ok(Some(keys)) => {
            let (moves, cost) = replay(space, &mut space.start(), keys.into_iter());
            search.observer.found(cost);
            Verdict::Solved(Solution { moves, cost, lower_bound: if sound { cost } else { 0 } })
        }
        Ok(None) if sound => Verdict::Exhausted,
        Ok(None) => Verdict::GaveUp,
        Err(Fault::Limit(limit)) => Verdict::Stopped(limit),
        Err(Fault::Disk(why)) => return Err(Unsupported::Disk(why)),
        Err(Fault::Misfit) => {
            let why = "its layers are not in the folder where it left them";
            return Err(Unsupported::Saved(Damage::Misfit(why)));
        }
    };
    Ok(outcome(verdict, search.stats, &meter))
}

struct Search<'a, S: Space, P, O> {
    space: &'a S,
    prune: P,
    observer: O,
    stats: Stats,
    width: usize,
}

/// A generated goal: its parent's key and its own.
type GeneratedGoal<S> = (<S as Space>::Key, <S as Space>::Key);

impl<S: Space, P: Prune<S>, O: Observer<S>> Search<'_, S, P, O> {
    /// The keys of a shortest plan, start excluded.
    fn run(&mut self, meter: &mut Meter, folder: &Path) -> Result<Option<Vec<S::Key>>, Fault> {
        let start = self.space.start();
        self.prune.begin(self.space, &start, meter)?;
        if self.space.is_goal(&start) {
            return Ok(Some(Vec::new()));
        }
        let saved = match meter.resume() {
            Some(mut saved) => self.load(&mut saved, meter)?,
            None => Vec::new(),
        };
        let fresh = saved.is_empty();
        let folder = if fresh { Folder::create(folder)? } else { Folder::reopen(folder, saved.len()) };
        let mut layers = layers(folder, self.width, saved, meter.keeps(), &mut meter.ledger)?;
        if fresh {
            let mut words = [0; WIDEST];
            write_words(&self.space.pack(&start), &mut words);
            layers.push(&words, meter)?;
            layers.close(meter)?;
            (self.stats.stored, self.stats.frontier_peak) = (1, 1);
        }
        loop {
            let mark = meter.keeps().then(|| self.stats.clone());
            if meter.save_due()
                && let Some(stats) = &mark
            {
                self.save(meter, stats, layers.stamps());
            }
            match self.layer(meter, &mut *layers) {
                Ok(Layer::Goal(made)) => {
                    let way = self.trace_back(&*layers, made);
                    layers.keep(meter.keeps());
                    return way.map(Some);
                }
                Ok(Layer::Empty) => {
                    layers.keep(meter.keeps());
                    return Ok(None);
                }
                Ok(Layer::Full) => {}
                Err(fault) => {
                    if let Some(stats) = &mark {
                        self.save(meter, stats, layers.stamps());
                    }
                    layers.keep(mark.is_some());
                    return Err(fault);
                }
            }
        }
    }

    /// Expands the last layer and makes the next one.
    fn layer(
        &mut self,
        meter: &mut Meter,
        layers: &mut dyn Layers,
    ) -> Result<Layer<GeneratedGoal<S>>, Fault> {
        let depth = layers.stamps().len() - 1;
        let waiting = layers.stamps()[depth].rows;
        if waiting == 0 {
            return Ok(Layer::Empty);
        }
        let cost = Cost::try_from(depth).unwrap_or(Cost::MAX);
        self.stats.depth = depth as u64;
        layers.open()?;
        let (mut state, mut words) = (self.space.start(), [0; WIDEST]);
        let mut pushed = 0;
        while layers.next(&mut words)? {
            if meter.due() {
                meter.look()?;
                self.stats.close(meter);
                self.observer.tick(&self.stats);
            }
            meter.count();
            self.stats.expanded += 1;
            let key = S::Key::from_words(|i| words[i]);
            self.space.unpack_into(&key, &mut state);
            self.observer.expanded(&NodeView { state: &state, cost, estimate: 0 });
            self.prune.enter(self.space, &state);
            for mv in self.space.moves(&state) {
                self.stats.generated += 1;
                let token = self.space.apply(&mut state, mv);
                if self.space.is_goal(&state) {
                    return Ok(Layer::Goal((key, self.space.pack(&state))));
                }
                let ruling = self.prune.judge(self.space, &state, mv, cost.saturating_add(1), meter)?;
                if let Ruling::Drop(rule) = ruling {
                    self.stats.add_pruned(rule, 1);
                } else {
                    write_words(&self.space.pack(&state), &mut words);
                    layers.push(&words, meter)?;
                    pushed += 1;
                }
                self.space.undo(&mut state, mv, token);
            }
        }
        let new = layers.close(meter)?;
        self.stats.duplicates += pushed - new;
        self.stats.stored += new;
        self.stats.frontier_peak = self.stats.frontier_peak.max(waiting + new);
        Ok(Layer::Full)
    }

    /// Walks from a goal back to the start: for each state, a neighbour in the previous layer.
    fn trace_back(
        &self,
        layers: &dyn Layers,
        (parent, goal): GeneratedGoal<S>,
    ) -> Result<Vec<S::Key>, Fault> {
        let mut keys = vec![goal, parent];
        let mut words = [0; WIDEST];
        for depth in (1..layers.stamps().len() - 1).rev() {
            let mut state = self.space.unpack(keys.last().unwrap_or(&goal));
            let mut before = None;
            for mv in self.space.moves(&state) {
                let token = self.space.apply(&mut state, mv);
                let key = self.space.pack(&state);
                self.space.undo(&mut state, mv, token);
                write_words(&key, &mut words);
                if layers.contains(depth, &words)? {
                    before = Some(key);
                    break;
                }
            }
            let lost = || Fault::Disk(format!("layer {depth} does not lead to layer {}", depth + 1));
            keys.push(before.ok_or_else(lost)?);
        }
        if layers.stamps().len() == 1 {
            // The parent is the start.
            keys.truncate(1);
        }
        keys.reverse();
        Ok(keys)
    }

    fn save(&self, meter: &mut Meter, stats: &Stats, stamps: &[Stamp]) {
        let start = self.space.pack(&self.space.start());
        let stats = Stats { bytes: stats.bytes.max(meter.ledger.peak()), ..stats.clone() };
        meter.save(&mut |out| {
            out.u64(self.width as u64);
            (0..S::Key::WORDS).for_each(|word| out.u64(start.word(word)));
            write_stats(&stats, out);
            out.u64(stamps.len() as u64);
            for stamp in stamps {
                out.u64(stamp.rows);
                out.u64(stamp.sum);
            }
        });
    }

    fn load(&mut self, from: &mut In, meter: &mut Meter) -> Result<Vec<Stamp>, Fault> {
        let start = self.space.pack(&self.space.start());
        from.expect(self.width as u64, "its states are of another size")?;
        for word in 0..S::Key::WORDS {
            from.expect(start.word(word), "it starts from another state")?;
        }
        self.stats = read_stats(from)?;
        meter.go_on_from(self.stats.expanded);
        let count = from.count(16)?;
        let stamps = (0..count).map(|_| Ok(Stamp { rows: from.u64()?, sum: from.u64()? }));
        let stamps = stamps.collect::<Result<Vec<_>, Damage>>()?;
        if stamps.is_empty() { Err(Fault::Misfit) } else { Ok(stamps) }
    }
}

/// The result of expanding a layer.
enum Layer<G> {
    /// One of its states has a goal as successor.
    Goal(G),
    /// All its states were expanded.
    Full,
    /// It is empty.
    Empty,
}

/// Writes the words of a key.
#[inline]
fn write_words<K: Key>(key: &K, words: &mut [u64; WIDEST]) {
    for (i, word) in words.iter_mut().enumerate().take(K::WORDS) {
        *word = key.word(i);
    }
}
