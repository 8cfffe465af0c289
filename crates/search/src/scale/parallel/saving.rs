//! Saves the layers of a parallel breadth-first search, so that a search whose ranks died can resume.
//!
//! Before a layer begins, each rank writes the states it received since the last one, atomically. When all ranks have done so,
//! the leader atomically writes a small file that names the layer. Only that file makes the layer valid. So the last named
//! layer is intact whatever dies, and whenever.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::rank::Stop;
use super::shard::{Child, Open, Shard};
use crate::core::arena::NodeId;
use crate::core::atomic_file;
use crate::core::figures;
use crate::core::memory::Ledger;
use crate::core::outcome::Stats;
use crate::core::ranks::{Lost, Saving};
use crate::core::space::Key;

const MAGIC: &[u8; 16] = b"beeline layer 2\n";
const NAMED: &str = "layers";

/// Writes and reads the layers of one rank.
pub(super) struct Saver {
    saving: Saving,
    rank: usize,
    size: usize,
    width: usize,
    /// The first node not yet written.
    from: NodeId,
}

/// A reader or writer that checksums the bytes that pass.
struct Summed<T> {
    inner: T,
    sum: foldhash::quality::FoldHasher<'static>,
}

impl<T> Summed<T> {
    fn new(inner: T) -> Self {
        Self { inner, sum: foldhash::quality::FixedState::with_seed(0x0BEE_11E5).build_hasher() }
    }
}

impl<T: Write> Summed<T> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.write(bytes);
        self.inner.write_all(bytes)
    }
}

impl<T: Read> Summed<T> {
    fn take(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.sum.write(bytes);
        Ok(())
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut word = [0; 8];
        self.take(&mut word)?;
        Ok(u64::from_le_bytes(word))
    }
}

/// Writes a file atomically.
fn put(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), String> {
    let put = atomic_file::put(path, |file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.into_inner()?.sync_all()
    });
    put.map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

impl Saver {
    pub(super) fn new(saving: Saving, rank: usize, size: usize, width: usize) -> Self {
        Self { saving, rank, size, width, from: 0 }
    }

    pub(super) fn resumes(&self) -> bool {
        self.saving.resume
    }

    fn path(&self, layer: u64) -> PathBuf {
        self.saving.folder.join(format!("rank{}-layer{layer}", self.rank))
    }

    fn header(&self, layer: u64) -> [u64; 5] {
        [self.saving.instance, self.size as u64, self.rank as u64, self.width as u64, layer]
    }

    /// Writes the nodes added since the last saved layer.
    pub(super) fn layer<K: Key>(
        &mut self,
        shard: &Shard<K>,
        layer: u64,
        stats: &Stats,
    ) -> Result<(), String> {
        let end = shard.arena.len() as NodeId;
        fs::create_dir_all(&self.saving.folder)
            .map_err(|error| format!("cannot make the folder '{}': {error}", self.saving.folder.display()))?;
        put(&self.path(layer), |file| {
            let mut file = Summed::new(file);
            file.put(MAGIC)?;
            let figures = figures::write(stats);
            let head = [figures.len() as u64, u64::from(end - self.from)];
            for number in self.header(layer).into_iter().chain(head).chain(figures) {
                file.put(&number.to_le_bytes())?;
            }
            for id in self.from..end {
                let (maker, parent) = shard.parent_of(id);
                file.put(&(maker as u64 | u64::from(parent) << 32).to_le_bytes())?;
                let key = shard.arena.keys.get(id);
                for i in 0..K::WORDS {
                    let left = self.width.saturating_sub(8 * i).min(8);
                    file.put(&key.word(i).to_le_bytes()[..left])?;
                }
            }
            let sum = file.sum.finish();
            file.put(&sum.to_le_bytes())
        })?;
        self.from = end;
        Ok(())
    }

    /// Names a layer that every rank has written.
    pub(super) fn complete(&mut self, layer: u64) -> Result<(), String> {
        let Saving { folder, instance, .. } = &self.saving;
        let text =
            format!("beeline layers 1\ninstance {instance:016x}\nranks {}\nlayer {layer}\n", self.size);
        put(&folder.join(NAMED), |file| file.write_all(text.as_bytes()))
    }

