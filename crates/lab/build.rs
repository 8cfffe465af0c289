//! Compresses the fonts of figures as PNG: 1.5 MB in every program become 0.7 MB.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "png")]
    fonts();
}

#[cfg(feature = "png")]
fn fonts() {
    /// The compression level of miniz. Higher levels save nothing here.
    const LEVEL: u8 = 6;
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    for (name, font) in [("regular", dejavu::sans::regular()), ("bold", dejavu::sans::bold())] {
        let path = out.join(format!("{name}.ttf.deflate"));
        let packed = miniz_oxide::deflate::compress_to_vec(font, LEVEL);
        if let Err(error) = std::fs::write(&path, packed) {
            panic!("cannot write {}: {error}", path.display());
        }
    }
}
