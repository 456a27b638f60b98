//! A headless Chromium, driven by the WebDriver protocol: the few commands that the test needs.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Keys of the protocol.
pub const TAB: &str = "\u{E004}";
pub const ENTER: &str = "\u{E007}";

pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Nothing if there is none on this computer. `profile`: a folder for what it writes.
    pub fn start(profile: &Path) -> Option<Browser> {
        let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut browser = Browser { driver, port, session: String::new() };
        let start = Instant::now();
        while browser.send("GET", "/status", &Value::Null).is_none() {
            assert!(start.elapsed() < Duration::from_secs(20), "chromedriver does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        let profile = format!("--user-data-dir={}", profile.display());
        let args = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--window-size=1200,900", &profile,
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": args}}}});
        let answer = browser.send("POST", "/session", &wanted).expect("chromedriver answers");
        let session = answer["value"]["sessionId"].as_str();
        browser.session = session.unwrap_or_else(|| panic!("Chromium does not start: {answer}")).to_string();
        Some(browser)
    }

    pub fn open(&self, file: &Path) {
        self.command("/url", &json!({"url": format!("file://{}", file.display())}));
    }

    /// The value of an expression in the page.
    pub fn value(&self, expression: &str) -> Value {
        self.command("/execute/sync", &json!({"script": format!("return {expression};"), "args": []}))
    }

    pub fn text(&self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is no text: {value}")).to_string()
    }

    /// As a user does: what is hidden or covered cannot be clicked.
    pub fn click(&self, selector: &str) {
        let found = self.command("/element", &json!({"using": "css selector", "value": selector}));
        let element = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str);
        let element = element.unwrap_or_else(|| panic!("nothing is {selector}: {found}"));
        self.command(&format!("/element/{element}/click"), &json!({}));
    }

    pub fn press(&self, key: &str) {
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.command("/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}));
    }

    /// `light` or `dark`.
    pub fn prefer(&self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        let params = json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}});
        self.command("/goog/cdp/execute", &params);
    }

    fn command(&self, path: &str, body: &Value) -> Value {
        let path = format!("/session/{}{path}", self.session);
        let answer = self.send("POST", &path, body).expect("chromedriver answers");
        assert!(answer["value"].get("error").is_none(), "{path} {body}: {answer}");
        answer["value"].clone()
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Option<Value> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).ok()?;
        // It leaves the connection open, whatever it says.
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).ok().filter(|read| *read > 0)?;
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().ok()?
                }
                None if line.trim_end().is_empty() => break,
                Some(_) | None => {}
            }
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body).ok()?;
        serde_json::from_slice(&body).ok()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.send("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
