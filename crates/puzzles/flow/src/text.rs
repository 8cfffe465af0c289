//! Boards and plans as text, both ways.
//!
//! A board is a rectangle of characters: `.` (or `_`, `-`) is free, `#` a wall, and a letter or digit an end, each twice. Where
//! a row has blanks between its cells, a label may have several characters, so that a board may have more colours than there are
//! letters. Lines `title: …`, `rule: fill|numberlink` and `drawn: Rl Rd` may stand above or below the rectangle; an
//! empty line ends a board, and `;` begins a remark.
//!
//! A plan is a list of steps: the label of a colour and `l`, `r`, `u` or `d`. The path of that colour grows by one cell from
//! its start, and is joined as soon as it stands beside its goal.

use std::ops::Range;

use super::board::{Board, BoardError, Cell, Dir, MAX_SIDE, Rule, Step};
use beeline_puzzle::text::{Line, TextError, lines};

/// The most characters of a label. A board has at most 2,048 colours, which numbers of four digits tell apart; names of
/// colours are no longer than this.
const MAX_LABEL: usize = 16;

/// Reads every board of a text.
pub fn parse(text: &str) -> Result<Vec<Board>, TextError> {
    let mut boards = Vec::new();
    let mut draft = Draft::default();
    for line in lines(text) {
        let trimmed = line.text.trim();
        if trimmed.starts_with(';') {
            continue;
        }
        if trimmed.is_empty() {
            if !draft.rows.is_empty() {
                boards.push(std::mem::take(&mut draft).finish()?);
            }
        } else if trimmed.contains(':') {
            draft.header(line)?;
        } else {
            draft.row(line)?;
        }
    }
    if !draft.rows.is_empty() {
        boards.push(draft.finish()?);
    }
    if boards.is_empty() {
        return Err(TextError::new(text.len()..text.len(), "there is no board", "rows of letters and dots"));
    }
    Ok(boards)
}

/// A label with where it stands.
#[derive(Clone)]
struct Token {
    label: String,
    span: Range<usize>,
}

#[derive(Default)]
struct Draft {
    rows: Vec<(Vec<Token>, Range<usize>)>,
    title: Option<String>,
    rule: Rule,
    drawn: Option<(String, usize)>,
}

impl Draft {
    fn header(&mut self, line: Line<'_>) -> Result<(), TextError> {
        let (key, value) = line.text.split_once(':').unwrap_or((line.text, ""));
        let value_at = line.start + key.len() + 1;
        match key.trim() {
            "title" => self.title = Some(value.trim().to_owned()),
            "rule" => {
                self.rule = match value.trim() {
                    "fill" => Rule::Fill,
                    "numberlink" => Rule::Numberlink,
                    other => {
                        let span = value_at..line.span().end;
                        return Err(TextError::new(
                            span,
                            format!("unknown rule '{other}'"),
                            "fill or numberlink",
                        ));
                    }
                };
            }
            "drawn" => self.drawn = Some((value.to_owned(), value_at)),
            other => {
                return Err(TextError::new(
                    line.span(),
                    format!("unknown line '{other}:'"),
                    "title:, rule: or drawn:",
                ));
            }
        }
        Ok(())
    }

    fn row(&mut self, line: Line<'_>) -> Result<(), TextError> {
        let tokens = tokens(line);
        if self.rows.len() == MAX_SIDE {
            return Err(TextError::new(line.span(), "the board has too many rows", "at most 64 rows"));
        }
        if tokens.len() > MAX_SIDE {
            return Err(TextError::new(line.span(), "the row is too long", "at most 64 cells"));
        }
        if let Some(long) = tokens.iter().find(|token| token.label.chars().nth(MAX_LABEL).is_some()) {
            let expected = format!("at most {MAX_LABEL} characters");
            return Err(TextError::new(long.span.clone(), "the label is too long", expected));
        }
        let width = self.rows.first().map_or(tokens.len(), |(first, _)| first.len());
        if width != tokens.len() {
            let message = format!("this row has {} cells, the first one has {width}", tokens.len());
            let end = line.span().end;
            let wrong = tokens.get(width).map_or(end..end, |extra| extra.span.start..end);
            return Err(TextError::new(wrong, message, "rows of equal length")
                .help("write a dot for every free cell"));
        }
        self.rows.push((tokens, line.span()));
        Ok(())
    }

