//! Sliding bricks: four searches side by side, how long depth-first plans are, and what normalising saves.

use super::super::Block;
use super::super::data::{Data, exponent, power};
use crate::plots::{PlotSpec, scatter};
use crate::summary::{geometric_mean, pairs};
use crate::table::{Cell, Table};
use crate::{Record, column};

const SEARCHES: [(&str, &str); 4] =
    [("classic-bfs", "BFS"), ("classic-dfs", "DFS"), ("classic-ids", "IDS"), ("classic-astar", "A*")];

pub(super) fn blocks(data: &Data) -> Vec<Block> {
    let normal: Vec<String> = SEARCHES.iter().filter_map(|(with, _)| strategy(data, with, true)).collect();
    let mut blocks = vec![
        Block::heading("Nodes, time and length"),
        Block::text(
            "Nodes are those explored: taken off the queue, or entered. All searches compare normal forms.",
        ),
        Block::Table(table(data)),
    ];
    let records: Vec<Record> = data.all.iter().filter(|r| normal.contains(&r.strategy)).cloned().collect();
    let figure = |x: &str, y: &str, title: &str| {
        let plot = PlotSpec {
            title: Some(title.into()),
            x: x.into(),
            y: y.into(),
            log: (true, true),
            ..PlotSpec::default()
        };
        scatter(&records, &plot)
    };
    let mut nodes = nodes_by_shortest(data, &records);
    nodes.caption = crate::plots::caption(&records);
    blocks.push(Block::figure(nodes));
    blocks.push(Block::figure(figure("expanded", "seconds", "Time over explored nodes")));
    blocks.push(lengths(data));
    blocks.push(Block::heading("What normalising saves"));
    blocks.push(Block::Table(saved(data)));
    blocks.push(normalising(data));
    blocks.push(order(data));
    blocks
}

fn strategy(data: &Data, with: &str, normal: bool) -> Option<String> {
    let found = data.strategies(|r| r.options.with == with && (r.options.normalise != Some(false)) == normal);
    found.into_iter().next()
}

fn nodes_by_shortest(data: &Data, records: &[Record]) -> crate::figure::Figure {
    let mut with = records.to_vec();
    for record in &mut with {
        if let Some(shortest) = data.shortest(record) {
            record.measured.figures.insert("steps of the shortest plan".into(), shortest);
        }
    }
    let plot = PlotSpec {
        title: Some("Explored nodes over the length of the shortest plan".into()),
        x: "steps of the shortest plan".into(),
        y: "expanded".into(),
        log: (false, true),
        ..PlotSpec::default()
    };
    let mut figure = scatter(&with, &plot);
    figure.y.label = "explored nodes".into();
    figure
}

fn table(data: &Data) -> Table {
    let mut heads = vec!["board".to_owned(), "bricks".to_owned()];
    for (_, name) in SEARCHES {
        heads.extend(["nodes", "time", "length"].map(|what| format!("{name} {what}")));
    }
    let mut table = Table::new(heads.iter().map(String::as_str));
    let names = SEARCHES.map(|(with, _)| strategy(data, with, true));
    for record in data.instances() {
        let mut cells = vec![Cell::words(&record.instance), column::cell("bricks", record)];
        for name in &names {
            let run = name.as_ref().and_then(|name| data.beside(record, name));
            for column in ["expanded", "seconds", "steps"] {
                cells.push(run.map_or_else(Cell::empty, |run| column::cell(column, run)));
            }
        }
        table.row(cells);
    }
    table.notes.push(
        "Empty: stopped by a limit; no length: proved unsolvable. \"< 1 ms\": too short to time.".to_owned(),
    );
    table
}

/// How depth-first lengths differ from the shortest.
fn lengths(data: &Data) -> Block {
    let question = "How does the length of depth-first plans differ?".to_owned();
    let Some(dfs) = strategy(data, "classic-dfs", true) else {
        return Block::Answer(question, "Depth-first search was not run.".into());
    };
    let points: Vec<(f64, f64)> = data
        .solved(&dfs)
        .filter_map(|r| Some((data.shortest(r)?, r.measured.steps? as f64)))
        .filter(|p| p.0 > 0.0)
        .collect();
    let ratios: Vec<f64> = points.iter().map(|p| p.1 / p.0).collect();
    let (Some(mean), Some(most)) = (geometric_mean(&ratios), ratios.iter().copied().reduce(f64::max)) else {
        return Block::Answer(
            question,
            "Depth-first search solved no board whose shortest plan is known.".into(),
        );
    };
    let equal = ratios.iter().filter(|r| **r <= 1.0).count();
    let growth = power(&points).map_or_else(String::new, |fit| {
        format!(" Its length grows as that of the shortest plan to the power {}.", exponent(&fit))
    });
    let others: Vec<String> = ["classic-bfs", "classic-ids", "classic-astar"]
        .iter()
        .filter_map(|with| strategy(data, with, true))
        .filter(|name| {
            data.solved(name)
                .any(|r| data.shortest(r).is_some_and(|s| (r.measured.steps.unwrap_or(0) as f64) > s))
        })
        .collect();
    let others = if others.is_empty() {
        "BFS, IDS and A* found the shortest plan wherever they found one.".to_owned()
    } else {
        format!("Longer than the shortest as well: {}.", others.join(", "))
    };
    let text = format!(
        "On the {} boards that it solved, depth-first search finds plans {mean:.1} times as long as the shortest (geometric mean), at \
         most {most:.1} times; {equal} times it finds a shortest one.{growth} {others}",
        ratios.len()
    );
    Block::Answer(question, text)
}

