//! A browser that is driven through the protocol of `chromedriver`: a few JSON messages, which need no library.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{PATIENCE, request};

const MISSING: &str = "the browser tests need Chromium and ChromeDriver; on Debian: apt-get install chromium chromium-driver \
                       (`cargo xtask test` does that when it may); elsewhere set BEELINE_CHROMIUM and BEELINE_CHROMEDRIVER";

/// Arguments of the browser. It renders in software and makes no network requests of its own.
const ARGUMENTS: &[&str] = &[
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// A browser with one window.
pub(crate) struct Browser {
    driver: Child,
    /// Kept open, because the driver ends when nobody holds the pipe.
    _said: BufReader<ChildStdout>,
    address: SocketAddr,
    session: String,
    profile: PathBuf,
}

fn program(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(variable) {
        return Some(path.into());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| names.iter().map(move |n| folder.join(n)))
        .find(|p| p.is_file())
}

impl Browser {
    /// Starts a browser with a window of this size.
    pub(crate) fn start(width: u32, height: u32) -> Self {
        let chromium = program("BEELINE_CHROMIUM", &["chromium", "chromium-browser", "google-chrome"]);
        let chromium = chromium.expect(MISSING);
        let driver = program("BEELINE_CHROMEDRIVER", &["chromedriver"]).expect(MISSING);
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect(MISSING);
        // The first line names the requested port, a later one the port in use.
        let mut said = BufReader::new(driver.stdout.take().unwrap());
        let port = said.by_ref().lines().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let address = SocketAddr::from(([127, 0, 0, 1], port.expect("chromedriver names its port")));
        // Only one browser uses a port at a time.
        let profile = std::env::temp_dir().join(format!("beeline-browser-{}", address.port()));
        let mut browser = Self { driver, _said: said, address, session: String::new(), profile };
        let mut arguments: Vec<String> = ARGUMENTS.iter().map(|&a| a.to_owned()).collect();
        arguments.push(format!("--user-data-dir={}", browser.profile.display()));
        arguments.push(format!("--window-size={width},{height}"));
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "binary": chromium, "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let session = browser.ask("POST", "", &wanted);
        browser.session = format!("/{}", session["sessionId"].as_str().expect("a session"));
        browser
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let path = format!("/session{}{path}", self.session);
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let headers = [("content-type", "application/json")];
        let reply =
            request(self.address, method, &path, &headers, body.as_bytes()).expect("the driver answers");
        let value = reply.json()["value"].clone();
        assert_eq!(reply.status, 200, "{method} {path} {body}: {value}");
        value
    }

    /// Opens an address.
    pub(crate) fn open(&self, address: &str) {
        self.ask("POST", "/url", &json!({ "url": address }));
    }

    /// Runs a script and returns its result.
    pub(crate) fn script(&self, script: &str) -> Value {
        self.ask("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression is true on the page.
    pub(crate) fn wait(&self, what: &str, expression: &str) {
        let start = Instant::now();
        let script = format!("return Boolean({expression})");
        while self.script(&script) != Value::Bool(true) {
            let seen = "return document.body.innerText.slice(0, 600)";
            assert!(start.elapsed() < PATIENCE, "{what}: never {expression}\n{}", self.script(seen));
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// The text of an element.
    pub(crate) fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({}).textContent", json!(selector));
        self.script(&script).as_str().unwrap_or_default().to_owned()
    }

    /// Clicks an element like a person: it must exist, be in view and not be covered.
    pub(crate) fn click(&self, selector: &str) {
        self.wait(selector, &format!("document.querySelector({})", json!(selector)));
        let found = self.ask("POST", "/element", &json!({ "using": "css selector", "value": selector }));
        let id =
            found.as_object().and_then(|o| o.values().next()).and_then(Value::as_str).unwrap().to_owned();
        self.ask("POST", &format!("/element/{id}/click"), &json!({}));
    }

    /// Presses keys, one after the other.
    pub(crate) fn keys(&self, keys: &[&str]) {
        let actions: Vec<Value> = keys
            .iter()
            .flat_map(|key| {
                [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
            })
            .collect();
        self.ask(
            "POST",
            "/actions",
            &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }),
        );
    }

    /// Presses the mouse at the first place, moves to the others and releases it.
    pub(crate) fn drag(&self, places: &[(f64, f64)]) {
        self.point("mouse", places);
    }

    /// Drags by touch.
    #[allow(dead_code, reason = "one of the two test programs uses it")]
    pub(crate) fn touch(&self, places: &[(f64, f64)]) {
        self.point("touch", places);
    }

    fn point(&self, what: &str, places: &[(f64, f64)]) {
        let go = |&(x, y): &(f64, f64)| json!({ "type": "pointerMove", "duration": 0, "x": x.round() as i64, "y": y.round() as i64, "origin": "viewport" });
        let mut actions = vec![go(&places[0]), json!({ "type": "pointerDown", "button": 0 })];
        actions.extend(places[1..].iter().map(go));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        let pointer = json!({ "type": "pointer", "id": what, "parameters": { "pointerType": what }, "actions": actions });
        self.ask("POST", "/actions", &json!({ "actions": [pointer] }));
    }

    /// Console messages above a warning. The missing address of a stopped search does not count; that is how it is
    /// stopped.
    pub(crate) fn errors(&self) -> Vec<String> {
        let log = self.ask("POST", "/se/log", &json!({ "type": "browser" }));
        let lines = log.as_array().cloned().unwrap_or_default();
        let stopped =
            |line: &Value| line["message"].as_str().is_some_and(|message| message.starts_with("blob:"));
        let bad = lines.iter().filter(|line| line["level"] == "SEVERE" && !stopped(line));
        bad.map(|line| line["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Takes a picture and returns it as base64.
    pub(crate) fn picture(&self) -> String {
        self.ask("GET", "/screenshot", &Value::Null).as_str().unwrap_or_default().to_owned()
    }

    /// Sets the preferred colour scheme, light or dark.
    pub(crate) fn prefer(&self, scheme: &str) {
        let parameters = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.ask(
            "POST",
            "/goog/cdp/execute",
            &json!({ "cmd": "Emulation.setEmulatedMedia", "params": parameters }),
        );
    }

    /// Sets the size of the window.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let parameters =
            json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": width < 600 });
        self.ask(
            "POST",
            "/goog/cdp/execute",
            &json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": parameters }),
        );
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends the browser, and we end the driver. A browser that has ended already is fine.
        let path = format!("/session{}", self.session);
        let _ = request(self.address, "DELETE", &path, &[], b"");
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
