//! The classic command's search and its files: counters against a plain queue, messages verbatim.
#![allow(clippy::unwrap_used)] // a test that cannot go on should say so

mod flow_plain;

use std::collections::VecDeque;

use beeline_flow::classic::{self, BadFile, Classic, Flag};
use beeline_flow::make;
use beeline_flow::pen::with_drawn;
use beeline_flow::prune::Rules;
use beeline_flow::{Board, Cell, DIRS, Order};
use beeline_search::Random;
use flow_plain::{board, example, scattered};

/// The rules of the original, implemented literally on a grid of colours.
struct Plain<'a> {
    board: &'a Board,
    order: Vec<usize>,
    constrained: bool,
    deadends: bool,
    whole_board: bool,
}

#[derive(Clone)]
struct Node {
    owner: Vec<Option<usize>>,
    heads: Vec<usize>,
    joined: Vec<bool>,
    last: Option<usize>,
}

impl Plain<'_> {
    fn next_colour(&self, node: &Node) -> Option<usize> {
        if let Some(last) = node.last.filter(|&c| !node.joined[c]) {
            return Some(last);
        }
        let waiting = self.order.iter().copied().filter(|&c| !node.joined[c]);
        if !self.constrained {
            return waiting.clone().next();
        }
        let free =
            |c: usize| self.board.neighbours(node.heads[c]).filter(|&n| node.owner[n].is_none()).count();
        // The first of the smallest.
        waiting.min_by_key(|&c| (free(c), self.order.iter().position(|&o| o == c)))
    }

    fn dead(&self, node: &Node, painted: usize) -> bool {
        let open = |at: usize| {
            node.owner[at].is_none()
                || (0..node.heads.len())
                    .any(|c| !node.joined[c] && (node.heads[c] == at || self.board.colours()[c].goal == at))
        };
        let shut = |at: usize| {
            node.owner[at].is_none() && self.board.neighbours(at).filter(|&n| open(n)).count() <= 1
        };
        (self.deadends && self.board.neighbours(painted).any(shut))
            || (self.whole_board && (0..node.owner.len()).any(shut))
    }

    fn root(&self) -> Node {
        let owner = self.board.cells().iter().map(|c| match c {
            Cell::End(c) => Some(usize::from(*c)),
            _ => None,
        });
        let colours = self.board.colours();
        Node {
            owner: owner.collect(),
            heads: colours.iter().map(|c| c.start).collect(),
            joined: colours.iter().map(|c| self.board.adjacent(c.start, c.goal)).collect(),
            last: None,
        }
    }

    fn children(&self, node: &Node) -> Vec<(usize, Node)> {
        let Some(c) = self.next_colour(node) else { return Vec::new() };
        let goal = self.board.colours()[c].goal;
        let mut children = Vec::new();
        for dir in DIRS {
            let head = node.heads[c];
            let Some(to) = self.board.neighbour(head, dir) else { continue };
            let touches = |n: usize| n != head && n != goal && node.owner[n] == Some(c);
            if node.owner[to].is_some() || self.board.neighbours(to).any(touches) {
                continue;
            }
            let mut child = node.clone();
            child.owner[to] = Some(c);
            child.heads[c] = to;
            child.joined[c] = self.board.adjacent(to, goal);
            child.last = Some(c);
            children.push((to, child));
        }
        children
    }

    fn run(&self, max_nodes: usize) -> (Flag, usize) {
        let mut queue = VecDeque::from([self.root()]);
        let mut nodes = 1;
        while let Some(node) = queue.pop_front() {
            for (to, child) in self.children(&node) {
                if nodes >= max_nodes {
                    return (Flag::Full, nodes);
                }
                if self.dead(&child, to) {
                    continue;
                }
                if child.joined.iter().all(|&j| j) && child.owner.iter().all(Option::is_some) {
                    return (Flag::Solved, nodes);
                }
                nodes += 1;
                queue.push_back(child);
            }
        }
        (Flag::Unsolvable, nodes)
    }
}

#[test]
fn the_counters_are_those_of_a_plain_queue() {
    let mut random = Random::new(8);
    let mut boards: Vec<Board> =
        ["flow-first", "flow-seven", "flow-crossing"].into_iter().map(|name| board(example(name))).collect();
    while boards.len() < 60 {
        let size = 4 + random.below(3);
        boards.extend(make::solvable(size, size, size - 1, random.bits()));
        boards.extend(scattered(&mut random).filter(|b| b.cells().iter().all(|&c| c != Cell::Wall)));
    }
    for board in &boards {
        for options in 0..8 {
            let (constrained, deadends, whole_board) = (options & 1 == 0, options & 2 != 0, options & 4 != 0);
            let order = Order::by_edge(board, constrained);
            let list = order.list.iter().map(|&c| usize::from(c)).collect();
            let plain = Plain { board, order: list, constrained, deadends, whole_board };
            let limit = if options == 3 { 50 } else { 20_000 };
            let rules = Rules { deadends, board: whole_board, ..Rules::default() };
            let searched = classic::search(board, &order, rules, limit).unwrap();
            assert_eq!(
                (searched.flag, searched.nodes as usize),
                plain.run(limit as usize),
                "{board} {options}"
            );
            if searched.flag == Flag::Solved {
                assert_eq!(searched.plan.len(), board.free_cells());
                assert!(with_drawn(board.clone(), &searched.plan).is_ok());
            }
        }
    }
}

