//! Position codes: what reads is written the same, and its sides have seven pieces each.

#![no_main]

use libfuzzer_sys::fuzz_target;
use puabi_formats::PositionCode;

fuzz_target!(|text: &str| {
    let Ok(code) = text.parse::<PositionCode>() else { return };
    assert_eq!(code.to_string(), text);
    assert!(code.sides().is_some());
});