fn saved(data: &Data) -> Table {
    let mut table =
        Table::new(["search", "boards", "nodes, as given", "nodes, normalised", "saved", "memory left"]);
    for (with, title) in SEARCHES {
        let (Some(given), Some(normal)) = (strategy(data, with, false), strategy(data, with, true)) else {
            continue;
        };
        let both = pairs(&data.all, (&given, &normal), &|r| column::number("expanded", r));
        let bytes = pairs(&data.all, (&given, &normal), &|r| column::number("bytes", r));
        let sum = |pick: fn(&(String, f64, f64)) -> f64| both.iter().map(pick).sum::<f64>();
        let mean = |all: &[(String, f64, f64)]| {
            geometric_mean(&all.iter().filter(|p| p.1 > 0.0).map(|p| p.2 / p.1).collect::<Vec<_>>())
        };
        let count = |n: f64| Cell::number(n, crate::column::Unit::Count);
        let text = |share: Option<String>| {
            share.map_or_else(Cell::empty, |t| Cell { right: true, ..Cell::words(t) })
        };
        table.row(vec![
            Cell::words(title),
            count(both.len() as f64),
            count(sum(|p| p.1)),
            count(sum(|p| p.2)),
            text(mean(&both).map(|m| format!("{:.1} ×", 1.0 / m))),
            text(mean(&bytes).map(|m| format!("{:.0} %", 100.0 * m))),
        ]);
    }
    table.notes.push(
        "Boards that both have answered; \"saved\" and \"left\" are geometric means of the ratios.".into(),
    );
    table
}

fn normalising(data: &Data) -> Block {
    let mut parts = Vec::new();
    for (with, title) in SEARCHES {
        let (Some(given), Some(normal)) = (strategy(data, with, false), strategy(data, with, true)) else {
            continue;
        };
        let both = pairs(&data.all, (&given, &normal), &|r| column::number("expanded", r));
        let ratios: Vec<f64> = both.iter().filter(|p| p.2 > 0.0).map(|p| p.1 / p.2).collect();
        let alone = data.of(&normal).filter(|r| data.beside(r, &given).is_none()).count();
        if let (Some(mean), Some(most)) = (geometric_mean(&ratios), ratios.iter().copied().reduce(f64::max)) {
            parts.push(format!(
                "**{title}** explores {mean:.1} times fewer nodes with it (geometric mean, n = {}), at most {most:.1} times fewer; \
                 {} answered only with it",
                ratios.len(),
                if alone == 1 { "1 board is".to_owned() } else { format!("{alone} boards are") }
            ));
        }
    }
    let text =
        if parts.is_empty() { "No board was answered both ways.".to_owned() } else { parts.join(". ") + "." };
    Block::Answer("What does normalising save?".into(), text)
}

/// Which search explores the fewest nodes.
fn order(data: &Data) -> Block {
    let question = "Which search explores the fewest nodes, and which is the fastest?".to_owned();
    let names: Vec<String> = SEARCHES.iter().filter_map(|(with, _)| strategy(data, with, true)).collect();
    let Some(first) = names.first() else { return Block::Answer(question, "None was run.".into()) };
    let common: Vec<&Record> =
        data.of(first).filter(|r| names.iter().all(|name| data.beside(r, name).is_some())).collect();
    let mean = |name: &str, metric: &str| {
        let values = common.iter().filter_map(|r| column::number(metric, data.beside(r, name)?));
        geometric_mean(&values.collect::<Vec<_>>())
    };
    let mut rows: Vec<(f64, f64, &String)> = names
        .iter()
        .filter_map(|name| Some((mean(name, "expanded")?, mean(name, "seconds")?, name)))
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let parts: Vec<String> = rows
        .iter()
        .map(|(nodes, time, name)| format!("{name} {nodes:.0} nodes in {:.2} ms", time * 1e3))
        .collect();
    let text = if parts.is_empty() {
        "No board was answered by all of them.".to_owned()
    } else {
        format!(
            "Geometric means over the {} boards that all have answered: {}.",
            common.len(),
            parts.join("; ")
        )
    };
    Block::Answer(question, text)
}