    fn finish(self) -> Result<Board, TextError> {
        let width = self.rows[0].0.len();
        let whole = self.rows[0].1.start..self.rows.last().map_or(0, |r| r.1.end);
        let mut labels: Vec<(String, Vec<Range<usize>>)> = Vec::new();
        let mut cells = Vec::with_capacity(width * self.rows.len());
        for token in self.rows.iter().flat_map(|(tokens, _)| tokens) {
            let cell = match token.label.as_str() {
                "." | "_" | "-" => Cell::Free,
                "#" => Cell::Wall,
                label if label.chars().all(char::is_alphanumeric) => {
                    let known = labels.iter().position(|(l, _)| l == label);
                    let colour = known.unwrap_or_else(|| {
                        labels.push((label.to_owned(), Vec::new()));
                        labels.len() - 1
                    });
                    labels[colour].1.push(token.span.clone());
                    if labels[colour].1.len() > 2 {
                        return Err(TextError::new(
                            token.span.clone(),
                            format!("a third end of colour {label}"),
                            "each label exactly twice",
                        ));
                    }
                    Cell::End(colour as u16)
                }
                other => {
                    return Err(TextError::new(
                        token.span.clone(),
                        format!("unknown cell '{other}'"),
                        "a dot, # or a letter",
                    ));
                }
            };
            cells.push(cell);
        }
        if let Some((label, spans)) = labels.iter().find(|(_, spans)| spans.len() == 1) {
            return Err(TextError::new(
                spans[0].clone(),
                format!("colour {label} has one end only"),
                "each label exactly twice",
            ));
        }
        let names = labels.into_iter().map(|(label, _)| label).collect();
        let at = whole.clone();
        let mut board = Board::new(width, cells, names).map_err(|e| match e {
            BoardError::NoColours => {
                TextError::new(at, "the board has no colours", "at least one pair of letters")
            }
            other => TextError::new(at, other.to_string(), "a board"),
        })?;
        board.title = self.title;
        board.rule = self.rule;
        if let Some((plan, start)) = self.drawn {
            let steps = read_steps(&board, &plan).map_err(|e| e.shifted(start))?;
            let end = start + plan.len();
            board = board
                .with_drawn(&steps)
                .map_err(|e| TextError::new(start..end, e.to_string(), "steps that the rules allow"))?;
        }
        Ok(board)
    }
}

/// The cells of a row: characters, or words where there are blanks. Of a row that is too long, one cell too many.
fn tokens(line: Line<'_>) -> Vec<Token> {
    let text = line.text.trim_end();
    if text.trim_start().contains(char::is_whitespace) {
        let base = text.as_ptr() as usize;
        text.split_whitespace()
            .take(MAX_SIDE + 1)
            .map(|word| {
                let at = line.start + word.as_ptr() as usize - base;
                Token { label: word.to_owned(), span: at..at + word.len() }
            })
            .collect()
    } else {
        let skip = text.len() - text.trim_start().len();
        text.trim_start()
            .char_indices()
            .take(MAX_SIDE + 1)
            .map(|(i, c)| {
                let at = line.start + skip + i;
                Token { label: c.to_string(), span: at..at + c.len_utf8() }
            })
            .collect()
    }
}

/// Writes a board; [`parse`] reads it.
pub fn write(board: &Board) -> String {
    let mut out = String::new();
    if let Some(title) = &board.title {
        out.extend(["title: ", title.as_str(), "\n"]);
    }
    if board.rule != Rule::Fill {
        out.extend(["rule: ", board.rule.name(), "\n"]);
    }
    let widest = board.colours().iter().map(|c| c.label.chars().count()).max().unwrap_or(1);
    for row in board.cells().chunks(board.width()) {
        let words = row.iter().map(|cell| match cell {
            Cell::Free => ".",
            Cell::Wall => "#",
            Cell::End(c) => board.colours()[usize::from(*c)].label.as_str(),
        });
        let line = if widest == 1 {
            words.collect::<String>()
        } else {
            words.map(|w| format!("{w:>widest$}")).collect::<Vec<_>>().join(" ")
        };
        out.push_str(&line);
        out.push('\n');
    }
    if !board.drawn().is_empty() {
        let steps: Vec<String> = board.drawn().iter().map(|&s| show_step(board, s)).collect();
        out.extend(["drawn: ", &steps.join(" "), "\n"]);
    }
    out
}

/// A step in the plan notation.
pub fn show_step(board: &Board, step: Step) -> String {
    let label = board.colours().get(usize::from(step.colour)).map_or("?", |c| c.label.as_str());
    format!("{label}{}", step.dir.letter())
}

/// A step from the plan notation.
pub fn read_step(board: &Board, word: &str) -> Option<Step> {
    let dir = Dir::from_letter(word.chars().next_back()?)?;
    let label = &word[..word.len() - 1];
    Some(Step { colour: board.colour(label)?, dir })
}

