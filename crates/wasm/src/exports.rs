//! The functions that the worker calls, and the one that the worker provides.
//!
//! The worker writes a request to the memory that [`room`] returns, then calls the function named after the request. Before that
//! function returns, it sends its events through the import `page.tell`. While a search runs, the module reads the worker's clock
//! (`clock.now`); from there the worker may call [`stop`].
#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

use beeline_search::Cancel;

use crate::session::{Host, Question, answer};

/// The body of the request, as bytes of JSON.
static BODY: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// The flag that ends the running search.
static RUNNING: Mutex<Option<Cancel>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends events to the page through the worker.
struct Page;

impl Host for Page {
    fn send(&mut self, event: &str, json: &str) {
        #[link(wasm_import_module = "page")]
        unsafe extern "C" {
            fn tell(event: *const u8, event_bytes: usize, json: *const u8, json_bytes: usize);
        }
        // SAFETY: both texts live until the call returns, and the host only reads them.
        unsafe { tell(event.as_ptr(), event.len(), json.as_ptr(), json.len()) }
    }
}

/// Installs a panic hook that sends the message of a panic. The worker calls it once, since a panic cannot unwind here.
#[unsafe(no_mangle)]
extern "C" fn start() {
    std::panic::set_hook(Box::new(|panic| {
        let message = serde_json::json!({ "message": panic.to_string() });
        Page.send("panic", &message.to_string());
    }));
}

/// Memory for a request of this many bytes, valid until the next call.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut body = lock(&BODY);
    body.clear();
    body.resize(bytes, 0);
    body.as_mut_ptr()
}

fn handle(asked: Question, run: u32) {
    let body = std::mem::take(&mut *lock(&BODY));
    let cancel = Cancel::default();
    *lock(&RUNNING) = Some(cancel.clone());
    answer(asked, &body, u64::from(run), &cancel, &mut Page);
    *lock(&RUNNING) = None;
}

#[unsafe(no_mangle)]
extern "C" fn catalog(run: u32) {
    handle(Question::Catalog, run);
}

#[unsafe(no_mangle)]
extern "C" fn read(run: u32) {
    handle(Question::Read, run);
}

#[unsafe(no_mangle)]
extern "C" fn play(run: u32) {
    handle(Question::Play, run);
}

#[unsafe(no_mangle)]
extern "C" fn solve(run: u32) {
    handle(Question::Solve, run);
}

#[unsafe(no_mangle)]
extern "C" fn watch(run: u32) {
    handle(Question::Watch, run);
}

#[unsafe(no_mangle)]
extern "C" fn make(run: u32) {
    handle(Question::Make, run);
}

/// Ends the running search, which then sends what it has found.
#[unsafe(no_mangle)]
extern "C" fn stop() {
    if let Some(cancel) = &*lock(&RUNNING) {
        cancel.cancel();
    }
}
