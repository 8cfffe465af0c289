//! Maps for tests: small rooms joined by long tunnels, with boxes and goals anywhere, in the tunnels too.

/// Seeded random numbers (xorshift).
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % sides
    }
}

/// A map of at most this size. In three of four, the boxes are pulled away from a solved position. In the
/// others, they are placed at random.
pub(crate) fn with_tunnels(width: usize, height: usize, boxes: usize, seed: u64) -> Option<String> {
    let mut random = Xorshift(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut cells = vec![b'#'; width * height];
    let mut before = None;
    for _ in 0..2 + random.below(2) {
        let (row, column) = (1 + random.below(height - 3), 1 + random.below(width - 3));
        let size = (1 + random.below(3), 1 + random.below(3));
        carve(&mut cells, width, (row, column), (row + size.0 - 1, column + size.1 - 1));
        // From the room before to this one: along, then up or down, or the other way round.
        let there: (usize, usize) = before.unwrap_or((row, column));
        let corner = if random.below(2) == 0 { (there.0, column) } else { (row, there.1) };
        carve(&mut cells, width, there, corner);
        carve(&mut cells, width, corner, (row, column));
        before = Some((row, column));
    }
    let floor: Vec<usize> = (0..cells.len()).filter(|&c| cells[c] == b' ').collect();
    let put = |cells: &mut [u8], random: &mut Xorshift, piece: u8| {
        let at = (0..20).map(|_| floor[random.below(floor.len())]).find(|&c| cells[c] == b' ')?;
        cells[at] = piece;
        Some(at)
    };
    let player = put(&mut cells, &mut random, b'@')?;
    let pieces: &[u8] = if seed % 4 == 3 { b"$." } else { b"*" };
    for _ in 0..boxes {
        for &piece in pieces {
            put(&mut cells, &mut random, piece)?;
        }
    }
    if seed % 4 != 3 {
        scramble(&mut cells, width, player, 30 * floor.len(), &mut random);
    }
    let rows: Vec<String> =
        cells.chunks(width).map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect();
    Some(rows.concat())
}

/// Turns everything between two corners into floor, except the edge of the map.
fn carve(cells: &mut [u8], width: usize, a: (usize, usize), b: (usize, usize)) {
    let height = cells.len() / width;
    for row in a.0.min(b.0)..=a.0.max(b.0).min(height - 2) {
        for column in a.1.min(b.1)..=a.1.max(b.1).min(width - 2) {
            cells[row * width + column] = b' ';
        }
    }
}

/// Walks backwards from a solved position and pulls boxes along.
fn scramble(cells: &mut [u8], width: usize, mut player: usize, steps: usize, random: &mut Xorshift) {
    let goal = |cell: u8| matches!(cell, b'.' | b'*' | b'+');
    let boxed = |cell: u8| matches!(cell, b'$' | b'*');
    let drawn = |piece: usize, cell: u8| [b" @$"[piece], b".+*"[piece]][usize::from(goal(cell))];
    for _ in 0..steps {
        let step = [1, width, cells.len() - 1, cells.len() - width][random.below(4)];
        let (to, behind) = ((player + step) % cells.len(), (player + cells.len() - step) % cells.len());
        if cells[to] == b'#' || boxed(cells[to]) {
            continue;
        }
        let pull = boxed(cells[behind]) && random.below(3) > 0;
        if pull {
            cells[behind] = drawn(0, cells[behind]);
        }
        cells[player] = drawn(if pull { 2 } else { 0 }, cells[player]);
        cells[to] = drawn(1, cells[to]);
        player = to;
    }
}
