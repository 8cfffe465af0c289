//! The functions that the worker calls, and the one that it gives.
//!
//! A question is written to the memory that [`room`] gives, then asked by its name. What it is answered is told through the import
//! `page.tell`, event by event, before the function returns. While a search runs, the worker may call [`stop`] from the clock that it
//! gives (`clock.now`).
#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

use beeline_search::Cancel;

use crate::session::{Host, Question, answer};

/// The question, as bytes of JSON.
static BODY: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// What ends the search that is running.
static RUNNING: Mutex<Option<Cancel>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The page behind the worker.
struct Page;

impl Host for Page {
    fn tell(&mut self, event: &str, json: &str) {
        #[link(wasm_import_module = "page")]
        unsafe extern "C" {
            fn tell(event: *const u8, event_bytes: usize, json: *const u8, json_bytes: usize);
        }
        // SAFETY: both texts are whole until the call returns, and the host only reads them.
        unsafe { tell(event.as_ptr(), event.len(), json.as_ptr(), json.len()) }
    }
}

/// Says what a panic says, once for the module: there is nothing to unwind to.
#[unsafe(no_mangle)]
extern "C" fn start() {
    std::panic::set_hook(Box::new(|panic| {
        let message = serde_json::json!({ "message": panic.to_string() });
        Page.tell("panic", &message.to_string());
    }));
}

/// Memory for a question of so many bytes, until the next call.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut body = lock(&BODY);
    body.clear();
    body.resize(bytes, 0);
    body.as_mut_ptr()
}

fn ask(asked: Question, run: u32) {
    let body = std::mem::take(&mut *lock(&BODY));
    let cancel = Cancel::default();
    *lock(&RUNNING) = Some(cancel.clone());
    answer(asked, &body, u64::from(run), &cancel, &mut Page);
    *lock(&RUNNING) = None;
}

#[unsafe(no_mangle)]
extern "C" fn catalog(run: u32) {
    ask(Question::Catalog, run);
}

#[unsafe(no_mangle)]
extern "C" fn read(run: u32) {
    ask(Question::Read, run);
}

#[unsafe(no_mangle)]
extern "C" fn play(run: u32) {
    ask(Question::Play, run);
}

#[unsafe(no_mangle)]
extern "C" fn solve(run: u32) {
    ask(Question::Solve, run);
}

#[unsafe(no_mangle)]
extern "C" fn watch(run: u32) {
    ask(Question::Watch, run);
}

#[unsafe(no_mangle)]
extern "C" fn make(run: u32) {
    ask(Question::Make, run);
}

/// Ends the search that is running; it tells what it has found.
#[unsafe(no_mangle)]
extern "C" fn stop() {
    if let Some(cancel) = &*lock(&RUNNING) {
        cancel.cancel();
    }
}
