//! Settings of the linker for the WebAssembly module.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // The stack size in bytes, as much as a native thread has. The default of 1 MiB is meant for small modules.
        println!("cargo:rustc-link-arg-cdylib=-zstack-size=4194304");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
