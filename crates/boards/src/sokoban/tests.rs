//! Reading and writing of levels and collections.

use super::board::Board;
use super::text::{self, Level};

fn level(text: &str) -> Level {
    text::parse(text).unwrap().remove(0)
}

fn board(text: &str) -> Board {
    level(text).board
}

const TURN: &str = "\
#######
#  .  #
# $@  #
#     #
#######
";

#[test]
fn squares_are_what_the_player_can_reach() {
    let b = board(TURN);
    assert_eq!((b.width(), b.height(), b.squares()), (7, 5, 15));
    assert_eq!(b.place(b.player()), (2, 3));
    assert_eq!(b.boxes().len(), 1);
    assert_eq!(b.square(0, 0), None);
}

#[test]
fn reads_what_it_prints() {
    for text in
        [TURN, "####\n#+$#\n#  #\n####\n", "#####\n#@$.#\n##### \n", " ####\n##@.##\n#  $ #\n######\n"]
    {
        let one = level(text);
        assert_eq!(level(&text::print(&one)), one);
        assert_eq!(level(&text::encode(&one.board)).board, one.board);
    }
}

#[test]
fn ragged_rows_carriage_returns_and_comments() {
    let plain = board("#####\n#@$.#\n#####\n");
    assert_eq!(board("#####\r\n#@$.#\r\n#####"), plain);
    assert_eq!(board("% a level\n#####\n#@$.# % the row\n% between\n#####\n"), plain);
    assert_eq!(board("5#|#@$.#|5#"), plain);
    assert_eq!(board("#####\n#@$.#\n#####\n\n\n"), plain);
}

#[test]
fn collections_keep_titles_authors_and_remarks() {
    let text = "\
; My set
Author: Me

; first one

####
#@.#
#$ #
#  #
####

Second
#####
#@$.#
#####
Title: The second
Author: You
Comment: quite short
";
    let levels = text::parse(text).unwrap();
    assert_eq!(levels.len(), 2);
    assert_eq!(levels[0].title.as_deref(), Some("first one"));
    assert_eq!(levels[0].author.as_deref(), Some("Me"));
    assert_eq!(levels[1].title.as_deref(), Some("The second"));
    assert_eq!(levels[1].author.as_deref(), Some("You"));
    assert_eq!(levels[1].remarks, ["quite short"]);
    assert_eq!(text::parse(&text::print_all(&levels)).unwrap(), levels);
}

fn fault(text: &str) -> (String, (usize, usize)) {
    let error = text::parse(text).unwrap_err();
    (error.message.clone(), error.position(text))
}

#[test]
fn faults_name_their_place() {
    assert_eq!(fault("#####\n#@x.#\n#####\n"), ("unknown character 'x'".into(), (2, 3)));
    assert_eq!(fault("#####\n#@$.#\n#@  #\n#####\n"), ("a second player".into(), (3, 2)));
    assert_eq!(fault("#####\n# $.#\n#####\n"), ("there is no player".into(), (1, 1)));
    assert_eq!(fault("#####\n#@$. \n#####\n").0, "the board is open here: the player could walk out");
    assert_eq!(fault("###\n#@$.#\n#####\n").1, (1, 4), "behind the end of a short row");
    assert_eq!(fault("######\n#@$$.#\n######\n"), ("2 boxes and only 1 goal".into(), (2, 4)));
    assert_eq!(fault("## ##\n#@$.#\n#####\n").1, (1, 3));
    assert_eq!(fault("hello\n").0, "there is no board here");
    assert_eq!(fault("").0, "there is no board here");
}

const SOK: &str = "\
:: for people who look at the file
:: Title: not this one
Collection: Small things
Author: Everybody

First
#####
#@$.#
#####
Author: Me
Comment:
two lines,
#######  of which one looks like a board
Comment-End:

Solution 1/1
R

Dull

8#|#@$2-.-#|8#
RRR
Saved game
rl

Lull
#####
#@$.#
#####
";

#[test]
fn games_belong_to_the_board_above_and_are_no_titles() {
    let levels = text::parse(SOK).unwrap();
    let titles: Vec<_> = levels.iter().map(|level| level.title.as_deref()).collect();
    assert_eq!(titles, [Some("First"), Some("Dull"), Some("Lull")]);
    let authors: Vec<_> = levels.iter().map(|level| level.author.as_deref()).collect();
    assert_eq!(authors, [Some("Me"), Some("Everybody"), Some("Everybody")]);
    assert_eq!(levels[0].remarks, ["two lines,", "#######  of which one looks like a board"]);
    let games: Vec<Vec<(&str, bool)>> =
        levels.iter().map(|l| l.games.iter().map(|g| (g.letters.as_str(), g.saved)).collect()).collect();
    assert_eq!(games, [vec![("R", false)], vec![("RRR", false), ("rl", true)], vec![]]);
    assert_eq!(levels[1].board.width(), 8);
    assert_eq!(text::parse(&text::print_all(&levels)).unwrap(), levels);
}