    /// The last named layer.
    fn named(&self) -> Result<u64, String> {
        let path = self.saving.folder.join(NAMED);
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("nothing to resume: cannot read '{}': {error}", path.display()))?;
        let mut lines = text.lines();
        if lines.next() != Some("beeline layers 1") {
            return Err(format!("'{}' is not a list of layers that this version can read", path.display()));
        }
        let mut entry = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned);
        let (instance, ranks, layer) = (entry("instance"), entry("ranks"), entry("layer"));
        if instance != Some(format!("{:016x}", self.saving.instance)) {
            return Err(format!("'{}' belongs to another puzzle or another job", path.display()));
        }
        match (ranks.and_then(|r| r.parse::<usize>().ok()), layer.and_then(|l| l.parse().ok())) {
            (Some(ranks), Some(layer)) if ranks == self.size => Ok(layer),
            (Some(ranks), Some(_)) => Err(format!(
                "'{}' was written by {ranks} ranks, and there are {} now",
                path.display(),
                self.size
            )),
            _ => Err(format!("'{}' is torn", path.display())),
        }
    }

    /// Reads everything up to the last named layer, and gives its number.
    pub(super) fn restore<K: Key>(
        &mut self,
        shard: &mut Shard<K>,
        ledger: &mut Ledger,
        stats: &mut Stats,
    ) -> Result<u64, Stop> {
        let last = self.named().map_err(Lost::Failed)?;
        for layer in 1..=last {
            if let Open::Queue { next, .. } = &mut shard.open {
                *next = shard.arena.len() as NodeId;
            }
            let path = self.path(layer);
            let file = File::open(&path).map_err(|error| trouble(&path, &error))?;
            *stats = self.read(&mut Summed::new(BufReader::new(file)), layer, shard, ledger, &path)?;
        }
        if last == 1
            && let Open::Queue { next, .. } = &mut shard.open
        {
            // The first file holds the start as well, which is already expanded. Its owner counts it first.
            let has_start = !shard.arena.is_empty() && shard.arena.parent(0) == crate::core::arena::NO_NODE;
            *next = NodeId::from(has_start);
        }
        self.from = shard.arena.len() as NodeId;
        Ok(last)
    }

    fn read<K: Key>(
        &self,
        file: &mut Summed<BufReader<File>>,
        layer: u64,
        shard: &mut Shard<K>,
        ledger: &mut Ledger,
        path: &Path,
    ) -> Result<Stats, Stop> {
        let io = |error: io::Error| trouble(path, &error);
        let mut magic = [0; MAGIC.len()];
        file.take(&mut magic).map_err(io)?;
        let mut ours = magic == *MAGIC;
        for number in self.header(layer) {
            ours &= file.number().map_err(io)? == number;
        }
        if !ours {
            return Err(foreign(path).into());
        }
        let (figures, count) = (file.number().map_err(io)?, file.number().map_err(io)?);
        let mut words = Vec::new();
        for _ in 0..figures {
            words.push(file.number().map_err(io)?);
        }
        for _ in 0..count {
            let made = file.number().map_err(io)?;
            let mut bytes = [0u8; 8];
            let mut failed = None;
            let key = K::from_words(|i| {
                let left = self.width.saturating_sub(8 * i).min(8);
                bytes = [0; 8];
                failed = failed.take().or(file.take(&mut bytes[..left]).err());
                u64::from_le_bytes(bytes)
            });
            if let Some(error) = failed {
                return Err(io(error).into());
            }
            let hash = shard.arena.keys.hash(&key);
            let child = Child { key, hash, parent: (made >> 32) as NodeId, cost: 0, estimate: 0 };
            shard.settle(ledger, &child, made as u32 as usize, false)?;
        }
        let damaged = |why: &str| Lost::Failed(format!("'{}' is damaged: {why}", path.display()));
        let sum = file.sum.finish();
        if file.number().map_err(io)? != sum {
            return Err(damaged("its sum is wrong").into());
        }
        Ok(figures::read(&mut words.into_iter()).ok_or_else(|| damaged("its figures cannot be read"))?)
    }
}

fn foreign(path: &Path) -> Lost {
    Lost::Failed(format!("'{}' is not a layer of this search", path.display()))
}

fn trouble(path: &Path, error: &io::Error) -> Lost {
    Lost::Failed(format!("cannot read '{}': {error}", path.display()))
}
