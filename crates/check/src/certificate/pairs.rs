//! Flow Free as clauses, the basis of a proof.
//!
//! There is a variable for each pair of neighbours (are they linked?) and one for each cell and colour. Literal `2 v` says that
//! variable v holds, `2 v + 1` that it does not. Every solution of the board satisfies all clauses. The reverse is false: links
//! may also form rings. So a proof may add that the links of a ring are not all present.

use crate::Flaw;
use crate::flow::{Board, Place, read};

/// The clauses of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The number of variables. The first ones are the links, in the order of `links`.
    pub variables: u32,
    /// The clauses, as literals.
    pub clauses: Vec<Vec<u32>>,
    /// The pairs of cells, by row and column.
    pub links: Vec<(Place, Place)>,
}

fn yes(variable: usize) -> u32 {
    2 * variable as u32
}

fn no(variable: usize) -> u32 {
    2 * variable as u32 + 1
}

/// The clauses of a board. With the steps of a solution also a clause that excludes exactly this solution.
pub fn encode(text: &str, solution: Option<&[String]>) -> Result<Encoding, Flaw> {
    let board = read(text)?;
    let cells: Vec<Place> = board.cells();
    let mut links: Vec<(Place, Place)> = Vec::new();
    for &cell in &cells {
        let beyond = ['r', 'd'].into_iter().filter_map(|way| board.beside(cell, way));
        links.extend(beyond.filter(|to| cells.contains(to)).map(|to| (cell, to)));
    }
    let colours = board.colours.len();
    let colour = |i: usize, k: usize| links.len() + i * colours + k;
    let number = |cell: Place| cells.binary_search(&cell).unwrap_or(0);
    let mut clauses: Vec<Vec<u32>> = Vec::new();
    for (link, &(a, b)) in links.iter().enumerate() {
        let (a, b) = (number(a), number(b));
        for k in 0..colours {
            clauses.push(vec![no(link), no(colour(a, k)), yes(colour(b, k))]);
            clauses.push(vec![no(link), yes(colour(a, k)), no(colour(b, k))]);
            if !board.touching {
                clauses.push(vec![yes(link), no(colour(a, k)), no(colour(b, k))]);
            }
        }
    }
    for (i, &cell) in cells.iter().enumerate() {
        let own: Vec<usize> =
            (0..links.len()).filter(|&l| links[l].0 == cell || links[l].1 == cell).collect();
        let all: Vec<usize> = (0..colours).map(|k| colour(i, k)).collect();
        for (n, &a) in all.iter().enumerate() {
            clauses.extend(all[n + 1..].iter().map(|&b| vec![no(a), no(b)]));
        }
        match board.colours.iter().position(|c| c.path[0] == cell || c.goal == cell) {
            Some(k) => {
                clauses.push(vec![yes(colour(i, k))]);
                clauses.push(own.iter().map(|&link| yes(link)).collect());
                for (n, &a) in own.iter().enumerate() {
                    clauses.extend(own[n + 1..].iter().map(|&b| vec![no(a), no(b)]));
                }
            }
            None => free_cell(&own, &all, board.fill, &mut clauses),
        }
    }
    // The links that the board has already.
    let link = |a: Place, b: Place| links.iter().position(|&pair| pair == (a, b) || pair == (b, a));
    let along =
        |path: &[Place]| path.windows(2).filter_map(|pair| link(pair[0], pair[1])).collect::<Vec<_>>();
    for colour in &board.colours {
        clauses.extend(along(&colour.path).into_iter().map(|link| vec![yes(link)]));
    }
    if let Some(steps) = solution {
        crate::flow::check(text, None, steps)?;
        let mut solved: Board<'_> = read(text)?;
        for step in steps {
            solved.paint(step).map_err(Flaw::Text)?;
        }
        let mut used = Vec::new();
        for colour in &mut solved.colours {
            colour.path.push(colour.goal);
            used.extend(along(&colour.path).into_iter().map(no));
        }
        clauses.push(used);
    }
    let variables = (links.len() + cells.len() * colours) as u32;
    Ok(Encoding { variables, clauses, links })
}

/// A free cell has two links and a colour, or neither where cells may stay empty.
fn free_cell(links: &[usize], colours: &[usize], fill: bool, clauses: &mut Vec<Vec<u32>>) {
    for (i, &a) in links.iter().enumerate() {
        for (j, &b) in links.iter().enumerate().skip(i + 1) {
            clauses.extend(links[j + 1..].iter().map(|&c| vec![no(a), no(b), no(c)]));
        }
        let others = links.iter().filter(|&&b| b != a).map(|&b| yes(b));
        clauses.push(others.chain((!fill).then_some(no(a))).collect());
    }
    let any_link = || links.iter().map(|&link| yes(link));
    let any_colour = || colours.iter().map(|&colour| yes(colour));
    if fill {
        clauses.push(any_link().collect());
        clauses.push(any_colour().collect());
    } else {
        clauses.extend(links.iter().map(|&link| any_colour().chain([no(link)]).collect()));
        clauses.extend(colours.iter().map(|&colour| any_link().chain([no(colour)]).collect()));
    }
}
