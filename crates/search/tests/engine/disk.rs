//! Breadth-first search on disk agrees with that in memory: the same layers, plans of the same length, for any memory limit.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::pancakes::Pancakes;
use crate::common::replayed;
use crate::common::world::World;
use beeline_search::observer::NodeView;
use beeline_search::{
    Budget, Checkpoint, Limit, Observer, Outcome, Random, Ranked, Search, Settings, Space, Stats,
    Unsupported, Verdict, census,
};

/// A path that does not exist before or after the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Counts the states that are expanded at each distance.
#[derive(Default)]
struct Layers(Vec<u64>);

impl<S: Space> Observer<S> for Layers {
    fn expanded(&mut self, node: &NodeView<'_, S>) {
        let depth = node.cost as usize;
        self.0.resize(self.0.len().max(depth + 1), 0);
        self.0[depth] += 1;
    }
}

type Result<M> = std::result::Result<Outcome<M>, Unsupported>;

fn bfs<S: Space>(space: &S, disk: Option<&Path>, budget: &Budget) -> (Result<S::Move>, Layers) {
    let settings = Settings { disk: disk.map(Path::to_owned), ..Settings::default() };
    let mut layers = Layers::default();
    let outcome =
        Search::new(space).settings(settings).budget(budget.clone()).observer(&mut layers).run("bfs");
    (outcome, layers)
}

fn counters(stats: &Stats) -> Stats {
    Stats { elapsed: Duration::ZERO, bytes: 0, frontier_peak: 0, ..stats.clone() }
}

/// Compares a search on disk with the one in memory. On a whole space the counters agree, too.
fn agree<S: Space>(space: &S, place: &Place, bytes: Option<usize>) -> bool {
    let (plain, plain_layers) = bfs(space, None, &Budget::default());
    let budget = Budget { bytes, ..Budget::default() };
    let (disk, layers) = bfs(space, Some(&place.0), &budget);
    assert!(!place.0.exists(), "nothing is left behind");
    let (plain, disk) = (plain.unwrap(), disk.unwrap());
    match (&plain.verdict, &disk.verdict) {
        (_, Verdict::Stopped(Limit::Memory)) => return false,
        (Verdict::Solved(a), Verdict::Solved(b)) => {
            assert_eq!(a.cost, b.cost);
            assert_eq!(replayed(space, &b.moves), b.cost);
            assert!(b.is_optimal());
            let whole = layers.0.len().max(1) - 1;
            assert_eq!(layers.0[..whole], plain_layers.0[..whole]);
        }
        (Verdict::Exhausted, Verdict::Exhausted) => {
            assert_eq!(layers.0, plain_layers.0);
            assert_eq!(counters(&disk.stats), counters(&plain.stats));
        }
        (a, b) => panic!("{a:?} in memory, {b:?} on disk"),
    }
    assert!(bytes.is_none_or(|bytes| disk.stats.bytes <= bytes));
    true
}

#[test]
fn small_worlds_agree_in_any_memory() {
    let place = Place::new("worlds");
    let (mut solved, mut tight) = (0, 0);
    for seed in 0..60 {
        let world = World::random(seed, 400, true, true);
        for bytes in [None, Some(600), Some(1500), Some(5000)] {
            let done = agree(&world, &place, bytes);
            solved += u32::from(done);
            tight += u32::from(done && bytes.is_some_and(|b| b < 2000));
        }
    }
    assert!(solved > 150 && tight > 50, "{solved} {tight}");
}

