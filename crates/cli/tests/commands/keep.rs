//! `--checkpoint`, `--disk`, `beeline resume` and `beeline tiles space`, with the real puzzles.

use beeline_cli::commands::World;
use serde_json::Value;

use crate::harness::{Done, Folder, Runner};

fn real(args: &[&str]) -> Done {
    Runner { world: World::default(), ..Runner::default() }.run(args)
}

/// The results of a run, without its time and memory.
fn found(done: &Done) -> Value {
    let mut record: Value = serde_json::from_str(&done.out).expect(&done.out);
    record["command"] = Value::Null;
    for own in ["seconds", "bytes"] {
        record["stats"][own] = Value::Null;
    }
    record
}

#[test]
fn every_kind_goes_on_from_where_it_was() {
    let folder = Folder::new("keep");
    let file = folder.0.join("saved").display().to_string();
    let jobs: [&[&str]; 9] = [
        &["tiles-first", "--with", "astar", "--heuristic", "linear-conflict"],
        &["tiles-first", "--with", "idastar", "--heuristic", "walking-distance"],
        &["tiles-first", "--with", "ids"],
        &["bricks-first", "--with", "bfs"],
        &["bricks-first", "--with", "astar", "--objective", "moves"],
        &["gate-first", "--with", "iw"],
        &["sokoban-first", "--with", "astar"],
        &["flow-first", "--with", "greedy"],
        &["flow-first", "--with", "dfs", "--rules", "none"],
    ];
    for job in jobs {
        let whole = real(&[&["solve"], job, &["--json"]].concat());
        assert_eq!(whole.code, 0, "{job:?}: {}", whole.err);
        let whole = found(&whole);
        let expanded = whole["stats"]["expanded"].as_u64().expect("a count");
        for part in 0..6 {
            let nodes = (expanded * part / 6).to_string();
            let stopped = real(
                &[&["solve"], job, &["--checkpoint", &file, "--nodes", &nodes, "--threads", "2"]].concat(),
            );
            assert_eq!(stopped.code, 22, "{job:?}: {}{}", stopped.out, stopped.err);
            assert!(stopped.err.contains("beeline resume"), "{}", stopped.err);
            let ended = real(&["resume", &file, "--json"]);
            assert_eq!(found(&ended), whole, "{job:?} stopped at {nodes}");
            assert!(!folder.0.join("saved").exists());
        }
    }
}

#[test]
fn layers_on_disk_are_the_same_search() {
    let folder = Folder::new("layers");
    let layers = folder.0.join("layers").display().to_string();
    let file = folder.0.join("saved").display().to_string();
    let whole = real(&["solve", "bricks-first", "--with", "bfs", "--json"]);
    let job = ["solve", "bricks-first", "--disk", &layers, "--memory", "100K", "--json"];
    let disk = real(&job);
    assert_eq!(found(&disk)["cost"], found(&whole)["cost"]);
    assert_eq!(std::fs::read_dir(&layers).expect("the folder").count(), 0, "nothing is left");
    let stopped = real(&[&job[..], &["--checkpoint", &file, "--nodes", "40"]].concat());
    assert_eq!(stopped.code, 22, "{}", stopped.err);
    assert_eq!(std::fs::read_dir(&layers).expect("the folder").count(), 1, "the layers stay");
    let again = real(&job);
    assert_eq!(again.code, 30);
    assert!(again.err.contains("there are files in it"), "{}", again.err);
    assert_eq!(found(&real(&["resume", &file, "--json"])), found(&disk));
    assert_eq!(std::fs::read_dir(&layers).expect("the folder").count(), 0);
}

