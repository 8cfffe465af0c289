//! A small writer of Apache Parquet: columns of integers, of strings, and of lists of either.
//!
//! It uses plain encoding, no compression, and one page for each column of a row group. The footer is in Thrift's compact
//! protocol. Our data sets need no more, and every reader of the format accepts it. (github.com/apache/parquet-format)

use std::io::{self, Write};

/// The first and the last four bytes of a file.
const MAGIC: &[u8; 4] = b"PAR1";

/// One column of a row group.
pub enum Column<'a> {
    /// One integer per row.
    Number(Vec<i64>),
    /// One string per row.
    Text(Vec<&'a str>),
    /// A list of integers per row.
    Numbers(Vec<&'a [i64]>),
    /// A list of strings per row.
    Texts(Vec<&'a [String]>),
}

impl Column<'_> {
    fn is_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Texts(_))
    }

    fn is_list(&self) -> bool {
        matches!(self, Self::Numbers(_) | Self::Texts(_))
    }

    /// The physical type: 2 is INT64, 6 is `BYTE_ARRAY`.
    fn physical(&self) -> i64 {
        if self.is_text() { 6 } else { 2 }
    }

    /// The number of entries, and the page after its header. An empty list is an entry without a value.
    fn page(&self) -> (usize, Vec<u8>) {
        let text = |out: &mut Vec<u8>, value: &str| {
            out.extend((value.len() as u32).to_le_bytes());
            out.extend(value.as_bytes());
        };
        let mut out = Vec::new();
        let entries = match self {
            Self::Number(rows) => {
                out.extend(rows.iter().flat_map(|value| value.to_le_bytes()));
                rows.len()
            }
            Self::Text(rows) => {
                for value in rows {
                    text(&mut out, value);
                }
                rows.len()
            }
            Self::Numbers(rows) => {
                let entries = levels(&mut out, rows.iter().map(|row| row.len()));
                out.extend(rows.iter().copied().flatten().flat_map(|value| value.to_le_bytes()));
                entries
            }
            Self::Texts(rows) => {
                let entries = levels(&mut out, rows.iter().map(|row| row.len()));
                for value in rows.iter().copied().flatten() {
                    text(&mut out, value);
                }
                entries
            }
        };
        (entries, out)
    }
}

/// Writes the repetition and the definition levels of lists of these lengths, and returns their number. A repetition level of
/// 0 begins a row; a definition level of 0 is an empty list.
fn levels(out: &mut Vec<u8>, lengths: impl Iterator<Item = usize>) -> usize {
    let (mut repetition, mut definition) = (Vec::new(), Vec::new());
    for length in lengths {
        repetition.extend((0..length.max(1)).map(|i| u8::from(i > 0)));
        definition.extend((0..length.max(1)).map(|_| u8::from(length > 0)));
    }
    for levels in [&repetition, &definition] {
        let mut runs = Vec::new();
        for run in levels.chunk_by(|a, b| a == b) {
            varint(&mut runs, (run.len() as u64) << 1);
            runs.push(run[0]);
        }
        out.extend((runs.len() as u32).to_le_bytes());
        out.extend(runs);
    }
    repetition.len()
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A structure in Thrift's compact protocol. Fields must come in ascending order.
#[derive(Default)]
struct Thrift {
    out: Vec<u8>,
    last: u8,
}

/// Field types of the compact protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Thrift {
    fn field(mut self, id: u8, kind: u8) -> Self {
        self.out.push((id - self.last) << 4 | kind);
        self.last = id;
        self
    }

    fn zigzag(mut self, value: i64) -> Self {
        varint(&mut self.out, (value << 1 ^ value >> 63) as u64);
        self
    }

    fn i32(self, id: u8, value: i64) -> Self {
        self.field(id, I32).zigzag(value)
    }

    fn i64(self, id: u8, value: usize) -> Self {
        self.field(id, I64).zigzag(value as i64)
    }

    fn text(self, id: u8, value: &str) -> Self {
        let mut this = self.field(id, BINARY);
        this.out.extend(binary(value));
        this
    }

    fn list(self, id: u8, kind: u8, items: &[Vec<u8>]) -> Self {
        let mut this = self.field(id, LIST);
        if items.len() < 15 {
            this.out.push((items.len() as u8) << 4 | kind);
        } else {
            this.out.push(0xF0 | kind);
            varint(&mut this.out, items.len() as u64);
        }
        this.out.extend(items.iter().flatten());
        this
    }

    fn inner(self, id: u8, value: Self) -> Self {
        let mut this = self.field(id, STRUCT);
        this.out.extend(value.end());
        this
    }

    fn end(mut self) -> Vec<u8> {
        self.out.push(0);
        self.out
    }
}

fn binary(value: &str) -> Vec<u8> {
    let mut out = Vec::new();
    varint(&mut out, value.len() as u64);
    out.extend(value.as_bytes());
    out
}