/// Pinned by the plain queue above and by the search, so that neither changes unnoticed.
#[test]
fn the_counters_of_our_own_boards() {
    let count = |name: &str, deadends: bool, constrained: bool| {
        let board = board(example(name));
        let order = Order::by_edge(&board, constrained);
        let rules = Rules { deadends, ..Rules::default() };
        let searched = classic::search(&board, &order, rules, 3_834_792).unwrap();
        (searched.flag, searched.nodes)
    };
    let row =
        |name| [(false, true), (true, true), (false, false), (true, false)].map(|(d, c)| count(name, d, c));
    let solved = |nodes: [u64; 4]| nodes.map(|n| (Flag::Solved, n));
    assert_eq!(row("flow-first"), solved(FIRST));
    assert_eq!(row("flow-seven"), solved(SEVEN));
    assert_eq!(row("flow-crossing"), CROSSING.map(|n| (Flag::Unsolvable, n)));
}

const FIRST: [u64; 4] = [60, 56, 60, 56];
const SEVEN: [u64; 4] = [3_810, 2_591, 3_697, 2_191];
const CROSSING: [u64; 4] = [5_329, 3_131, 5_331, 3_133];

/// Paths and distinct states of the classic space by depth; the plain rules above count the moves.
#[test]
fn perft() {
    let board = board(example("flow-first"));
    let order = Order::by_edge(&board, true);
    let list = order.list.iter().map(|&c| usize::from(c)).collect();
    let plain = Plain { board: &board, order: list, constrained: true, deadends: false, whole_board: false };
    let space = beeline_flow::Flow::<1>::new(&board, order).unwrap();
    let mut layer = vec![plain.root()];
    let mut counts = Vec::new();
    while !layer.is_empty() {
        counts.push(layer.len() as u64);
        layer = layer.iter().flat_map(|n| plain.children(n)).map(|(_, child)| child).collect();
    }
    assert_eq!(walk(&space, &mut beeline_search::Space::start(&space), 0, vec![0; counts.len() + 1]), counts);
}

fn walk(
    space: &beeline_flow::Flow<1>,
    state: &mut beeline_flow::State<1>,
    depth: usize,
    mut counts: Vec<u64>,
) -> Vec<u64> {
    use beeline_search::Space;
    counts[depth] += 1;
    for mv in space.moves(state) {
        let token = space.apply(state, mv);
        counts = walk(space, state, depth + 1, counts);
        space.undo(state, mv, token);
    }
    if depth == 0 {
        counts.retain(|&n| n > 0);
    }
    counts
}

#[test]
fn a_node_takes_at_most_forty_bytes_at_nine_by_nine() {
    let nine = board(example("flow-nine"));
    let order = Order::by_edge(&nine, true);
    let searched = classic::search(&nine, &order, Rules::default(), 200_000).unwrap();
    assert_eq!((searched.flag, searched.nodes), (Flag::Full, 200_000));
    assert!(searched.bytes as u64 <= 40 * searched.nodes, "{} bytes", searched.bytes);
}

#[test]
fn files_are_read_or_refused_as_in_the_original() {
    let read = |text: &str| {
        Classic::read("F", text.as_bytes()).map(|c| c.paints).map_err(|e| match e {
            BadFile::Message(m) | BadFile::OneEnd { message: m, .. } => m,
        })
    };
    assert_eq!(read("R.R\r\n...\r\n7#_"), Ok(vec![0]));
    assert_eq!(read("BAB\n.A.\n...\nextra\n"), Ok(vec![1, 0]));
    let fifteen = format!("R{}R\n{}", ".".repeat(13), format!("{}\n", ".".repeat(15)).repeat(14));
    assert_eq!(read(&fifteen), Ok(vec![0]));
    let refused = [
        ("", "F:1: unexpected EOF"),
        ("R\nR\n", "F:1: expected at least 3 characters before newline"),
        ("R.R\n...\n", "F:3: unexpected EOF"),
        ("R.R\n..\n...\n", "F:2: wrong number of characters before newline (expected 3, but got 2)"),
        ("................\n", "F:1: size too big!"),
        (".................\n", "F:1 line too long"),
        ("R.R\n.R.\n...\n", "F:2 too many R already!"),
        ("R.R\n.Z.\n...\n", "F:2: unrecognized color Z"),
        ("...\n...\n...\n", "empty map!"),
        ("R.R\nY..\n...\n", "F: color Y has start but no end"),
        ("RBYGOC\nMmPAWg\nTbcpQ.\nRBYGOC\nMmPAWg\nTbcpQ.\n", "F:3: can't use color Q- too many colors!"),
    ];
    for (text, message) in refused {
        assert_eq!(read(text), Err(message.to_owned()));
    }
}
