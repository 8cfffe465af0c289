//! A document, written as one self-contained HTML page or as Markdown with separate figures.

use crate::figure::{Figure, escape};
use crate::table::{Format, Table};

/// A document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The title.
    pub title: String,
    /// The parts.
    pub blocks: Vec<Block>,
}

/// A part of a document. Texts may contain `code` and **strong** markup.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading of the first or second order.
    Heading(u8, String),
    /// A paragraph.
    Text(String),
    /// A question and its answer.
    Answer(String, String),
    /// Short paragraphs.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A figure.
    Figure(Box<Figure>),
    /// The content of a file.
    Code(String),
}

impl Block {
    /// A heading of the first order.
    pub fn heading(text: &str) -> Self {
        Self::Heading(1, text.to_owned())
    }

    /// A paragraph.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A figure.
    pub fn figure(figure: Figure) -> Self {
        Self::Figure(Box::new(figure))
    }
}

const STYLE: &str = "body{font:16px/1.55 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;\
background:#fff}h1{font-size:1.9rem;line-height:1.2}h2{font-size:1.35rem;margin-top:2.6rem;border-bottom:1px solid #ddd;\
padding-bottom:.2rem}h3{font-size:1.08rem;margin-top:1.8rem}table{border-collapse:collapse;font-size:.84rem;\
font-variant-numeric:tabular-nums;margin:1rem 0}th,td{padding:.22rem .6rem;border-bottom:1px solid #e6e6e6;text-align:left;\
white-space:nowrap}th{border-bottom:2px solid #999}td.n,th.n{text-align:right}.wide{overflow-x:auto}figure{margin:1.4rem 0}\
figure svg{max-width:100%;height:auto;border:1px solid #eee}.answer{border-left:4px solid #0072b2;background:#f4f8fb;\
padding:.6rem 1rem;margin:1rem 0}.answer p{margin:.3rem 0}.q{font-weight:600}pre{background:#f6f6f6;padding:.8rem;overflow-x:auto;\
font-size:.82rem}code{background:#f3f3f3;padding:0 .2em}.note{color:#555;font-size:.84rem}\
@media print{body{max-width:none;margin:0}figure,table{break-inside:avoid}}";

impl Document {
    /// The document as one self-contained HTML page.
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width,initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
             <body>\n<h1>{title}</h1>\n"
        );
        for block in &self.blocks {
            out += &match block {
                Block::Heading(order, text) => format!("<h{0}>{1}</h{0}>\n", order + 1, inline(text)),
                Block::Text(text) => format!("<p>{}</p>\n", inline(text)),
                Block::Answer(question, answer) => format!(
                    "<div class=\"answer\"><p class=\"q\">{}</p><p>{}</p></div>\n",
                    inline(question),
                    inline(answer)
                ),
                Block::List(items) => {
                    let items = items.iter().map(|item| format!("<li>{}</li>", inline(item)));
                    format!("<ul>{}</ul>\n", items.collect::<String>())
                }
                Block::Table(table) => html_table(table),
                Block::Figure(figure) => format!("<figure>\n{}</figure>\n", figure.svg()),
                Block::Code(text) => format!("<pre>{}</pre>\n", escape(text)),
            };
        }
        out + "</body>\n</html>\n"
    }

    /// The document as Markdown, and its figures as SVG files. `folder` is their folder, relative to the document.
    pub fn markdown(&self, folder: &str) -> (String, Vec<(String, String)>) {
        let mut out = format!("# {}\n", self.title);
        let mut files = Vec::new();
        for block in &self.blocks {
            out.push('\n');
            out += &match block {
                Block::Heading(order, text) => format!("{} {text}\n", "#".repeat(usize::from(*order) + 1)),
                Block::Text(text) => format!("{text}\n"),
                Block::Answer(question, answer) => format!("> **{question}**\n>\n> {answer}\n"),
                Block::List(items) => format!("- {}\n", items.join("\n- ")),
                Block::Table(table) => table.write(Format::Markdown),
                Block::Figure(figure) => {
                    let name = format!("figure-{:02}.svg", files.len() + 1);
                    files.push((name.clone(), figure.svg()));
                    format!("![{}]({folder}/{name})\n", figure.title)
                }
                Block::Code(text) => format!("```toml\n{}\n```\n", text.trim_end()),
            };
        }
        (out, files)
    }

    /// The figures, in order.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Figure(figure) => Some(&**figure),
            _ => None,
        })
    }
}

fn html_table(table: &Table) -> String {
    let numbers = |c: usize| table.rows.iter().filter_map(|r| r.get(c)).all(|cell| cell.right);
    let class = |c: usize| if numbers(c) && !table.rows.is_empty() { " class=\"n\"" } else { "" };
    let row = |tag: &str, cells: Vec<&str>| {
        let cells =
            cells.iter().enumerate().map(|(c, text)| format!("<{tag}{}>{}</{tag}>", class(c), escape(text)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let head = row("th", table.heads.iter().map(String::as_str).collect());
    let body = table.rows.iter().map(|r| row("td", r.iter().map(|cell| cell.shown.as_str()).collect()));
    let notes = table.notes.iter().map(|note| format!("<p class=\"note\">{}</p>\n", inline(note)));
    format!(
        "<div class=\"wide\"><table>\n<thead>{head}</thead>\n<tbody>\n{}</tbody>\n</table></div>\n{}",
        body.collect::<String>(),
        notes.collect::<String>()
    )
}

/// Converts a text's markup to HTML.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in escape(text).split('`').enumerate() {
        if i % 2 == 1 {
            out += &format!("<code>{part}</code>");
            continue;
        }
        for (j, piece) in part.split("**").enumerate() {
            out += &if j % 2 == 1 { format!("<strong>{piece}</strong>") } else { piece.to_owned() };
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_hold_everything() {
        let document = Document {
            title: "A & B".into(),
            blocks: vec![
                Block::heading("First"),
                Block::text("some **strong** `x < y`"),
                Block::Answer("Why?".into(), "So.".into()),
                Block::figure(crate::figure::tests::figure()),
                Block::Code("name = 1".into()),
            ],
        };
        let html = document.html();
        for part in
            ["A &amp; B", "<strong>strong</strong>", "<code>x &lt; y</code>", "Why?", "<svg", "name = 1"]
        {
            assert!(html.contains(part), "{part}");
        }
        let (text, files) = document.markdown("figures");
        assert!(text.contains("(figures/figure-01.svg)") && text.contains("> **Why?**"), "{text}");
        assert_eq!(files.len(), 1);
    }
}
