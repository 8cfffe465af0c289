//! Collections: read level by level. Those in the SOK format are also written with their solutions; those in XML are read by the
//! module `xml`.
//!
//! Around the boards there are titles, notes (`Author: …`), blocks of comments (`Comment:` to `Comment-End:`), reader notes
//! (`::`), and games: lines of l r u d L R U D below a board, with a title such as `Solution` or `Saved game`.

use super::board::Dir;
use super::plan::capitals;
use super::text::{Level, MAX_HEIGHT, Recorded, Row, board, rows, too_tall};
use super::xml;
use crate::text::{Line, TextError, lines};

/// The content of a line.
enum Content<'a> {
    /// A blank line.
    Blank,
    /// One or more rows of a board.
    Rows(Vec<Row>),
    /// A line of a board that cannot be read.
    Broken(TextError),
    /// A key and value about a level: ("title", "The way home").
    Note(&'a str, &'a str),
    /// A line of a block of comments.
    Comment(&'a str),
    /// A line only for human readers. It belongs to no level and ends no board.
    Hidden,
    /// Any other text.
    Words(&'a str),
}

/// The lines of a file with their content.
struct Contents<'a> {
    text: &'a str,
    /// The offset of the next line.
    at: usize,
    /// The previous line was part of a board.
    inside: bool,
    /// The previous line was part of an unfinished block of comments.
    commented: bool,
}

impl<'a> Contents<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, inside: false, commented: false }
    }
}

impl<'a> Iterator for Contents<'a> {
    type Item = (Line<'a>, Content<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        let line = lines(rest).next()?;
        let line = Line { start: self.at, ..line };
        self.at += rest.find('\n').map_or(rest.len(), |end| end + 1);
        if self.commented {
            let end = matches!(note(line.text.trim()), Some(Content::Note("comment-end", _)));
            self.commented = !end;
            return Some((line, if end { Content::Hidden } else { Content::Comment(line.text) }));
        }
        let content = content(&line, self.inside);
        if let Content::Note("comment", value) = content
            && ends_in_block(&self.text[self.at..])
        {
            (self.inside, self.commented) = (false, true);
            let value = value.trim();
            return Some((line, if value.is_empty() { Content::Hidden } else { Content::Comment(value) }));
        }
        self.inside = match content {
            Content::Rows(_) | Content::Broken(_) => true,
            Content::Hidden => self.inside,
            _ => false,
        };
        Some((line, content))
    }
}

/// Does the comment before this text end with `Comment-End:`? If another comment begins first, it does not.
fn ends_in_block(rest: &str) -> bool {
    let notes = lines(rest).filter_map(|line| note(line.text.trim()));
    let mut ends = notes.filter_map(|note| match note {
        Content::Note("comment-end", _) => Some(true),
        Content::Note("comment", _) => Some(false),
        _ => None,
    });
    ends.next().unwrap_or(false)
}

/// A level of a file or its error.
pub(super) struct Entry {
    /// The offset of the level: at its title, or at its board. It ends where the next one begins.
    pub(super) start: usize,
    pub(super) level: Result<Level, TextError>,
}

/// Reads a file with one or more levels; the first error ends it.
pub fn parse(text: &str) -> Result<Vec<Level>, TextError> {
    parse_each(text).into_iter().collect()
}

/// Reads each level of a file separately.
pub fn parse_each(text: &str) -> Vec<Result<Level, TextError>> {
    let levels: Vec<_> = entries(text).into_iter().map(|entry| entry.level).collect();
    if !levels.is_empty() {
        return levels;
    }
    let none = TextError::new(0..text.len().min(1), "there is no board here", "rows of # and floor");
    let help = "a board is drawn with # wall, @ player, $ box, . goal, * box on goal, + player on goal";
    vec![Err(none.help(help))]
}

fn entries(text: &str) -> Vec<Entry> {
    if xml::recognises(text) {
        return xml::entries(text);
    }
    let mut reader = Reader { titles_before: titles_before(text), ..Reader::default() };
    for (line, content) in Contents::new(text) {
        reader.line(&line, content);
    }
    reader.finish()
}

/// Does this look like a Sokoban file?
pub fn recognises(text: &str) -> bool {
    if xml::recognises(text) {
        return true;
    }
    let mut walls = 0;
    let (mut player, mut boxes) = (false, false);
    for (_, content) in Contents::new(text).take(2000) {
        if let Content::Rows(rows) = content {
            walls += rows.len();
            for (cell, _) in rows.iter().flatten() {
                player |= cell.player;
                boxes |= cell.boxed || cell.goal;
            }
            if walls >= 3 && player && boxes {
                return true;
            }
        }
    }
    false
}

