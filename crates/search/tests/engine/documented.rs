//! Every strategy and every name that the crate exports at its root has an example that runs.

use std::path::Path;

/// The doc comment above the line that declares `name`, or `None` if this text does not declare it.
fn doc_of(name: &str, text: &str) -> Option<String> {
    let declares = |line: &str| {
        let line = line.trim_start();
        ["struct", "enum", "trait", "type", "const"].iter().any(|what| {
            let rest = line.strip_prefix("pub ").and_then(|l| l.strip_prefix(what));
            rest.and_then(|l| l.trim_start().strip_prefix(name))
                .is_some_and(|l| !l.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| declares(line))?;
    let above = lines[..at].iter().rev().take_while(|line| {
        let line = line.trim_start();
        line.starts_with("///") || line.starts_with("#[")
    });
    Some(above.copied().collect::<Vec<_>>().join("\n"))
}

#[test]
fn every_name_at_the_root_and_every_strategy_has_an_example() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let root = read(&source.join("lib.rs"));
    let mut names = 0;
    let parts = [source.clone(), source.join("core")];
    for line in root.lines().filter_map(|line| line.strip_prefix("pub use ")) {
        let (module, exported) = line.trim_end_matches(';').split_once("::").unwrap();
        if !exported.contains(|c: char| c.is_uppercase()) || module == "crate" {
            continue; // modules
        }
        let files = parts
            .iter()
            .flat_map(|part| [part.join(format!("{module}.rs")), part.join(module).join("mod.rs")]);
        let file = files.into_iter().find(|file| file.exists());
        let text = read(&file.unwrap_or_else(|| panic!("{module} has a file")));
        for name in exported.trim_matches(['{', '}']).split(", ") {
            let doc = doc_of(name, &text).unwrap_or_else(|| panic!("{module} declares {name}"));
            assert!(doc.contains("```"), "{module}::{name} has no example");
            names += 1;
        }
    }
    assert!(names > 25, "only {names} names were found: has the form of lib.rs changed?");
    let strategies = std::fs::read_dir(source.join("strategies")).unwrap().map(|entry| entry.unwrap().path());
    // The folders are the loops, which no user calls by name.
    for path in strategies.filter(|path| path.is_file() && !path.ends_with("mod.rs")) {
        let text = read(&path);
        let doc = text.lines().take_while(|line| line.starts_with("//!")).collect::<Vec<_>>().join("\n");
        assert!(doc.contains("```"), "{} has no example", path.display());
    }
}
