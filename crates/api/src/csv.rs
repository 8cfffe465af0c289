//! Comma-separated values.

/// One line of comma-separated values, quoted where necessary.
pub fn line(cells: impl IntoIterator<Item = String>) -> String {
    let quoted = cells.into_iter().map(|cell| {
        if cell.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn csv_is_quoted_where_need_be() {
        assert_eq!(line(["a".into(), "b,c".into(), "d\"e".into()]), "a,\"b,c\",\"d\"\"e\"\n");
    }
}
