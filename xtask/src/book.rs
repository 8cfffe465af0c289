//! Builds the documents as a book, and checks the links between them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{has, root, show};

/// `cargo xtask book`: builds docs/ as searchable pages in target/book.
pub(crate) fn run() -> Result<(), String> {
    check()?;
    if !has("mdbook") {
        return Err("`mdbook` is not here; `cargo install mdbook --locked` installs it".to_owned());
    }
    show("book", Command::new("mdbook").arg("build").arg(root()))?;
    println!("{}", root().join("target/book/index.html").display());
    Ok(())
}

/// Checks that every link to a file leads to one, and that the table of contents lists every page of docs/.
pub(crate) fn check() -> Result<(), String> {
    let (root, docs) = (root(), root().join("docs"));
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md"), root.join("CHANGELOG.md")];
    for folder in [docs.clone(), docs.join("notebook")] {
        pages.extend(markdown(&folder)?);
    }
    let mut linked = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(page).map_err(|e| format!("cannot read {}: {e}", page.display()))?;
        let folder = page.parent().unwrap_or(&root);
        for (number, link) in links(&text) {
            let target = folder.join(link.split('#').next().unwrap_or_default());
            if !target.exists() {
                return Err(format!("{}:{number}: there is no {link}", page.display()));
            }
            if page.ends_with("SUMMARY.md") {
                linked.push(target);
            }
        }
    }
    let missing = pages
        .iter()
        .find(|page| page.starts_with(&docs) && !page.ends_with("SUMMARY.md") && !linked.contains(page));
    missing.map_or(Ok(()), |page| Err(format!("docs/SUMMARY.md does not name {}", page.display())))
}

/// The pages of a folder.
fn markdown(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut pages: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    Ok(pages)
}

/// Links to files with their line numbers: `](PLACE)` outside code, but not to other sites or within the page.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with("    "));
    lines.flat_map(|(number, line)| {
        let places = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        places
            .filter(|place| !place.is_empty() && !place.starts_with('#') && !place.contains("://"))
            .map(move |place| (number + 1, place))
    })
}