/// Do notes precede the board that they describe? In most files they follow it. A `Title:` before the first board, with none
/// behind the last, says otherwise. A single title before several boards is the title of the collection.
fn titles_before(text: &str) -> bool {
    let (mut boards, mut inside) = (0, false);
    let (mut first, mut between, mut since) = (false, false, false);
    for (_, content) in Contents::new(text) {
        let drawn = matches!(content, Content::Rows(_) | Content::Broken(_));
        if drawn && !inside {
            between |= since && boards > 0;
            first |= since && boards == 0;
            since = false;
            boards += 1;
        }
        inside = drawn || inside && matches!(content, Content::Hidden);
        since |= matches!(content, Content::Note("title", _));
    }
    first && !since && (boards == 1 || between)
}

/// Consecutive lines of moves.
struct Moves {
    letters: String,
    lines: usize,
    /// The offset of the first line.
    start: usize,
}

#[derive(Default)]
struct Reader {
    entries: Vec<Entry>,
    rows: Vec<Row>,
    /// The error of the board being read.
    bad: Option<TextError>,
    /// The bytes of the board being read.
    span: std::ops::Range<usize>,
    /// The last words before the next board and their offset: the title of the board or of a game.
    words: Option<(String, usize)>,
    /// Words after the last board that may still become a title.
    loose: Vec<String>,
    /// Lines of moves below the last board.
    moves: Option<Moves>,
    /// The author that the head of the file gives for all levels.
    author: Option<String>,
    /// Notes precede their boards.
    titles_before: bool,
    /// Notes on the next board, if notes precede boards, and their offset.
    above: Above,
}