/// A Parquet file that is open for writing, one row group after the other.
pub struct Writer<W> {
    out: W,
    offset: usize,
    schema: Vec<Vec<u8>>,
    groups: Vec<Vec<u8>>,
    rows: usize,
}

impl<W: Write> Writer<W> {
    /// Begins a file.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        Ok(Self { out, offset: MAGIC.len(), schema: Vec::new(), groups: Vec::new(), rows: 0 })
    }

    /// Writes a row group of this many rows. All row groups must have the same columns.
    pub fn group(&mut self, rows: usize, columns: &[(&str, Column<'_>)]) -> io::Result<()> {
        self.schema = schema(columns);
        let (mut chunks, start) = (Vec::new(), self.offset);
        for (name, column) in columns {
            let (entries, page) = column.page();
            let size = page.len() as i64;
            // Encoding 0 is plain, encoding 3 is run-length.
            let data = Thrift::default().i32(1, entries as i64).i32(2, 0).i32(3, 3).i32(4, 3);
            let header = Thrift::default().i32(1, 0).i32(2, size).i32(3, size).inner(5, data).end();
            let all = header.len() + page.len();
            let path: Vec<Vec<u8>> = if column.is_list() {
                [name, "list", "element"].map(binary).into()
            } else {
                vec![binary(name)]
            };
            let encodings = [vec![0], vec![6]]; // Encodings 0 and 3 as zigzag integers.
            let about = Thrift::default().i32(1, column.physical()).list(2, I32, &encodings);
            let about = about.list(3, BINARY, &path).i32(4, 0).i64(5, entries).i64(6, all).i64(7, all);
            let about = about.i64(9, self.offset);
            chunks.push(Thrift::default().i64(2, self.offset).inner(3, about).end());
            self.out.write_all(&header)?;
            self.out.write_all(&page)?;
            self.offset += all;
        }
        let group = Thrift::default().list(1, STRUCT, &chunks).i64(2, self.offset - start).i64(3, rows);
        self.groups.push(group.end());
        self.rows += rows;
        Ok(())
    }

    /// Writes the footer.
    pub fn finish(mut self) -> io::Result<W> {
        let footer = Thrift::default().i32(1, 1).list(2, STRUCT, &self.schema).i64(3, self.rows);
        let footer = footer.list(4, STRUCT, &self.groups).text(6, "beeline").end();
        self.out.write_all(&footer)?;
        self.out.write_all(&(footer.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        Ok(self.out)
    }
}

/// The schema in flattened form: the members of a group follow it.
fn schema(columns: &[(&str, Column<'_>)]) -> Vec<Vec<u8>> {
    // Repetition: 0 is required, 2 is repeated. Converted types: 0 is UTF-8, 3 is a list.
    let leaf = |name: &str, column: &Column<'_>| {
        let element = Thrift::default().i32(1, column.physical()).i32(3, 0).text(4, name);
        if column.is_text() { element.i32(6, 0).end() } else { element.end() }
    };
    let mut schema = vec![Thrift::default().text(4, "schema").i32(5, columns.len() as i64).end()];
    for (name, column) in columns {
        if column.is_list() {
            schema.push(Thrift::default().i32(3, 0).text(4, name).i32(5, 1).i32(6, 3).end());
            schema.push(Thrift::default().i32(3, 2).text(4, "list").i32(5, 1).end());
            schema.push(leaf("element", column));
        } else {
            schema.push(leaf(name, column));
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Python tests read whole files with pyarrow; here, the bytes that the specification prescribes.
    #[test]
    fn a_file_begins_and_ends_as_the_format_says() {
        let mut file = Writer::new(Vec::new()).unwrap();
        let lists: Vec<&[i64]> = vec![&[7, 8], &[]];
        file.group(2, &[("n", Column::Number(vec![1, 2])), ("l", Column::Numbers(lists))]).unwrap();
        let bytes = file.finish().unwrap();
        assert!(bytes.starts_with(MAGIC) && bytes.ends_with(MAGIC));
        let footer = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap()) as usize;
        assert_eq!(bytes[bytes.len() - 8 - footer], 0x15, "field 1, a 32-bit number: the version");
    }

    #[test]
    fn levels_are_run_lengths() {
        let mut out = Vec::new();
        assert_eq!(levels(&mut out, [3, 0].into_iter()), 4);
        // Repetition 0 1 1 0, then definition 1 1 1 0.
        assert_eq!(out, [6, 0, 0, 0, 2, 0, 4, 1, 2, 0, 4, 0, 0, 0, 6, 1, 2, 0]);
    }

    #[test]
    fn numbers_are_zigzag_varints() {
        assert_eq!(Thrift::default().i32(1, -1).i64(3, 150).end(), [0x15, 1, 0x26, 0xAC, 2, 0]);
    }
}
