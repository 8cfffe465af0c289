//! The server's answers to valid and to invalid requests.
#![allow(clippy::unwrap_used)] // a test that cannot go on should say so

mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use beeline_puzzles::KINDS;
use beeline_web::Limits;
use serde_json::{Value, json};

use common::{Running, example, receive, request, send, until};

fn last(events: &[(String, Value)]) -> (&str, &Value) {
    let (event, data) = events.last().unwrap();
    (event, data)
}

#[test]
fn the_page_comes_with_a_strict_policy() {
    let server = Running::start(Limits::default());
    for path in ["/", "/main.js", "/style.css", "/icon.svg", "/api/catalog"] {
        let reply = server.get(path);
        assert_eq!(reply.status, 200, "{path}");
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    }
}

#[test]
fn no_file_of_the_host_is_readable() {
    let server = Running::start(Limits::default());
    let paths = [
        "/../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/etc/passwd",
        "/page/main.js",
        "/src/lib.rs",
        "/main.js/",
    ];
    for path in paths {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    let asked = json!({ "kind": "gate", "text": "/etc/passwd" });
    assert!(
        server.post("/api/read", &asked).json()["unreadable"].is_object(),
        "a path is a text like any other"
    );
}

#[test]
fn every_kind_can_be_played_to_the_end() {
    let server = Running::start(Limits::default());
    for kind in KINDS {
        let position = json!({ "kind": kind.name(), "text": example(kind.name(), 0) });
        let done = server.post("/api/solve", &position);
        assert_eq!((done.status, done.header("content-type")), (200, Some("text/event-stream")));
        let events = done.events();
        let (event, answer) = last(&events);
        assert_eq!(
            (event, &answer["verdict"], &answer["plan"]["checked"]),
            ("done", &json!("solved"), &json!(true))
        );
        let mut played = position.clone();
        played["steps"] = answer["plan"]["steps"].clone();
        let view = server.post("/api/play", &played).json();
        assert_eq!((&view["solved"], &view["refused"]), (&json!(true), &Value::Null), "{}", kind.name());
        // From the last position but one, one step is left.
        let steps = answer["plan"]["steps"].as_array().unwrap();
        played["steps"] = json!(steps[..steps.len() - 1]);
        let events = server.post("/api/solve", &played).events();
        assert_eq!(last(&events).1["plan"]["cost"], 1, "{}", kind.name());
    }
}

#[test]
fn a_step_that_is_not_possible_is_told() {
    let server = Running::start(Limits::default());
    let position = json!({ "kind": "tiles", "text": "1 2 3\n4 5 6\n7 8 0\n", "steps": ["L", "D", "L"] });
    let view = server.post("/api/play", &position).json();
    assert_eq!(view["played"], 1);
    assert!(view["refused"].as_str().unwrap().contains("blank"), "{view}");
}

#[test]
fn an_action_becomes_a_step_or_a_reason() {
    let server = Running::start(Limits::default());
    let act = |kind: &str, text: &str, steps: &[&str], act: Value| {
        let question = json!({ "kind": kind, "text": text, "steps": steps, "act": act });
        server.post("/api/play", &question).json()
    };
    let board = "######\n#@$ .#\n######\n";
    let view = act("sokoban", board, &[], json!({ "toward": { "thing": null, "way": "r" } }));
    assert_eq!((&view["step"], &view["counts"]), (&json!("R"), &json!([["pushes", 1]])), "{view}");
    let view = act("sokoban", board, &[], json!({ "toward": { "thing": null, "way": "l" } }));
    assert_eq!((&view["step"], &view["refused"]), (&Value::Null, &json!("there is a wall")));
    // A stroke over all cells of a pipe, onto its goal, from either dot.
    for trail in [[0, 1, 2], [2, 1, 0]] {
        let view = act("flow", "A.A\nB.B\n", &["B=rr"], json!({ "trail": trail }));
        assert_eq!((&view["solved"], &view["counts"]), (&json!(true), &json!([["moves", 2]])), "{view}");
    }
    let view = act("sokoban", board, &[], json!({ "plan": "R R r" }));
    assert_eq!(view["plan"], json!(["R", "R"]));
    assert!(view["refused"].as_str().unwrap().starts_with("step 3 of the plan"), "{view}");
}

#[test]
fn a_search_that_is_stopped_tells_what_it_found() {
    let server = Running::start(Limits::default());
    let text = beeline_puzzles::kind("tiles").unwrap().examples().last().unwrap().text;
    let job = json!({ "kind": "tiles", "text": text, "strategy": "idastar", "seconds": 60 });
    let headers = [("content-type", "application/json")];
    let body = job.to_string();
    let stream = send(server.address, "POST", "/api/solve", &headers, body.as_bytes()).unwrap();
    until("a search runs", || server.post("/api/stop", &json!({ "run": 0 })).json()["stopped"] == true);
    let events = receive(stream).unwrap().events();
    let (event, answer) = last(&events);
    assert_eq!(
        (event, &answer["verdict"], &answer["reason"]),
        ("done", &json!("stopped"), &json!("cancelled"))
    );
    assert!(server.post("/api/stop", &json!({ "run": 0 })).json()["stopped"] == false, "it is over");
}

#[test]
fn puzzles_are_made_or_refused_with_a_sentence() {
    let server = Running::start(Limits::default());
    let made =
        server.post("/api/make", &json!({ "kind": "tiles", "size": [2, 3], "hardness": "easy", "seed": 4 }));
    let events = made.events();
    let (event, puzzle) = last(&events);
    assert_eq!((event, &puzzle["kind"]), ("done", &json!("tiles")));
    let again = server.post("/api/solve", &json!({ "kind": "tiles", "text": puzzle["text"] })).events();
    assert_eq!(last(&again).1["plan"]["cost"], puzzle["shortest"]);
    let refused = server.post("/api/make", &json!({ "kind": "tiles", "size": [9, 9] })).events();
    assert_eq!(last(&refused).0, "failed", "{refused:?}");
    assert_eq!(server.post("/api/make", &json!({ "kind": "tiles", "hardness": "tough" })).status, 422);
}

#[test]
fn the_parsers_errors_come_with_their_place() {
    let server = Running::start(Limits::default());
    let reply = server.post("/api/read", &json!({ "kind": "tiles", "text": "1 2 3\n4 five 6\n7 8 0\n" }));
    let error = reply.json()["unreadable"].clone();
    assert_eq!(reply.status, 200, "that a text is wrong is an answer");
    assert_eq!(
        (&error["line"], &error["column"], &error["length"]),
        (&json!(2), &json!(3), &json!(4)),
        "{error}"
    );
    assert!(error["message"].as_str().unwrap().contains("five"));
    // No kind recognises it, but one reads it up to the last tile.
    let slip = server.post("/api/read", &json!({ "text": "1 2 3\n4 5 6\n7 8 8\n" })).json();
    assert_eq!(
        (&slip["unreadable"]["line"], &slip["unreadable"]["column"]),
        (&json!(3), &json!(5)),
        "{slip}"
    );
}

#[test]
fn packs_are_read_and_kinds_recognised() {
    let server = Running::start(Limits::default());
    for kind in KINDS {
        let pack = server.post("/api/read", &json!({ "text": example(kind.name(), 0) })).json();
        assert_eq!(pack["kind"], kind.name());
    }
    let three = "1 2 3 4 5 6 7 8 0\n".repeat(3);
    let pack = server.post("/api/read", &json!({ "kind": "tiles", "text": three })).json();
    assert_eq!((&pack["count"], pack["levels"].as_array().unwrap().len()), (&json!(3), 3));
    let bad = "1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 7 0\n0 1 2 3 4 5 6 7 8\n";
    let pack = server.post("/api/read", &json!({ "text": bad })).json();
    assert_eq!((&pack["kind"], &pack["count"], &pack["unread"]), (&json!("tiles"), &json!(2), &json!(1)));
    assert_eq!(pack["skipped"]["line"], 2, "a board that cannot be read hides no other");
}

#[test]
fn a_trace_tells_of_every_expansion_and_knows_the_plan() {
    let server = Running::start(Limits::default());
    for kind in KINDS {
        let job = json!({ "kind": kind.name(), "text": example(kind.name(), 0), "strategy": "astar" });
        let events = server.post("/api/watch", &job).events();
        let (event, done) = last(&events);
        assert_eq!((event, &done["verdict"]), ("done", &json!("solved")), "{}", kind.name());
        let numbers = events
            .iter()
            .filter(|(e, _)| e == "trace")
            .flat_map(|(_, chunk)| chunk["events"].as_array().unwrap());
        let numbers: Vec<u64> = numbers.map(|n| n.as_u64().unwrap()).collect();
        let (mut at, mut expanded) = (0, 0);
        while at < numbers.len() {
            expanded += u64::from(numbers[at] == 1);
            at += 1 + [1, 3, 2, 2, 2, 2][numbers[at] as usize];
        }
        assert_eq!(Some(expanded), done["stats"]["expanded"].as_u64(), "{}", kind.name());
        let path = done["path"].as_array().unwrap();
        assert_eq!(path.len(), done["plan"]["steps"].as_array().unwrap().len() + 1);
        assert_eq!(path[0]["state"], 0, "{}: the plan begins at the first state", kind.name());
        // The search of flow finishes a colour before it begins the next, and chooses the order. A plan may be
        // written in another order, so its middle need not be a state of the search.
        let known = path[..path.len() - 1].iter().all(|stop| stop["state"].is_u64());
        assert!(known || kind.name() == "flow", "{}: {path:?}", kind.name());
        assert!(path.iter().all(|stop| stop["estimate"].is_u64()));
    }
}

#[test]
fn a_trace_is_bounded() {
    let server = Running::start(Limits { states: 500, ..Limits::default() });
    let job = json!({ "kind": "tiles", "text": example("tiles", 1), "strategy": "bfs" });
    let events = server.post("/api/watch", &job).events();
    let (event, done) = last(&events);
    assert_eq!((event, &done["full"], &done["reason"]), ("done", &json!(true), &json!("cancelled")));
}

#[test]
fn limits_end_a_search_and_leave_the_server_as_it_was() {
    let limits = Limits { time: Duration::from_millis(300), memory: 4 << 20, ..Limits::default() };
    let server = Running::start(limits);
    let hard = |extra: Value| {
        let mut job = json!({ "kind": "tiles", "text": example("tiles", 5), "strategy": "bfs", "seconds": 1e9, "megabytes": 1_000_000 });
        job.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let events = server.post("/api/solve", &job).events();
        last(&events).1["reason"].as_str().unwrap().to_owned()
    };
    assert!(["memory", "time"].contains(&hard(json!({})).as_str()), "limits beyond the server's are cut");
    assert_eq!(hard(json!({ "strategy": "idastar" })), "time");
    assert_eq!(hard(json!({ "nodes": 10 })), "nodes");
    until("the places are free", || server.usage.runs() == 0);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn searches_at_one_time_divide_the_memory_and_are_told_their_part() {
    let server = Running::start(Limits { runs: 3, memory: 100 << 20, ..Limits::default() });
    let job = json!({ "kind": "tiles", "text": example("tiles", 5), "strategy": "idastar", "seconds": 60 })
        .to_string();
    let part = |_| {
        let headers = [("content-type", "application/json")];
        let stream = send(server.address, "POST", "/api/solve", &headers, job.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
        lines.find(|line| line == "event: begin").unwrap();
        let data: Value = serde_json::from_str(&lines.next().unwrap()["data: ".len()..]).unwrap();
        assert_eq!(data["seconds"], 60.0);
        (stream, data["megabytes"].as_f64().unwrap())
    };
    let parts: Vec<_> = (0..3).map(part).collect();
    assert_eq!(parts.iter().map(|part| part.1).collect::<Vec<_>>(), [50.0, 25.0, 25.0]);
}

#[test]
fn a_full_house_answers_429_and_a_visitor_who_leaves_makes_room() {
    let server = Running::start(Limits { runs: 1, ..Limits::default() });
    let job = json!({ "kind": "tiles", "text": example("tiles", 5), "strategy": "idastar", "seconds": 60 })
        .to_string();
    let headers = [("content-type", "application/json")];
    let visitor = send(server.address, "POST", "/api/solve", &headers, job.as_bytes()).unwrap();
    until("the search runs", || server.usage.runs() == 1);
    let full = request(server.address, "POST", "/api/solve", &headers, job.as_bytes()).unwrap();
    assert_eq!((full.status, full.header("retry-after")), (429, Some("5")));
    assert!(full.text().contains("places for searches are taken"), "{}", full.text());
    drop(visitor);
    until("the search ends with its visitor", || server.usage.runs() == 0);
    let quick = json!({ "kind": "gate", "text": example("gate", 0) });
    assert_eq!(last(&server.post("/api/solve", &quick).events()).0, "done");
}

#[test]
fn bad_questions_get_clear_answers() {
    let server = Running::start(Limits::default());
    let json_headers = [("content-type", "application/json")];
    let post = |path: &str, headers: &[(&str, &str)], body: &[u8]| {
        request(server.address, "POST", path, headers, body).unwrap()
    };
    assert_eq!(post("/api/play", &json_headers, b"{").status, 400);
    assert_eq!(post("/api/play", &json_headers, b"\xff\xfe").status, 400);
    assert_eq!(post("/api/play", &[], b"{}").status, 415, "a form of another page");
    assert_eq!(post("/api/nothing", &json_headers, b"{}").status, 404);
    assert_eq!(post("/api/read", &json_headers, &vec![b' '; 300 << 10]).status, 413);
    assert_eq!(request(server.address, "PUT", "/", &[], b"").unwrap().status, 405);
    let foreign = [("host", "elsewhere.example"), ("content-type", "application/json")];
    assert_eq!(post("/api/play", &foreign, b"{}").status, 421, "a name that was pointed here");
    let position = |kind: &str, text: &str| server.post("/api/play", &json!({ "kind": kind, "text": text }));
    assert_eq!(position("chess", "").status, 400);
    assert_eq!(position("gate", &"0".repeat(40 << 10)).status, 422);
    let long = json!({ "kind": "tiles", "text": example("tiles", 0), "steps": vec!["L"; 30_000] });
    assert_eq!(server.post("/api/play", &long).status, 422);
    let job = |extra: Value| {
        let mut job = json!({ "kind": "tiles", "text": example("tiles", 0) });
        job.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        server.post("/api/solve", &job)
    };
    assert_eq!(job(json!({ "weight": 0.5 })).status, 422);
    assert_eq!(job(json!({ "seconds": -1 })).status, 422);
    assert_eq!(last(&job(json!({ "strategy": "magic" })).events()).0, "failed");
    assert_eq!(last(&job(json!({ "heuristic": "magic", "strategy": "astar" })).events()).0, "failed");
}

#[test]
fn slow_and_silent_visitors_are_shown_out() {
    let server = Running::start(Limits { stall_time: Duration::from_millis(200), ..Limits::default() });
    let mut silent = TcpStream::connect(server.address).unwrap();
    silent.set_read_timeout(Some(common::PATIENCE)).unwrap();
    silent.write_all(b"GET / HT").unwrap();
    let mut rest = Vec::new();
    // The server closes the connection, with or without an answer.
    let _ = std::io::Read::read_to_end(&mut silent, &mut rest);
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
    let mut slow = TcpStream::connect(server.address).unwrap();
    slow.set_read_timeout(Some(common::PATIENCE)).unwrap();
    let head = format!(
        "POST /api/read HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        server.address
    );
    slow.write_all(head.as_bytes()).unwrap();
    assert_eq!(receive(slow).unwrap().status, 408);
}