#[test]
fn what_cannot_be_kept_is_said_before_the_search() {
    let folder = Folder::new("unkept");
    let file = folder.0.join("saved").display().to_string();
    let said = |args: &[&str], code: u8, what: &str| {
        let done = real(args);
        assert_eq!(done.code, code, "{args:?}: {}", done.err);
        assert!(done.err.contains(what), "{args:?}: {}", done.err);
    };
    said(&["solve", "tiles-first", "--checkpoint", &file], 32, "best cannot be stopped and go on");
    said(&["solve", "tiles-first", "--with", "walk", "--checkpoint", &file], 32, "walk cannot be stopped");
    let nowhere = folder.0.join("no/such/folder/file").display().to_string();
    said(
        &["solve", "tiles-first", "--with", "bfs", "--checkpoint", &nowhere],
        30,
        "cannot write a checkpoint",
    );
    said(&["solve", "tiles-first", "bricks-first", "--checkpoint", &file], 30, "there are several puzzles");
    said(&["solve", "sokoban-first", "--disk", &file], 32, "cannot be taken back");
    said(&["solve", "tiles-first", "--with", "astar", "--disk", &file], 32, "only bfs");
    let diary = folder.file("diary", "dear");
    said(&["solve", "tiles-first", "--with", "bfs", "--checkpoint", &diary], 30, "is there already");
    said(&["resume", &diary], 31, "no checkpoint of Beeline");
    said(&["resume", &file], 31, "No such file");
    let stop = ["solve", "tiles-first", "--with", "bfs", "--checkpoint", &file, "--nodes", "50"];
    assert_eq!(real(&stop).code, 22);
    let whole = std::fs::read(&file).expect("the checkpoint");
    let torn = folder.file("torn", &whole[..whole.len() / 2]);
    said(&["resume", &torn], 31, "damaged");
    let mut older = whole.clone();
    older[8] += 1;
    said(&["resume", &folder.file("older", older)], 31, "another version");
    assert_eq!(std::fs::read(&file).expect("the checkpoint"), whole, "nothing is lost");
    assert_eq!(real(&["resume", &file]).code, 0);
}

#[test]
fn sizes_of_tiles_are_rows_and_columns_everywhere() {
    for (rows, columns) in [(2usize, 3usize), (3, 2), (2, 4)] {
        let size = format!("{rows}x{columns}");
        let census: Value =
            serde_json::from_str(&real(&["tiles", "space", &size, "--json"]).out).expect("JSON");
        assert_eq!(census["size"], Value::from(size.as_str()));
        let farthest = census["farthest"].as_str().expect("a board").to_owned();
        let made = real(&["make", "tiles", "--size", &size, "--walk", "4"]).out;
        let unremarked =
            |text: &str| text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
        for board in [unremarked(&farthest), unremarked(&made)] {
            let shape: Vec<usize> = board.lines().map(|line| line.split_whitespace().count()).collect();
            assert_eq!(shape, vec![columns; rows], "{board}");
            // On one line below `size:`, it is the same board.
            let line = board.split_whitespace().collect::<Vec<_>>().join(" ");
            let file = format!("size: {size}\n{line}\n");
            let facts = |text: &str| {
                let runner =
                    Runner { input: text.as_bytes().to_vec(), world: World::default(), ..Runner::default() };
                let done = runner.run(&["solve", "-", "--with", "astar", "--json"]);
                let record: Value = serde_json::from_str(&done.out).expect("JSON");
                (record["facts"]["size"].clone(), record["cost"].clone(), record["plan"].clone())
            };
            assert_eq!(facts(&file), facts(&board));
            assert_eq!(facts(&file).0, Value::from(format!("{rows} x {columns}")));
        }
        let same: Value =
            serde_json::from_str(&real(&["tiles", "space", &format!("{columns}x{rows}"), "--json"]).out)
                .expect("JSON");
        assert_eq!(same["by_distance"], census["by_distance"], "a board on its side has as many states");
    }
}

