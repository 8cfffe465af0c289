//! Golden drawings: one scene of each form, drawn in every way. `BEELINE_BLESS=1 cargo test -p beeline-view` rewrites them; look
//! at them before committing.

use std::cmp::Ordering;
use std::path::PathBuf;

use beeline_boards::scene::{DOWN, Form, Ground, LEFT, RIGHT, Scene, Thing, UP};
use beeline_view::{Colour, Size, Style, canvas, svg};

fn thing(form: Form, id: u16, label: &str, links: u8) -> Option<Thing> {
    let label = label.to_owned();
    Thing { id, form, label, links, colour: None }.into()
}

/// Builds a scene from characters; `read` converts each of them.
fn scene(rows: &[&str], read: impl Fn(char) -> (Ground, Option<Thing>)) -> Scene {
    let width = rows.iter().map(|r| r.chars().count()).max().unwrap_or(0);
    let mut scene = Scene::new(width, rows.len());
    for (r, row) in rows.iter().enumerate() {
        for c in 0..width {
            let (ground, thing) = read(row.chars().nth(c).unwrap_or('~'));
            let cell = scene.at_mut(r, c);
            (cell.ground, cell.thing) = (ground, thing);
        }
    }
    scene
}

/// Sliding blocks: capitals stand on goals.
fn blocks() -> Scene {
    scene(
        &["###GG###", "#1 AA 2#", "#11  22#", "# 3344 #", "#53  46#", "#557766#", "########"],
        |ch| match ch {
            '#' => (Ground::Wall, None),
            'G' => (Ground::Goal, None),
            'A' => (Ground::Goal, thing(Form::Block, 0, "0", 0)),
            '0'..='9' => (Ground::Floor, thing(Form::Block, ch as u16 - 48, &ch.to_string(), 0)),
            _ => (Ground::Floor, None),
        },
    )
}

fn tiles() -> Scene {
    let mut scene = Scene::new(4, 4);
    for (i, tile) in [0u16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].into_iter().enumerate() {
        // All tiles but the first row are in place.
        if i > 3 {
            scene.cells[i].ground = Ground::Goal;
        }
        if tile > 0 {
            scene.cells[i].thing = thing(Form::Tile, tile, &tile.to_string(), 0);
        }
    }
    scene
}

fn paths() -> Scene {
    // The cells of each path, from dot to dot; the last one is not finished.
    let ways: [&[(usize, usize)]; 3] = [
        &[(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1), (0, 2), (1, 2), (2, 2), (3, 2)],
        &[(4, 0), (4, 1), (4, 2), (4, 3), (4, 4), (3, 4), (2, 4), (1, 4), (0, 4)],
        &[(1, 3), (2, 3)],
    ];
    let mut scene = Scene::new(5, 5);
    for (id, way) in ways.iter().enumerate() {
        for (i, &(row, column)) in way.iter().enumerate() {
            let beside = [i.wrapping_sub(1), i + 1].into_iter().filter_map(|j| way.get(j));
            let links = beside.map(|&(r, c)| match (r.cmp(&row), c.cmp(&column)) {
                (Ordering::Less, _) => UP,
                (Ordering::Greater, _) => DOWN,
                (_, Ordering::Less) => LEFT,
                _ => RIGHT,
            });
            let form = if i == 0 || (i + 1 == way.len() && id < 2) { Form::Dot } else { Form::Pipe };
            scene.at_mut(row, column).thing = thing(form, id as u16, ["A", "", "C"][id], links.sum());
        }
    }
    scene.at_mut(3, 3).thing = thing(Form::Dot, 2, "C", 0);
    scene
}

fn boxes() -> Scene {
    scene(&["~~#####", "###   #", "#@$ * #", "#  $ .#", "### .+#", "~~#####"], |ch| match ch {
        '#' => (Ground::Wall, None),
        '.' => (Ground::Goal, None),
        '*' => (Ground::Goal, thing(Form::Crate, 0, "", 0)),
        '$' => (Ground::Floor, thing(Form::Crate, 0, "", 0)),
        '@' => (Ground::Floor, thing(Form::Player, 0, "", 0)),
        '+' => (Ground::Goal, thing(Form::Player, 0, "", 0)),
        '~' => (Ground::Outside, None),
        _ => (Ground::Floor, None),
    })
}

