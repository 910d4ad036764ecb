//! The memory that a page and this program share: texts that go in and out, and events during a call.

use serde::Serialize;

/// Returns `length` bytes of memory that the page is to write to and to pass on to one of our functions.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub(crate) extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Takes back memory that one of our functions has returned.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub(crate) extern "C" fn release(start: *mut u8) {
    // SAFETY: the page passes what `hand_to_page` gave it, once; the length stands in the first four bytes.
    let length = unsafe { start.cast::<[u8; 4]>().read() };
    drop(take_from_page(start, 4 + u32::from_le_bytes(length) as usize));
}

/// Returns the bytes that the page has written to memory of [`allocate`].
#[expect(unsafe_code, reason = "the page and we share memory by its address")]
pub(crate) fn take_from_page(start: *mut u8, length: usize) -> Vec<u8> {
    let bytes = std::ptr::slice_from_raw_parts_mut(start, length);
    // SAFETY: the page passes what `allocate` or `hand_to_page` gave it, with its length, and never uses it again;
    // site/wasm.js (`call`) is the only caller. Both have made it as a box of that length.
    unsafe { Box::from_raw(bytes) }.into_vec()
}

/// Returns the address of the bytes with their length before them, which the page is to [`release`].
pub(crate) fn hand_to_page(bytes: &[u8]) -> *mut u8 {
    let length = u32::try_from(bytes.len()).expect("an address has 32 bits");
    let whole: Vec<u8> = [&length.to_le_bytes(), bytes].concat();
    Box::into_raw(whole.into_boxed_slice()).cast()
}

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "page")]
#[expect(unsafe_code, reason = "the only function of the page that we call")]
unsafe extern "C" {
    /// Tells the page something while it waits, as JSON.
    fn tell(start: *const u8, length: usize);
}

/// Tells the page something while it waits for one of our functions.
pub(crate) fn notify_page(event: &impl Serialize) {
    let Ok(text) = serde_json::to_vec(event) else { return };
    #[cfg(target_arch = "wasm32")]
    #[expect(unsafe_code, reason = "the only function of the page that we call")]
    // SAFETY: the page copies the text before it returns, and writes nothing.
    unsafe {
        tell(text.as_ptr(), text.len());
    }
    // On other targets there is no page to tell.
    #[cfg(not(target_arch = "wasm32"))]
    drop(text);
}