#[test]
fn titles_stand_above_or_below() {
    let board = "#####\n#@$.#\n#####\n";
    let titles = |text: String| -> Vec<Option<String>> {
        text::parse(&text).unwrap().into_iter().map(|level| level.title).collect()
    };
    let [a, b, set] = ["a", "b", "set"].map(|title| format!("Title: {title}\n"));
    let both = [Some("a".to_owned()), Some("b".to_owned())];
    assert_eq!(titles(format!("{a}Author: x\n{board}\n{b}{board}")), both);
    assert_eq!(titles(format!("{a}\n{board}R\n\n{b}\n{board}\nR\n")), both);
    assert_eq!(titles(format!("{set}\n{board}{a}\n{board}{b}")), both);
    assert_eq!(titles(format!("{a}{board}")), [Some("a".to_owned())]);
    assert_eq!(titles(format!("{set}\n{board}\n{board}")), [None, None], "the title of the collection");
}

#[test]
fn solutions_without_capitals_get_them_and_the_shortest_counts() {
    let with =
        |games: &str| level(&format!("######\n#@$ .#\n######\n{games}")).solution().map(|s| s.concat());
    assert_eq!(with("rr\n").as_deref(), Some("RR"));
    assert_eq!(with("2R\n").as_deref(), Some("RR"));
    assert_eq!(with("Solution\nRlRrrRR\n\nSolution\nRR\n").as_deref(), Some("RR"));
    assert_eq!(with("Solution: RR\n").as_deref(), Some("RR"));
    assert_eq!(
        with("ullduurrddlluu\n").as_deref(),
        Some("ullduurrddlluu"),
        "a wrong one is one all the same"
    );
    assert_eq!(with("Snapshot\nR\n"), None);
    assert_eq!(with("Saved game\nR*[2,1]l\n"), None);
}

#[test]
fn a_bad_board_does_not_hide_the_others() {
    let text = format!(
        "One\n{0}\nTwo\n#####\n#@x.#\n##?##\n\nThree\n{0}R\n\n#####\n#  .#\n#####\n",
        "#####\n#@$.#\n#####\n"
    );
    let levels = text::parse_each(&text);
    let seen: Vec<_> = levels.iter().map(|level| level.as_ref().map(|l| l.title.as_deref())).collect();
    assert!(matches!(seen[..], [Ok(Some("One")), Err(_), Ok(Some("Three")), Err(_)]), "{seen:?}");
    assert_eq!(levels[1].as_ref().unwrap_err().position(&text), (8, 3));
    assert_eq!(levels[2].as_ref().unwrap().solution().unwrap(), ["R"]);
}

#[test]
fn a_file_is_written_with_its_solutions_and_otherwise_as_it_was() {
    let board = "#####\r\n#@$.#\r\n#####\r\n";
    let text =
        format!(":: head\r\nOne\r\n{board}Comment: none\r\n\r\n\r\nTwo\r\n{board}\r\nSolution\r\nR\r\n");
    let first = (0, "R".to_owned());
    let written = text::with_solutions(&text, &[first.clone(), (1, "R".to_owned())]).unwrap();
    let expected = text.replace("none\r\n\r\n\r\n", "none\r\n\r\nSolution 1/1\r\nR\r\n\r\n");
    assert_eq!(written, expected);
    assert_eq!(text::with_solutions(&written, &[first]).unwrap(), written, "a solution is written once");
    assert_eq!(text::with_solutions(SOK, &[]).unwrap(), SOK);
    let levels = text::parse(&text::with_solutions(SOK, &[(2, "R".to_owned())]).unwrap()).unwrap();
    assert_eq!(levels[2].solution().unwrap(), ["R"]);
    assert_eq!(levels[2].title.as_deref(), Some("Lull"));
}

/// A collection in XML: a comment, references, a row that is empty, two bad levels among good ones, and a file that is cut off.
const XML: &str = r##"<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">
<!-- <Level Id="not one"> -->
<SokobanLevels>
  <Title>A &amp; B</Title>
  <LevelCollection Copyright="One &amp; Two" MaxWidth="5" MaxHeight="3">
    <Level Id="Caf&#233; > tea" Width="5" Height="3">
      <L>#####</L>
      <L>#@$.#</L>
      <L>#####</L>
    </Level>
    <Level Id="#2">
      <L>5#</L><L>#@$.#</L>
      <L/>
      <L>#####</L>
    </Level>
    <Level Id='Three'><L>#####</L>
      <L>#@x.#</L>
      <L>#####</L></Level>
    <Level Id="" Copyright="Four">
      <L>.</L>
      <L>#####</L>
      <L>#@$.#</L>
      <L>#####</L>
    <Level Id="Five">
      <L>#####"##;

#[test]
fn collections_in_xml() {
    assert!(text::recognises(XML));
    let levels = text::parse_each(XML);
    let heads = levels.iter().map(|level| match level {
        Ok(level) => Ok((level.title.as_deref(), level.author.as_deref(), text::draw(&level.board))),
        Err(error) => Err((error.message.as_str(), error.position(XML))),
    });
    let board = || "#####\n#@$.#\n#####\n".to_owned();
    let expected = [
        Ok((Some("Café > tea"), Some("One & Two"), board())),
        Err(("the board is open here: the player could walk out", (15, 15))),
        Err(("unknown character 'x'", (18, 12))),
        Ok((None, Some("Four"), board())),
        Err(("there is no player", (25, 5))),
    ];
    assert_eq!(heads.collect::<Vec<_>>(), expected);
    assert_eq!(text::with_solutions(XML, &[]), None);
    for end in 0..XML.len() {
        let cut = XML.get(..end).unwrap_or_default();
        assert!(text::parse_each(cut).len() <= 5, "{cut}");
    }
}