#[test]
fn pancakes_are_sorted_in_a_hundredth_of_the_memory() {
    let place = Place::new("pancakes");
    let all = Pancakes::new(&[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    let mut random = Random::new(5);
    for _ in 0..3 {
        let space = Pancakes::new(&all.unrank(random.below(40_320) as u64)).unwrap();
        let (plain, _) = bfs(&space, None, &Budget::default());
        assert!(agree(&space, &place, Some(plain.unwrap().stats.bytes / 100 + 4000)));
    }
}

#[test]
fn a_whole_space_in_two_bits_a_state() {
    // The pancake numbers: the flips that the worst stack of n takes.
    for (n, radius) in [(1u8, 0), (2, 1), (3, 3), (4, 4), (5, 5), (6, 7), (7, 8), (8, 9)] {
        let space = Pancakes::new(&(0..n).collect::<Vec<_>>()).unwrap();
        let (census, stats) = census::count(&space, &Budget::default(), &mut |_| {});
        let census = census.unwrap();
        assert_eq!((census.states(), census.layers.len() - 1), (space.states(), radius));
        assert_eq!(stats.expanded, space.states());
        assert!(stats.bytes as u64 <= space.states() / 4 + 8);
    }
    let space = Pancakes::new(&[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    let tight = Budget { bytes: Some(10_000), ..Budget::default() };
    assert_eq!(census::count(&space, &tight, &mut |_| {}).0, Err(Limit::Memory));
    let nodes = Budget { nodes: Some(1000), ..Budget::default() };
    let (stopped, stats) = census::count(&space, &nodes, &mut |_| {});
    assert_eq!((stopped, stats.expanded), (Err(Limit::Nodes), 1000));
}

/// Stops a search after this many nodes.
fn stop<S: Space>(space: &S, place: &Place, saved: &Path, nodes: u64) {
    let checkpoint = Checkpoint::new(saved, Duration::from_secs(1000), 0, String::new());
    let budget =
        Budget { nodes: Some(nodes), bytes: Some(20_000), checkpoint: Some(checkpoint), ..Budget::default() };
    let outcome = bfs(space, Some(&place.0), &budget).0.unwrap();
    assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Nodes));
}

fn go_on<S: Space>(space: &S, place: &Place, saved: &Path) -> Result<S::Move> {
    let checkpoint = Checkpoint::open(saved, None).unwrap();
    let budget = Budget { checkpoint: Some(checkpoint.clone()), ..Budget::default() };
    let outcome = bfs(space, Some(&place.0), &budget).0;
    // As long as a checkpoint exists, a search can resume from it, even one that has ended.
    if outcome.is_ok() {
        assert!(place.0.exists());
        checkpoint.remove().unwrap();
    }
    outcome
}

#[test]
fn an_interrupted_search_goes_on_from_its_last_layer() {
    let (place, files) = (Place::new("resume"), Place::new("resume-files"));
    std::fs::create_dir_all(&files.0).unwrap();
    let saved = files.file("saved");
    let space = Pancakes::new(&[3, 0, 6, 2, 4, 1, 5]).unwrap();
    let whole = bfs(&space, Some(&place.0), &Budget::default()).0.unwrap();
    for part in 0..50 {
        stop(&space, &place, &saved, whole.stats.expanded * part / 50);
        assert!(place.0.exists());
        let ended = go_on(&space, &place, &saved).unwrap();
        assert_eq!(ended.verdict, whole.verdict);
        let peak = |stats: &Stats| Stats { frontier_peak: 0, ..counters(stats) };
        assert_eq!(peak(&ended.stats), peak(&whole.stats));
        assert!(!place.0.exists());
    }
}

#[test]
fn damaged_layers_never_give_a_wrong_answer() {
    let (place, files) = (Place::new("damage"), Place::new("damage-files"));
    std::fs::create_dir_all(&files.0).unwrap();
    let saved = files.file("saved");
    let space = Pancakes::new(&[3, 0, 5, 2, 4, 1]).unwrap();
    let whole = bfs(&space, Some(&place.0), &Budget::default()).0.unwrap();
    stop(&space, &place, &saved, whole.stats.expanded * 2 / 3);
    let layers: Vec<(PathBuf, Vec<u8>)> = std::fs::read_dir(&place.0)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    assert!(layers.len() > 3);
    let checkpoint = std::fs::read(&saved).unwrap();
    let restore = || {
        std::fs::write(&saved, &checkpoint).unwrap();
        std::fs::create_dir_all(&place.0).unwrap();
        for (path, bytes) in &layers {
            std::fs::write(path, bytes).unwrap();
        }
    };
    let mut errors = 0;
    for (path, bytes) in &layers {
        let lengths = [0, 1, 8, bytes.len() / 2, bytes.len() - 1];
        let cut = lengths.iter().map(|&length| bytes[..length.min(bytes.len() - 1)].to_vec());
        let flipped = (0..bytes.len()).step_by(5).map(|at| {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            changed
        });
        for changed in cut.chain(flipped) {
            restore();
            std::fs::write(path, changed).unwrap();
            match go_on(&space, &place, &saved) {
                Ok(ended) => assert_eq!(ended.solution().unwrap().cost, whole.solution().unwrap().cost),
                Err(_) => errors += 1,
            }
        }
        restore();
        std::fs::remove_file(path).unwrap();
        assert!(matches!(go_on(&space, &place, &saved), Err(Unsupported::Saved(_))));
    }
    assert!(errors > 20, "{errors}");
    restore();
    assert_eq!(go_on(&space, &place, &saved).unwrap().verdict, whole.verdict);
}

#[test]
fn foreign_files_are_left_alone_and_bad_folders_are_errors() {
    let place = Place::new("foreign");
    let space = Pancakes::new(&[3, 0, 5, 2, 4, 1]).unwrap();
    std::fs::create_dir_all(&place.0).unwrap();
    std::fs::write(place.file("diary"), "dear").unwrap();
    let refused = bfs(&space, Some(&place.0), &Budget::default()).0.unwrap_err();
    assert!(refused.to_string().contains("there are files in it"), "{refused}");
    assert_eq!(std::fs::read_to_string(place.file("diary")).unwrap(), "dear");
    let inside = place.file("diary").join("folder");
    let refused = bfs(&space, Some(&inside), &Budget::default()).0.unwrap_err();
    assert!(matches!(&refused, Unsupported::Disk(why) if why.contains("cannot work in")), "{refused}");
    let settings = Settings { disk: Some(place.0.clone()), ..Settings::default() };
    let astar = Search::new(&space).settings(settings).run("astar");
    assert!(matches!(astar, Err(Unsupported::Needs { .. })));
    let one_way = World::random(1, 50, true, false);
    let refused = bfs(&one_way, Some(&place.0), &Budget::default()).0;
    assert!(matches!(refused, Err(Unsupported::Needs { .. })));
}