fn all() -> [(&'static str, Scene); 4] {
    [("blocks", blocks()), ("tiles", tiles()), ("paths", paths()), ("boxes", boxes())]
}

/// Compares with the golden file, or rewrites it.
fn golden(name: &str, drawn: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BEELINE_BLESS").is_some() {
        std::fs::write(&path, drawn).expect("the golden folder can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "{name} is drawn differently now:\n{drawn}");
}

#[test]
fn drawings_stay_as_they_were_looked_at() {
    for (name, scene) in all() {
        let mut plain = String::new();
        for (size, ascii) in
            [(Size::Large, false), (Size::Small, false), (Size::Large, true), (Size::Small, true)]
        {
            plain += &canvas(&scene, Style { colour: Colour::None, ascii, size }).to_text(Colour::None);
            plain.push('\n');
        }
        golden(&format!("{name}.txt"), &plain);
        let mut colour = String::new();
        for kind in [Colour::True, Colour::Indexed] {
            for size in [Size::Large, Size::Small] {
                colour += &canvas(&scene, Style { colour: kind, ascii: false, size }).to_text(kind);
                colour.push('\n');
            }
        }
        golden(&format!("{name}.ansi"), &colour);
        golden(&format!("{name}.svg"), &svg(&scene, &format!("{name} & friends")));
    }
}

#[test]
fn every_canvas_is_a_rectangle_and_plain_text_has_no_escapes() {
    for (name, scene) in all() {
        for colour in [Colour::None, Colour::Indexed, Colour::True] {
            for size in [Size::Small, Size::Large, Size::Pixels(6), Size::Pixels(16)] {
                for ascii in [false, true] {
                    let sheet = canvas(&scene, Style { colour, ascii, size });
                    assert!(sheet.rows().all(|r| r.len() == sheet.width()), "{name}");
                    assert!(!sheet.to_text(Colour::None).contains('\x1b'), "{name}");
                    assert!(!ascii || sheet.to_text(Colour::None).is_ascii(), "{name} must be ASCII");
                }
            }
        }
    }
}

#[test]
fn the_size_follows_the_room_there_is() {
    let style = Style { colour: Colour::True, ..Style::default() };
    assert_eq!(style.fitted(&blocks(), 32, 14).size, Size::Large);
    assert_eq!(style.fitted(&blocks(), 31, 14).size, Size::Small);
    assert_eq!(style.fitted(&blocks(), 32, 13).size, Size::Small);
    // A screen is filled: 8 by 7 cells of 12 columns and 6 lines.
    assert_eq!(style.filling(&blocks(), 100, 45).size, Size::Pixels(12));
    assert_eq!(style.filling(&blocks(), 31, 14).size, Size::Small);
    assert_eq!(Style::default().filling(&blocks(), 100, 45).size, Size::Large, "lines do not grow");
}

#[test]
fn a_goal_under_a_label_is_marked_beside_it() {
    let mut scene = Scene::new(3, 1);
    for column in 0..2 {
        let cell = scene.at_mut(0, column);
        (cell.ground, cell.thing) = (Ground::Goal, thing(Form::Block, 1, "12", 0));
    }
    // The label stands between the two cells: both marks have room in the middle of theirs.
    let wide = svg(&scene, "two cells");
    assert!(wide.contains(r#"d="M24 17l7"#) && wide.contains(r#"d="M72 17l7"#), "{wide}");
    scene.at_mut(0, 1).thing = None;
    let narrow = svg(&scene, "one cell");
    assert!(!narrow.contains(r#"d="M24 17l7"#) && narrow.contains("l4.5 4.5"), "{narrow}");
}

#[test]
fn an_empty_scene_is_drawn_too() {
    let empty = Scene::new(0, 0);
    for size in [Size::Small, Size::Large] {
        let _ = canvas(&empty, Style { size, colour: Colour::True, ascii: false });
    }
    assert!(svg(&empty, "").contains("</svg>"));
}

#[test]
fn titles_and_labels_cannot_become_markup() {
    let mut scene = Scene::new(1, 1);
    scene.at_mut(0, 0).thing = thing(Form::Tile, 1, "<b>", 0);
    let drawn = svg(&scene, "\"><script>\u{1}");
    assert!(!drawn.contains("<script>") && !drawn.contains("<b>") && !drawn.contains('\u{1}'), "{drawn}");
}
