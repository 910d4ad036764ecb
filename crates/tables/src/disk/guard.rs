//! Keeps this program alive if another program truncates a file that is mapped here, or a disk cannot be read.
//!
//! If a mapped file is truncated or its disk fails, the system ends a program that reads the missing bytes (SIGBUS). Here a missing
//! page reads as zeros instead, and [`MappedFile::is_unchanged`](super::mapped::MappedFile::is_unchanged) then reports that what was read is
//! worthless. A signal of any other cause goes to the handler that was installed before. Windows does not let a mapped file be
//! truncated.

#[cfg(unix)]
pub(super) use unix::Guarded;

/// A guard that does nothing: on this system no file can be truncated while it is mapped.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Guarded;

#[cfg(not(unix))]
impl Guarded {
    pub(super) fn new(_addresses: std::ops::Range<usize>) -> Option<Self> {
        None
    }

    pub(super) fn has_missed(&self) -> bool {
        false
    }
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "signals are handled through the system's interface")]
mod unix {
    use std::ffi::{c_int, c_void};
    use std::mem::{MaybeUninit, transmute};
    use std::ops::Range;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// Mapped bytes whose missing pages read as zeros. Mappings for which there is no place left are not guarded.
    #[derive(Debug)]
    pub(in super::super) struct Guarded(&'static Place);

    /// The first address of a mapping, 0 if the place is free, the address after its last byte, and whether a page was missing.
    #[derive(Debug)]
    struct Place {
        start: AtomicUsize,
        end: AtomicUsize,
        has_missed: AtomicBool,
    }

    impl Place {
        const fn free() -> Self {
            let (start, end) = (AtomicUsize::new(0), AtomicUsize::new(0));
            Self { start, end, has_missed: AtomicBool::new(false) }
        }
    }

    static PLACES: [Place; 64] = [const { Place::free() }; 64];
    static PAGE: AtomicUsize = AtomicUsize::new(0);
    /// The action for the signal before this module installed its own.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    impl Guarded {
        /// Guards the mapping at these addresses; returns `None` if no place is free.
        pub(in super::super) fn new(addresses: Range<usize>) -> Option<Self> {
            BEFORE.get_or_init(install);
            let take = |place: &&Place| {
                let free = 0;
                place
                    .start
                    .compare_exchange(free, addresses.start, Ordering::AcqRel, Ordering::Relaxed)
                    .is_ok()
            };
            let place = PLACES.iter().find(take)?;
            place.has_missed.store(false, Ordering::Relaxed);
            place.end.store(addresses.end, Ordering::Release);
            Some(Self(place))
        }

        /// Returns whether a page was missing since, and reads as zeros.
        pub(in super::super) fn has_missed(&self) -> bool {
            self.0.has_missed.load(Ordering::Acquire)
        }
    }

    impl Drop for Guarded {
        fn drop(&mut self) {
            self.0.end.store(0, Ordering::Release);
            self.0.start.store(0, Ordering::Release);
        }
    }

    fn install() -> libc::sigaction {
        // SAFETY: the call only returns a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        PAGE.store(usize::try_from(page).unwrap_or(4096), Ordering::Relaxed);
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handle;
        // SAFETY: all zeros are a valid `sigaction`. The handler is one for `SA_SIGINFO`, and calls only what may be called while a
        // signal is handled.
        unsafe {
            let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
            let mut before = action;
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGBUS, &raw const action, &raw mut before);
            before
        }
    }

    extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: the system passes a valid `info`.
        let at = unsafe { (*info).si_addr() } as usize;
        let is_in = |place: &Place| {
            let (start, end) =
                (place.start.load(Ordering::Acquire), place.end.load(Ordering::Acquire));
            start != 0 && (start..end).contains(&at)
        };
        if let Some(place) = PLACES.iter().find(|place| is_in(place)) {
            let page = PAGE.load(Ordering::Relaxed);
            let first = (at & !(page - 1)) as *mut c_void;
            // SAFETY: the page belongs to a mapping that lives at least as long as its `Guarded` and that no thread writes, and
            // the system has no bytes of the file for the page.
            let zeros = unsafe {
                let (protection, flags) =
                    (libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED);
                libc::mmap(first, page, protection, flags, -1, 0)
            };
            if zeros == first {
                place.has_missed.store(true, Ordering::Release);
                return;
            }
        }
        pass_on(signal, info, context);
    }

    /// Passes the signal to the handler that was installed before. If there was none, restores the default action, which ends the
    /// program when the read is tried again.
    fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        type Informed = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
        let constants = [libc::SIG_DFL, libc::SIG_IGN];
        let before = BEFORE.get().filter(|before| !constants.contains(&before.sa_sigaction));
        // SAFETY: an action that is neither constant is a function: of the first type with `SA_SIGINFO`, else of the second.
        // Setting the default action back changes nothing else.
        unsafe {
            match before {
                Some(before) if before.sa_flags & libc::SA_SIGINFO != 0 => {
                    transmute::<usize, Informed>(before.sa_sigaction)(signal, info, context);
                }
                Some(before) => {
                    transmute::<usize, extern "C" fn(c_int)>(before.sa_sigaction)(signal);
                }
                None => {
                    libc::signal(signal, libc::SIG_DFL);
                }
            }
        }
    }
}