#[derive(Default)]
struct Above {
    start: Option<usize>,
    title: Option<String>,
    author: Option<String>,
    remarks: Vec<String>,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>, content: Content<'_>) {
        match content {
            Content::Hidden => {}
            Content::Rows(_) | Content::Broken(_) => self.row(line, content),
            Content::Blank => self.pause(),
            Content::Note(key, value) => {
                self.pause();
                self.note(line, key, value.trim());
            }
            Content::Comment(remark) => {
                self.pause();
                self.remark(remark.trim().to_owned());
            }
            Content::Words(words) if self.is_moves(line, words) => self.moves(line, words),
            Content::Words(words) => {
                self.pause();
                self.words(words.to_owned(), line.start);
            }
        }
    }

    /// Ends a board or a game.
    fn pause(&mut self) {
        self.close();
        self.close_game();
    }

    fn row(&mut self, line: &Line<'_>, content: Content<'_>) {
        self.close_game();
        if self.rows.is_empty() && self.bad.is_none() {
            self.span = line.span();
        }
        self.span.end = line.span().end;
        match content {
            // After an error the rest of the board is ignored.
            _ if self.bad.is_some() => {}
            Content::Rows(rows) => {
                self.rows.extend(rows);
                if self.rows.len() > MAX_HEIGHT {
                    self.bad = Some(too_tall(line.span()));
                }
            }
            Content::Broken(error) => self.bad = Some(error),
            _ => {}
        }
    }

    /// Records words that may be a title.
    fn words(&mut self, words: String, start: usize) {
        // Only the last words before a board are its title. Earlier words were a remark.
        let earlier = self.words.replace((words, start));
        // Before the first board there is no level to remark on.
        self.loose.extend(earlier.map(|(words, _)| words).filter(|_| !self.entries.is_empty()));
    }

    fn note(&mut self, line: &Line<'_>, key: &str, value: &str) {
        if let Some(saved) = names_game(key) {
            if value.is_empty() {
                self.words(key.to_owned(), line.start);
            } else if of_moves(value) {
                self.record(value, saved);
            } else {
                self.remark(value.to_owned());
            }
            return;
        }
        let known = matches!(key, "title" | "author" | "comment" | "date" | "collection");
        let remark = || if known { value.to_owned() } else { line.text.trim().to_owned() };
        if self.titles_before && matches!(key, "title" | "author") {
            self.above.start.get_or_insert(line.start);
            let place = if key == "title" { &mut self.above.title } else { &mut self.above.author };
            *place = Some(value.to_owned());
            return;
        }
        match (self.entries.last_mut().map(|entry| &mut entry.level), key) {
            (Some(Ok(level)), "title") => level.title = Some(value.to_owned()),
            (Some(Ok(level)), "author") => level.author = Some(value.to_owned()),
            (None, "author") => self.author = Some(value.to_owned()),
            (_, "title" | "author") => {}
            _ => self.remark(remark()),
        }
    }

    /// Records a remark: on the level below if its title was read, otherwise on the one above.
    fn remark(&mut self, remark: String) {
        if self.above.title.is_some() {
            self.above.remarks.push(remark);
        } else if let Some(Entry { level: Ok(level), .. }) = self.entries.last_mut() {
            level.remarks.push(remark);
        }
    }

    /// Is this a line of a game? Only below a board, and not behind a `;`. The letters of words such as "Dull" count only where
    /// a game may occur.
    fn is_moves(&self, line: &Line<'_>, words: &str) -> bool {
        if line.text.trim_start().starts_with(';') {
            return false;
        }
        let below = !self.entries.is_empty() || !self.rows.is_empty() || self.bad.is_some();
        let named = self.words.as_ref().is_some_and(|(title, _)| names_game(title).is_some());
        below && (of_moves(words) || named && of_marked_moves(words))
    }

    fn moves(&mut self, line: &Line<'_>, words: &str) {
        self.close();
        let moves = self.moves.get_or_insert(Moves { letters: String::new(), lines: 0, start: line.start });
        moves.letters.extend(words.chars().filter(|c| !c.is_whitespace()));
        moves.lines += 1;
    }

    /// Ends the lines of moves: they are a game, or a word that may be a title.
    fn close_game(&mut self) {
        let Some(moves) = self.moves.take() else { return };
        let title = self.words.take();
        let named = title.as_ref().and_then(|(title, _)| names_game(title));
        let repeats = moves.letters.contains(|c: char| c.is_ascii_digit())
            && moves.letters.ends_with(|c| Dir::of(c).is_some());
        let certain = moves.lines > 1 || moves.letters.len() >= SURELY_MOVES || repeats || named.is_some();
        let possible = || match self.entries.last() {
            Some(Entry { level: Ok(level), .. }) => capitals(&level.board, &moves.letters).is_some(),
            _ => true,
        };
        if certain || possible() {
            if named.is_none() {
                self.loose.extend(title.map(|(title, _)| title));
            }
            self.record(&moves.letters, named.unwrap_or(false) || !of_moves(&moves.letters));
        } else {
            self.words = title;
            self.words(moves.letters, moves.start);
        }
    }

    fn record(&mut self, letters: &str, saved: bool) {
        if let Some(Entry { level: Ok(level), .. }) = self.entries.last_mut() {
            let letters = letters.chars().filter(|c| !c.is_whitespace()).collect();
            level.games.push(Recorded { letters, saved });
        }
    }

    /// Ends the board.
    fn close(&mut self) {
        if self.rows.is_empty() && self.bad.is_none() {
            return;
        }
        let rows = std::mem::take(&mut self.rows);
        let board = match self.bad.take() {
            Some(error) => Err(error),
            None => board(&rows, self.span.clone()),
        };
        self.keep_loose();
        let above = std::mem::take(&mut self.above);
        let words = self.words.take();
        let starts = [words.as_ref().map(|(_, start)| *start), above.start, Some(self.span.start)];
        let start = starts.into_iter().flatten().min().unwrap_or_default();
        let level = board.map(|board| Level {
            title: above.title.or(words.map(|(words, _)| words)),
            author: above.author.or_else(|| self.author.clone()),
            remarks: above.remarks,
            ..Level::new(board)
        });
        self.entries.push(Entry { start, level });
    }

    /// Turns words that became no title into remarks on the previous level.
    fn keep_loose(&mut self) {
        let loose = std::mem::take(&mut self.loose);
        if let Some(Entry { level: Ok(level), .. }) = self.entries.last_mut() {
            level.remarks.extend(loose);
        }
    }

    fn finish(mut self) -> Vec<Entry> {
        self.pause();
        self.loose.extend(self.words.take().map(|(words, _)| words));
        self.keep_loose();
        self.entries
    }
}

/// Letters of moves that cannot be a word: more than any English word of these letters has.
const SURELY_MOVES: usize = 10;

/// Only moves: letters, and numbers that repeat them.
fn of_moves(words: &str) -> bool {
    let part = |c: char| c.is_whitespace() || c.is_ascii_digit() || Dir::of(c).is_some();
    words.chars().all(part) && words.chars().any(|c| Dir::of(c).is_some())
}

