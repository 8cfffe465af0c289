//! Ends the process from any thread.

#[cfg(feature = "terminal")]
pub(crate) use beeline_terminal::{end, own_stdout};

#[cfg(not(feature = "terminal"))]
pub(crate) use bare::{end, own_stdout};

/// The functions of a build without screens, where there is no terminal to restore.
#[cfg(not(feature = "terminal"))]
mod bare {
    use std::fs::File;
    use std::io;
    #[cfg(unix)]
    use std::os::fd::AsFd as _;
    #[cfg(windows)]
    use std::os::windows::io::AsHandle as _;

    /// Calls `say`, and ends the process.
    pub(crate) fn end(code: i32, say: impl FnOnce()) -> ! {
        say();
        std::process::exit(code)
    }

    /// A separate handle of standard output, because the running command may hold the library's lock.
    pub(crate) fn own_stdout() -> io::Result<File> {
        #[cfg(unix)]
        let own = io::stdout().as_fd().try_clone_to_owned()?;
        #[cfg(windows)]
        let own = io::stdout().as_handle().try_clone_to_owned()?;
        Ok(File::from(own))
    }
}