#[test]
fn a_small_space_of_tiles_is_counted() {
    let done = real(&["tiles", "space", "3x3", "--json"]);
    let record: Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!((record["states"].as_u64(), record["radius"].as_u64()), (Some(181_440), Some(31)));
    let layers: Vec<u64> =
        record["by_distance"].as_array().expect("layers").iter().filter_map(Value::as_u64).collect();
    assert_eq!((layers.len(), &layers[..5], layers[31]), (32, &[1, 2, 4, 8, 16][..], 2));
    // The farthest board has the stated distance.
    let folder = Folder::new("far");
    let far = folder.file("far.txt", record["farthest"].as_str().expect("a board"));
    let solved: Value = serde_json::from_str(&real(&["solve", &far, "--json"]).out).expect("JSON");
    assert_eq!(solved["cost"].as_u64(), Some(31));
    for bad in ["three", "1x9", "7x7"] {
        assert_eq!(real(&["tiles", "space", bad]).code, 30, "{bad}");
    }
    assert_eq!(real(&["tiles", "space", "4x4", "--memory", "1G"]).code, 21);
    assert_eq!(real(&["tiles", "space", "3x3", "--nodes", "100"]).code, 22);
}

/// Simulates a full disk: files of more than this many blocks of 512 bytes fail with an error and not with a signal.
#[cfg(unix)]
fn on_a_full_disk(folder: &Folder, blocks: u32, args: &str) -> (Option<i32>, String, String) {
    let program = env!("CARGO_BIN_EXE_beeline");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {program} {args}");
    let done = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(&folder.0)
        .output()
        .expect("a shell");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let folder = Folder::new("full");
    // A hardest 8-puzzle: layers of up to 120 KB, and larger checkpoints.
    folder.file("hard.txt", "8 0 6\n5 4 7\n2 3 1\n");
    let (code, _, err) = on_a_full_disk(&folder, 64, "solve hard.txt --with bfs --disk layers --memory 1M");
    assert!(code == Some(30) && err.contains("layer-") && err.contains("too large"), "{code:?}: {err}");
    assert_eq!(
        std::fs::read_dir(folder.0.join("layers")).expect("our folder").count(),
        0,
        "what it wrote is gone"
    );
    // With so few blocks, not even the first checkpoint fits. After a checkpoint that took long to write, the next
    // one comes late or not at all.
    let (code, out, err) =
        on_a_full_disk(&folder, 1, "solve hard.txt --with bfs --checkpoint saved --every 1ms --quiet");
    assert_eq!((code, out.trim().replace(' ', "").len()), (Some(0), 31), "the search goes on: {err}");
    assert!(err.contains("could not be written"), "{err}");
    let left = std::fs::read_dir(&folder.0).expect("our folder").filter_map(Result::ok);
    let left: Vec<_> = left.filter(|e| e.file_name().to_string_lossy().starts_with("saved")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn files_beside_a_checkpoint_are_left_alone() {
    let folder = Folder::new("beside");
    let theirs = ["z.new", "z.tmp", "z~", ".z.new"];
    for name in theirs {
        folder.file(name, name);
    }
    let file = folder.0.join("z").to_str().expect("a plain path").to_owned();
    let every = ["--every", "1ms", "--checkpoint", &file];
    let stopped = real(&[&["solve", "tiles-first", "--with", "bfs", "--nodes", "50"], &every[..]].concat());
    assert_eq!(stopped.code, 22, "{}", stopped.err);
    assert_eq!(real(&["resume", &file]).code, 0);
    for name in theirs {
        let kept = std::fs::read_to_string(folder.0.join(name));
        assert_eq!(kept.ok().as_deref(), Some(name), "a file of the user's");
    }
    assert_eq!(
        std::fs::read_dir(&folder.0).expect("our folder").count(),
        theirs.len(),
        "nothing else is left"
    );
}

/// Boards of separate rooms side by side, with a goal room that nothing can enter. Every room is a space of its own,
/// so the number of positions is the product of those of the rooms.
fn rooms(rooms: &[&[&[i32]]]) -> String {
    let goal: &[&[i32]] = &[&[-1, -1], &[-1, -1]];
    let all: Vec<&[&[i32]]> = rooms.iter().copied().chain([goal]).collect();
    let height = all.iter().map(|room| room.len()).max().unwrap_or(0) + 2;
    let row = |y: usize| {
        let cells = all.iter().enumerate().flat_map(|(r, room)| {
            let wall = vec![1; room[0].len()];
            let row = y.checked_sub(1).and_then(|y| room.get(y)).map_or(wall, |row| row.to_vec());
            // The master is brick 2 in the first room. The numbers of the other bricks must differ between rooms.
            row.into_iter().map(move |n| if n > 2 { n + 20 * r as i32 } else { n }).chain([1])
        });
        let cells: Vec<String> = [1].into_iter().chain(cells).map(|n| n.to_string()).collect();
        cells.join(",") + ",\n"
    };
    let rows: Vec<String> = (0..height).map(row).collect();
    format!("{},{height},\n{}", rows[0].matches(',').count(), rows.concat())
}

const KLOTSKI: &[&[i32]] = &[&[3, 2, 2, 4], &[3, 2, 2, 4], &[5, 6, 6, 7], &[5, 8, 9, 7], &[10, 0, 0, 11]];
const MASTER: &[&[i32]] = &[&[2, 2], &[2, 2]];
const SMALL: &[&[i32]] = &[&[3, 3, 4], &[5, 6, 4], &[5, 0, 0], &[7, 8, 8]];
const SMALLER: &[&[i32]] = &[&[3, 3, 4, 4], &[5, 6, 0, 0], &[5, 6, 7, 8]];

/// The number of positions of a board, by the whole-space command and by the layers on disk.
fn positions(folder: &Folder, board: &str) -> u64 {
    let file = folder.file("room.txt", board);
    let record: Value = serde_json::from_str(&real(&["bricks", "space", &file, "--json"]).out).expect("JSON");
    record["states"].as_u64().expect("a count")
}

fn positions_on_disk(folder: &Folder, board: &str, memory: &str) -> (u64, u64) {
    let file = folder.file("rooms.txt", board);
    let layers = folder.0.join("layers").display().to_string();
    let done = real(&["solve", &file, "--disk", &layers, "--memory", memory, "--json"]);
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
    let record: Value = serde_json::from_str(&done.out).expect("JSON");
    (record["stats"]["stored"].as_u64().expect("a count"), record["stats"]["bytes"].as_u64().expect("bytes"))
}

#[test]
fn rooms_side_by_side_have_the_product_of_their_positions_on_disk() {
    let folder = Folder::new("rooms");
    let small = positions(&folder, &rooms(&[MASTER, SMALL]));
    let smaller = positions(&folder, &rooms(&[MASTER, SMALLER]));
    let (both, _) = positions_on_disk(&folder, &rooms(&[MASTER, SMALL, SMALLER]), "1M");
    assert_eq!((small, smaller, both), (166, 28, 166 * 28));
}

#[test]
#[ignore = "long: cargo xtask prove (120,638,840 positions on disk take minutes)"]
fn three_rooms_of_a_hundred_million_positions_in_a_tenth_of_their_space() {
    let folder = Folder::new("three-rooms");
    assert_eq!(positions(&folder, &rooms(&[KLOTSKI])), 25_955);
    let (all, bytes) = positions_on_disk(&folder, &rooms(&[KLOTSKI, SMALLER, SMALL]), "150M");
    assert_eq!(all, 25_955 * 28 * 166);
    // The whole space takes 1,930 MB at sixteen bytes per position.
    assert!(bytes <= 150 << 20);
}

#[test]
#[ignore = "long: cargo xtask prove (239,500,800 boards on disk take many minutes)"]
fn the_farthest_board_of_three_by_four_in_a_tenth_of_its_space() {
    let folder = Folder::new("eleven");
    let census: Value = serde_json::from_str(&real(&["tiles", "space", "3x4", "--json"]).out).expect("JSON");
    let far = folder.file("far.txt", census["farthest"].as_str().expect("a board"));
    let layers = folder.0.join("layers").display().to_string();
    // The whole space takes 1,437 MB at six bytes per state.
    let done = real(&["solve", &far, "--disk", &layers, "--memory", "137M", "--json"]);
    let record: Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!((record["cost"].as_u64(), record["promise"].as_str()), (Some(53), Some("optimal")));
    assert!(record["stats"]["stored"].as_u64() > Some(200_000_000), "{}", record["stats"]);
    assert!(record["stats"]["bytes"].as_u64() <= Some(137 << 20));
}
