//! Maps for tests: small rooms that long tunnels join, with boxes and goals anywhere, in the tunnels too.

/// Random numbers; the same seed gives the same ones for ever.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % sides
    }
}

/// A map of at most this size. Of three out of four, the boxes were pulled about from a solved position; of the others, they were just put down.
pub(crate) fn with_tunnels(width: usize, height: usize, boxes: usize, seed: u64) -> Option<String> {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut cells = vec![b'#'; width * height];
    let mut before = None;
    for _ in 0..2 + dice.roll(2) {
        let (row, column) = (1 + dice.roll(height - 3), 1 + dice.roll(width - 3));
        let size = (1 + dice.roll(3), 1 + dice.roll(3));
        carve(&mut cells, width, (row, column), (row + size.0 - 1, column + size.1 - 1));
        // From the room before to this one: along, then up or down, or the other way round.
        let there: (usize, usize) = before.unwrap_or((row, column));
        let corner = if dice.roll(2) == 0 { (there.0, column) } else { (row, there.1) };
        carve(&mut cells, width, there, corner);
        carve(&mut cells, width, corner, (row, column));
        before = Some((row, column));
    }
    let floor: Vec<usize> = (0..cells.len()).filter(|&c| cells[c] == b' ').collect();
    let put = |cells: &mut [u8], dice: &mut Dice, what: u8| {
        let at = (0..20).map(|_| floor[dice.roll(floor.len())]).find(|&c| cells[c] == b' ')?;
        cells[at] = what;
        Some(at)
    };
    let player = put(&mut cells, &mut dice, b'@')?;
    let whats: &[u8] = if seed % 4 == 3 { b"$." } else { b"*" };
    for _ in 0..boxes {
        for &what in whats {
            put(&mut cells, &mut dice, what)?;
        }
    }
    if seed % 4 != 3 {
        pull_about(&mut cells, width, player, 30 * floor.len(), &mut dice);
    }
    let rows: Vec<String> =
        cells.chunks(width).map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect();
    Some(rows.concat())
}

/// Makes everything between two corners floor, the edge of the map excepted.
fn carve(cells: &mut [u8], width: usize, a: (usize, usize), b: (usize, usize)) {
    let height = cells.len() / width;
    for row in a.0.min(b.0)..=a.0.max(b.0).min(height - 2) {
        for column in a.1.min(b.1)..=a.1.max(b.1).min(width - 2) {
            cells[row * width + column] = b' ';
        }
    }
}

/// Walks about from a solved position and pulls boxes along.
fn pull_about(cells: &mut [u8], width: usize, mut player: usize, steps: usize, dice: &mut Dice) {
    let goal = |cell: u8| matches!(cell, b'.' | b'*' | b'+');
    let boxed = |cell: u8| matches!(cell, b'$' | b'*');
    let drawn = |what: usize, cell: u8| [b" @$"[what], b".+*"[what]][usize::from(goal(cell))];
    for _ in 0..steps {
        let step = [1, width, cells.len() - 1, cells.len() - width][dice.roll(4)];
        let (to, behind) = ((player + step) % cells.len(), (player + cells.len() - step) % cells.len());
        if cells[to] == b'#' || boxed(cells[to]) {
            continue;
        }
        let pull = boxed(cells[behind]) && dice.roll(3) > 0;
        if pull {
            cells[behind] = drawn(0, cells[behind]);
        }
        cells[player] = drawn(if pull { 2 } else { 0 }, cells[player]);
        cells[to] = drawn(1, cells[to]);
        player = to;
    }
}
