//! Ending the process from any thread.

#[cfg(feature = "terminal")]
pub(crate) use beeline_terminal::{end, own_stdout};

#[cfg(not(feature = "terminal"))]
pub(crate) use bare::{end, own_stdout};

/// Without the screens there is no terminal to give back.
#[cfg(not(feature = "terminal"))]
mod bare {
    use std::fs::File;
    use std::io;
    #[cfg(unix)]
    use std::os::fd::AsFd as _;
    #[cfg(windows)]
    use std::os::windows::io::AsHandle as _;

    /// Says what there is to say, and ends the process.
    pub(crate) fn end(code: i32, say: impl FnOnce()) -> ! {
        say();
        std::process::exit(code)
    }

    /// Standard output as a file of our own: the one of the library may be locked by the command that is ended.
    pub(crate) fn own_stdout() -> io::Result<File> {
        #[cfg(unix)]
        let own = io::stdout().as_fd().try_clone_to_owned()?;
        #[cfg(windows)]
        let own = io::stdout().as_handle().try_clone_to_owned()?;
        Ok(File::from(own))
    }
}
