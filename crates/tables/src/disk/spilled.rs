//! Values that lie in a file without a name, so that the system can take them out of memory while nobody reads them.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use puabi_solve::Held;

use super::mapped::MappedPart;

/// Values in a mapped file, which goes with them.
struct SpilledValues(MappedPart);

/// Returns the values from a file in `directory`, or those in memory if none can be written there.
pub(crate) fn spilled(values: Arc<dyn Held>, directory: &Path) -> Arc<dyn Held> {
    match SpilledValues::new(values.values(), directory) {
        Ok(spilled) => Arc::new(spilled),
        Err(_) => values,
    }
}

impl SpilledValues {
    fn new(values: &[f64], directory: &Path) -> io::Result<Self> {
        let mut file = tempfile::tempfile_in(directory)?;
        let bytes = bytemuck::cast_slice(values);
        file.write_all(bytes)?;
        MappedPart::new(&file, bytes.len()).map(Self)
    }
}

impl Held for SpilledValues {
    fn values(&self) -> &[f64] {
        // SAFETY: the file has no name, and is not written any more.
        #[expect(unsafe_code, reason = "the file is mapped")]
        let bytes = unsafe { self.0.bytes(0..self.0.len()) };
        bytemuck::cast_slice(bytes)
    }

    fn rest(&self) {
        self.0.release(0..self.0.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held() -> Arc<dyn Held> {
        let values: Box<[f64]> = (0..1000_u16).map(f64::from).collect();
        Arc::new(values)
    }

    #[test]
    fn values_come_back_from_a_file_that_nobody_sees() {
        let directory = tempfile::tempdir().unwrap();
        let spilled = spilled(held(), directory.path());
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
        for _ in 0..2 {
            assert_eq!(spilled.values(), held().values());
            spilled.rest();
        }
    }

    #[test]
    fn values_stay_in_memory_where_no_file_can_be_made() {
        let directory = tempfile::tempdir().unwrap();
        let (held, missing) = (held(), directory.path().join("missing"));
        assert!(Arc::ptr_eq(&held, &spilled(Arc::clone(&held), &missing)));
    }
}
