//! Boards on which limits are tried: such as fill any memory, and the largest that can be read.
#![allow(dead_code)] // not every test takes all of them

use beeline_puzzles::Kind;

/// A board that no search without knowledge of its kind gets through.
pub(crate) fn hard(kind: &dyn Kind) -> String {
    match kind.name() {
        // Ten pieces in a large room, the door in the far corner.
        "gate" => {
            let mut room = Room::new(16, 16, '#', ' ');
            room.square((1, 1), '0');
            room.square((13, 13), 'G');
            for (digit, row, column) in
                [('1', 1, 5), ('2', 1, 8), ('3', 5, 1), ('4', 5, 5), ('5', 9, 2), ('6', 9, 6)]
            {
                room.square((row, column), digit);
            }
            room.text(char::to_string)
        }
        // Single cells everywhere, the exit in the far corner.
        "bricks" => {
            let mut room = Room::new(10, 10, 1, 0);
            room.square((1, 1), 2);
            (room.cells[9][7], room.cells[9][8]) = (-1, -1);
            let checked = |i: &usize| (i / 8 + i % 8).is_multiple_of(2);
            let free = (0..64).filter(checked).map(|i| (1 + i / 8, 1 + i % 8)).filter(|c| *c > (2, 2));
            for (number, (row, column)) in free.take(24).enumerate() {
                if room.cells[row][column] == 0 {
                    room.cells[row][column] = 3 + number as i32;
                }
            }
            format!("10,10,\n{}", room.text(|n| format!("{n},")))
        }
        // Twelve boxes far from their goals.
        "sokoban" => {
            let mut room = Room::new(18, 18, '#', ' ');
            room.cells[1][1] = '@';
            for i in 0..12 {
                room.cells[5 + 2 * (i / 4)][3 + 2 * (i % 4)] = '$';
                room.cells[14 + i / 4][13 + i % 4] = '.';
            }
            room.text(char::to_string)
        }
        // Two paths that would have to cross.
        "flow" => {
            let mut room = Room::new(12, 12, '.', '.');
            (room.cells[0][6], room.cells[11][6]) = ('A', 'A');
            (room.cells[6][0], room.cells[6][11]) = ('B', 'B');
            room.text(char::to_string)
        }
        _ => kind.examples().last().expect("a shipped puzzle").text.to_owned(),
    }
}

/// The largest boards that can be read, with names: those whose set-up takes longest.
pub(crate) fn largest(kind: &dyn Kind) -> Vec<(&'static str, String)> {
    match kind.name() {
        "gate" => {
            let mut room = Room::new(64, 64, '#', ' ');
            room.square((1, 1), '0');
            room.square((61, 61), 'G');
            for i in 1..10u8 {
                room.square((1 + 6 * usize::from(i), 1 + 5 * usize::from(i)), char::from(b'0' + i));
            }
            vec![("ten pieces", room.text(char::to_string))]
        }
        "bricks" => {
            // 256 open cells: 14 rows of 18, and four in the wall for the exit.
            let mut room = Room::new(16, 20, 1, 0);
            room.square((1, 1), 2);
            room.cells[15][8..12].fill(-1);
            for i in 0..60 {
                room.cells[3 + 2 * (i / 10)][1 + (i % 10)] = 3 + i as i32;
            }
            vec![("sixty single cells", format!("20,16,\n{}", room.text(|n| format!("{n},"))))]
        }
        "sokoban" => {
            // 4,096 squares.
            let mut one = Room::new(66, 66, '#', ' ');
            (one.cells[1][1], one.cells[30][30], one.cells[5][60]) = ('@', '$', '.');
            let mut many = Room::new(66, 66, '#', ' ');
            many.cells[1][1] = '@';
            for i in 0..300 {
                many.cells[2 + 2 * (i / 20)][2 + 3 * (i % 20)] = '$';
                many.cells[40 + i / 20][2 + i % 20] = '.';
            }
            // One way through the whole board: every square of it is a door.
            let mut winding = Room::new(64, 66, '#', ' ');
            for row in (2..63).step_by(2) {
                winding.cells[row][1..65].fill('#');
                winding.cells[row][if row % 4 == 0 { 1 } else { 64 }] = ' ';
            }
            (winding.cells[1][1], winding.cells[1][3], winding.cells[1][60]) = ('@', '$', '.');
            let texts = [("one box", one), ("300 boxes", many), ("one way", winding)];
            texts.map(|(name, room)| (name, room.text(char::to_string))).into()
        }
        "flow" => {
            let mut two = Room::new(64, 64, '.', '.');
            (two.cells[0][6], two.cells[63][6]) = ('A', 'A');
            (two.cells[6][0], two.cells[6][63]) = ('B', 'B');
            // More pairs of colours than clauses that fit into any memory.
            let label =
                |i: &usize| if i.is_multiple_of(2) { format!("c{} ", i / 4) } else { ". ".to_owned() };
            let rows =
                (0..64).map(|row| (0..64).map(|column| label(&(64 * row + column))).collect::<String>());
            let many = rows.map(|row| row + "\n").collect::<String>();
            vec![
                ("two colours", two.text(char::to_string)),
                ("1,024 colours", format!("rule: numberlink\n{many}")),
            ]
        }
        _ => {
            let cells =
                [17, 1, 20, 9, 16, 2, 22, 19, 14, 5, 15, 21, 0, 3, 24, 23, 18, 13, 12, 7, 10, 8, 6, 4, 11];
            let six = (0..36).map(|i| (7 * i + 5) % 36).collect::<Vec<u8>>();
            let text = |cells: &[u8], side: usize| {
                let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ") + "\n";
                cells.chunks(side).map(row).collect()
            };
            vec![("5 x 5", text(&cells, 5)), ("6 x 6", text(&six, 6))]
        }
    }
}

/// A room with walls around it.
struct Room<T> {
    cells: Vec<Vec<T>>,
}

impl<T: Copy> Room<T> {
    fn new(height: usize, width: usize, wall: T, floor: T) -> Self {
        let edge = |i, length| i == 0 || i + 1 == length;
        let cell = |row, column| if edge(row, height) || edge(column, width) { wall } else { floor };
        Self { cells: (0..height).map(|row| (0..width).map(|column| cell(row, column)).collect()).collect() }
    }

    /// Fills two by two cells.
    fn square(&mut self, (row, column): (usize, usize), with: T) {
        for (r, c) in [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)] {
            self.cells[r][c] = with;
        }
    }

    fn text(&self, show: impl Fn(&T) -> String) -> String {
        self.cells.iter().map(|row| row.iter().map(&show).collect::<String>() + "\n").collect()
    }
}
