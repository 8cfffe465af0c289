//! Layout of reports: boards side by side, and texts with hanging indents.

use beeline_puzzles::Scene;
use beeline_view::ascii::fold;
use beeline_view::canvas;

use super::Screen;

/// A board, and the board after the plan.
pub(crate) fn boards(before: &Scene, after: Option<&Scene>, screen: &Screen) -> String {
    let arrow = if screen.ascii { "  ->  " } else { "  →  " };
    side_by_side(before, after, arrow, screen)
}

/// Boards one below the other, with names if there are several.
pub(crate) fn several(pictures: &[(String, Scene)], screen: &Screen) -> String {
    let blocks = pictures.iter().map(|(name, scene)| {
        let title = if pictures.len() > 1 { format!("{}\n\n", screen.bold(name)) } else { String::new() };
        title + &boards(scene, None, screen)
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// Two boards side by side if they fit, else one above the other.
pub(crate) fn side_by_side(before: &Scene, after: Option<&Scene>, between: &str, screen: &Screen) -> String {
    const MARGIN: usize = 2;
    let room = screen.columns.saturating_sub(MARGIN);
    let rows = screen.rows.clamp(12, 40) * 3 / 4;
    let half = after.map_or(room, |_| room.saturating_sub(between.chars().count()) / 2);
    let style = screen.style().fitted(before, half, rows);
    let first = canvas(before, style);
    let sheets = match after {
        None => vec![first],
        Some(after) => {
            let second = canvas(after, style);
            let both = first.beside(&second, between);
            if both.width() <= room { vec![both] } else { vec![first, second] }
        }
    };
    let texts = sheets.iter().map(|sheet| {
        let text = sheet.to_text(screen.colour);
        text.lines()
            .map(|line| format!("{}{line}", " ".repeat(MARGIN)).trim_end().to_owned() + "\n")
            .collect()
    });
    texts.collect::<Vec<String>>().join("\n")
}

/// A named line of the report, wrapped.
pub(crate) fn entry(name: &str, text: &str, screen: &Screen) -> String {
    hanging(name, 11, text, screen)
}

/// A text with a hanging indent of `indent` columns after its name.
pub(crate) fn hanging(name: &str, indent: usize, text: &str, screen: &Screen) -> String {
    let room = screen.columns.saturating_sub(indent).max(20);
    let text = if screen.ascii { &fold(text) } else { text };
    let mut out = String::new();
    for (i, line) in wrap(text, room).iter().enumerate() {
        let named = i == 0 && !name.is_empty();
        let head = if named { screen.bold(&format!("{name:<indent$}")) } else { " ".repeat(indent) };
        out += format!("{head}{line}").trim_end();
        out.push('\n');
    }
    out
}

/// Wraps a text at blanks. Words that are too long are split.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    // A dot between two parts stays on the line of the part before it.
    let text = text.replace(" · ", "\u{a0}· ");
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split([' ', '\n']).filter(|word| !word.is_empty()) {
        let mut word: Vec<char> = word.chars().collect();
        if length > 0 && length + 1 + word.len() > room && (word.len() <= room || length + 9 > room) {
            lines.push(String::new());
            length = 0;
        }
        while !word.is_empty() {
            let gap = usize::from(length > 0);
            let take = word.len().min(room - length - gap);
            let Some(line) = lines.last_mut() else { break };
            line.extend(std::iter::repeat_n(' ', gap));
            line.extend(word.drain(..take));
            length += gap + take;
            if !word.is_empty() {
                lines.push(String::new());
                length = 0;
            }
        }
    }
    lines.iter().map(|line| line.replace('\u{a0}', " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn texts_are_wrapped() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghijklmnopqrstuvwxyz", 10), ["abcdefghij", "klmnopqrst", "uvwxyz"]);
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("one · two · three", 10), ["one ·", "two ·", "three"]);
        assert_eq!(wrap("one · two · three", 11), ["one · two ·", "three"]);
        assert_eq!(wrap("ab abcdefghijklmnopqrstuvwxyz", 12), ["ab abcdefghi", "jklmnopqrstu", "vwxyz"]);
    }
}