/// Moves with the marks of games played backwards or with jumps. They are kept but not replayed.
fn of_marked_moves(words: &str) -> bool {
    let part =
        |c: char| c.is_whitespace() || c.is_ascii_digit() || "*[](),".contains(c) || Dir::of(c).is_some();
    words.chars().all(part)
}

/// Is this the title of a game? The value says whether the game is unfinished.
fn names_game(title: &str) -> Option<bool> {
    let title = title.trim_start().to_ascii_lowercase();
    let begins = |names: &[&str]| names.iter().any(|name| title.starts_with(name));
    if begins(&["saved game", "saved-game", "savegame", "save game", "snapshot"]) {
        return Some(true);
    }
    begins(&["solution"]).then_some(false)
}

/// The content of a line. `inside`: the previous line was part of a board.
fn content<'a>(line: &Line<'a>, inside: bool) -> Content<'a> {
    let whole = line.text;
    if whole.trim_start().starts_with("::") {
        return Content::Hidden;
    }
    let text = whole.split('%').next().unwrap_or_default();
    let bare = text.trim();
    if bare.is_empty() {
        // A comment with text is a remark. Between two rows it does not end the board.
        let comment = whole.trim().trim_start_matches('%').trim();
        return match (comment.is_empty(), inside && whole.contains('%')) {
            (_, true) => Content::Rows(Vec::new()),
            (true, false) => Content::Blank,
            (false, false) => Content::Words(comment),
        };
    }
    if let Some(words) = bare.strip_prefix(';') {
        let words = words.trim_start_matches(';').trim();
        return if words.is_empty() { Content::Blank } else { Content::Words(words) };
    }
    match rows(line, text) {
        Ok(rows) if inside || rows.iter().flatten().any(|(c, _)| c.wall) => Content::Rows(rows),
        Ok(_) => Content::Words(bare),
        Err(error) if looks_like_a_row(bare, inside) => Content::Broken(error),
        Err(_) => note(bare).unwrap_or(Content::Words(bare)),
    }
}

/// Is a line with a bad character meant as part of a board?
fn looks_like_a_row(bare: &str, inside: bool) -> bool {
    let fenced = bare.len() > 2 && bare.starts_with('#') && bare.ends_with('#');
    fenced || inside && (bare.starts_with('#') || bare.ends_with('#'))
}

/// The known keys of notes. Other lines with a colon are words.
const KEYS: &[&str] = &[
    "title",
    "author",
    "comment",
    "comment-end",
    "date",
    "collection",
    "solution",
    "saved game",
    "snapshot",
    "copyright",
    "email",
    "homepage",
    "website",
    "rating",
    "difficulty",
    "game",
];

fn note(bare: &str) -> Option<Content<'_>> {
    let (key, value) = bare.split_once(':')?;
    let key = key.trim();
    let end = key.eq_ignore_ascii_case("comment_end").then_some("comment-end");
    let name = end.or_else(|| KEYS.iter().copied().find(|name| key.eq_ignore_ascii_case(name)))?;
    Some(Content::Note(name, value))
}

/// The file with a solution below each of these levels, given by number from 0 and letters. Everything else stays unchanged,
/// and a solution that the file already has is not repeated. `None` for a collection in XML, which holds no solutions.
pub fn with_solutions(text: &str, solutions: &[(usize, String)]) -> Option<String> {
    if xml::recognises(text) {
        return None;
    }
    let entries = entries(text);
    let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(text.len());
    for (i, entry) in entries.iter().enumerate() {
        let start = if i == 0 { 0 } else { entry.start };
        let next = entries.get(i + 1).map(|next| next.start);
        out.push_str(&text[start..next.unwrap_or(text.len())]);
        let Ok(level) = &entry.level else { continue };
        let new = |letters: &&String| level.games.iter().all(|game| game.letters != **letters);
        let Some(letters) = solutions.iter().find(|(at, _)| *at == i).map(|(_, l)| l).filter(new) else {
            continue;
        };
        let pushes = letters.chars().filter(char::is_ascii_uppercase).count();
        let title = format!("Solution {}/{pushes}", letters.len());
        out.truncate(out.trim_end_matches(['\n', '\r']).len());
        for part in [end_of_line, end_of_line, &title, end_of_line, letters, end_of_line] {
            out.push_str(part);
        }
        out.extend(next.map(|_| end_of_line));
    }
    Some(out)
}