/// The steps of a plan: words with blanks between them. A word may go on with more directions, `Rllu` for `Rl Rl Ru`, where
/// the label is one character.
pub fn read_steps(board: &Board, text: &str) -> Result<Vec<Step>, TextError> {
    let base = text.as_ptr() as usize;
    let mut steps = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
        let at = word.as_ptr() as usize - base;
        match read_word(board, word) {
            Some(more) => steps.extend(more),
            None => {
                return Err(TextError::new(
                    at..at + word.len(),
                    format!("'{word}' is not a step"),
                    "the label of a colour and l, r, u or d",
                ));
            }
        }
    }
    Ok(steps)
}

fn read_word(board: &Board, word: &str) -> Option<Vec<Step>> {
    // The longest label that leaves only directions behind it.
    let mut best = None;
    for (c, colour) in board.colours().iter().enumerate() {
        let Some(rest) = word.strip_prefix(colour.label.as_str()) else { continue };
        let dirs: Option<Vec<Dir>> = rest.chars().map(Dir::from_letter).collect();
        let longer = best.as_ref().is_none_or(|(length, _)| colour.label.len() > *length);
        if let Some(dirs) = dirs.filter(|d| !d.is_empty() && longer) {
            let steps = dirs.into_iter().map(|dir| Step { colour: c as u16, dir }).collect();
            best = Some((colour.label.len(), steps));
        }
    }
    best.map(|(_, steps)| steps)
}

/// Writes a plan: one word a run of the same colour, `Rllu Gd`; one word a step where another label begins with the same
/// letters, since `1rr` would be a step of the colour `1r`.
pub fn write_steps(board: &Board, steps: &[Step]) -> String {
    let mut out = String::new();
    let mut last = None;
    let label = |colour: u16| board.colours().get(usize::from(colour)).map_or("", |c| c.label.as_str());
    let clear: Vec<bool> = (0..board.colours().len() as u16)
        .map(|c| !board.colours().iter().any(|o| o.label != label(c) && o.label.starts_with(label(c))))
        .collect();
    for &step in steps {
        if last == Some(step.colour) && clear.get(usize::from(step.colour)) == Some(&true) {
            out.push(step.dir.letter());
        } else {
            if last.is_some() {
                out.push(' ');
            }
            out.push_str(&show_step(board, step));
        }
        last = Some(step.colour);
    }
    out
}

/// Does this look like a board? Rows of letters and dots alone.
pub fn recognises(text: &str) -> bool {
    let mut rows = lines(text)
        .map(|l| l.text.trim())
        .filter(|l| !l.is_empty() && !l.starts_with(';') && !l.contains(':'))
        .peekable();
    rows.peek().is_some()
        && text.contains('.')
        && rows.all(|row| row.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '#' | ' ')))
        && parse(text)
            .map_or_else(|e| e.message.starts_with("colour") || e.message.starts_with("a third"), |_| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_come_back() {
        for text in [
            "R.G\n...\nRG.\n",
            "title: t\nrule: numberlink\n12  . 12\n a  #  a\n",
            "R..\n...\n..R\ndrawn: Rr\n",
        ] {
            let board = parse(text).unwrap().remove(0);
            assert_eq!(parse(&write(&board)).unwrap().remove(0), board);
        }
    }

    #[test]
    fn errors_name_the_place() {
        let place = |text: &str| parse(text).map(|_| ()).map_err(|e| e.position(text));
        assert_eq!(place(""), Err((1, 1)));
        assert_eq!(place("R.G\n...\nRG\n"), Err((3, 3)));
        assert_eq!(place("R.G\n...\nRG..\n"), Err((3, 4)));
        assert_eq!(place("R.G\n..R\nRG.\n"), Err((3, 1)));
        assert_eq!(place("R.G\n...\nR..\n"), Err((1, 3)));
        assert_eq!(place("R.R\n.?.\n"), Err((2, 2)));
        assert_eq!(place("...\n...\n"), Err((1, 1)));
        assert_eq!(place("R.R\nrule: x\n"), Err((2, 6)));
        assert_eq!(place("R.R\ndrawn: Rx\n"), Err((2, 8)));
        assert_eq!(place("R.R\n...\ndrawn: Ru\n"), Err((3, 7)));
    }

    #[test]
    fn plans_come_back() {
        let board = parse("R..G\n....\nG..R\n").unwrap().remove(0);
        let steps = read_steps(&board, "Rrr Gd,Gl Rd").unwrap();
        assert_eq!(write_steps(&board, &steps), "Rrr Gdl Rd");
        assert_eq!(read_steps(&board, &write_steps(&board, &steps)).unwrap(), steps);
    }
}
