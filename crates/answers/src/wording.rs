//! Errors of requests, reworded: what is wrong in our words, not in those of the libraries that read the request.

/// What is wrong, and what would be right if that is known.
#[derive(Debug, PartialEq, Eq)]
pub struct InputFault {
    /// What is wrong.
    pub message: String,
    /// What would be right, if that is known.
    pub expected: Option<String>,
}

/// What the libraries call a kind of value, and what we call it.
const KINDS: [(&str, &str); 7] = [
    ("u8", "a whole number from 0 to 255"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number from 0 to 18446744073709551615"),
    ("i64", "a whole number"),
    ("a string", "a text"),
    ("a boolean", "true or false"),
    ("a map", "an object"),
];

/// What the standard library says of texts that are not numbers.
const NO_NUMBERS: [&str; 4] = [
    "invalid digit found in string",
    "number too large to fit in target type",
    "number too small to fit in target type",
    "cannot parse integer from empty string",
];

/// Rewords what a library says of a value.
pub(crate) fn reword(text: &str) -> InputFault {
    let wrong = |message: String, expected: Option<&str>| InputFault {
        message,
        expected: expected.map(str::to_owned),
    };
    let of = |starts: &[&str]| starts.iter().find_map(|start| text.strip_prefix(start));
    let parts = |rest: &str| {
        let (found, expected) = rest.rsplit_once(", expected ")?;
        Some((found.to_owned(), expected.to_owned()))
    };
    if let Some((_, expected)) = of(&["invalid type: ", "invalid value: "]).and_then(parts) {
        let known = KINDS.iter().find(|(kind, _)| *kind == expected);
        let kind = known.map_or(&*expected, |&(_, said)| said);
        let kind = if kind.starts_with("struct ") { "an object" } else { kind };
        return wrong("the value does not fit".to_owned(), Some(kind));
    }
    if let Some((name, expected)) = of(&["unknown field "]).and_then(parts) {
        return wrong(format!("there is no field {name} here"), Some(&expected));
    }
    if let Some((name, expected)) = of(&["unknown variant "]).and_then(parts) {
        return wrong(format!("{name} is not known here"), Some(&expected));
    }
    if let Some(name) = of(&["missing field "]) {
        return wrong(format!("the field {name} is missing"), None);
    }
    if let Some(name) = of(&["duplicate field "]) {
        return wrong(format!("the field {name} is there twice"), None);
    }
    if NO_NUMBERS.contains(&text) {
        return wrong("that is not a number that fits".to_owned(), Some("a whole number"));
    }
    if let Some((message, expected)) = text.split_once(": expected ") {
        return wrong(message.to_owned(), Some(expected));
    }
    wrong(text.to_owned(), None)
}

/// Says what is wrong with JSON. A fault of the grammar comes with its line and column.
pub(crate) fn json_fault(error: &serde_json::Error) -> InputFault {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let bare = text.strip_suffix(&place).unwrap_or(&text);
    if error.is_data() {
        return reword(bare);
    }
    InputFault { message: format!("the body is not JSON: {bare}{place}"), expected: None }
}

/// Returns the wrong field of a query (`query` if the fault is in none of its fields), and what is wrong with it.
pub fn query_fault(text: &str) -> (String, InputFault) {
    let text = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(text);
    match text.split_once(": ").filter(|(field, _)| !field.contains(' ')) {
        Some((field, text)) => (field.to_owned(), reword(text)),
        None => ("query".to_owned(), reword(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_of_a_library_is_left() {
        let said = |text: &str| {
            let InputFault { message, expected } = reword(text);
            format!("{message}: {}", expected.unwrap_or_default())
        };
        assert_eq!(
            said("invalid value: integer `300`, expected u8"),
            "the value does not fit: a whole number from 0 to 255"
        );
        assert_eq!(
            said(r#"invalid type: string ", expected", expected a boolean"#),
            "the value does not fit: true or false"
        );
        assert_eq!(
            said("unknown field `x`, expected `roll`"),
            "there is no field `x` here: `roll`"
        );
        assert_eq!(
            said("unknown variant `cat`, expected `person` or `agent`"),
            "`cat` is not known here: `person` or `agent`"
        );
        assert_eq!(said("missing field `player`"), "the field `player` is missing: ");
        assert_eq!(
            said("invalid digit found in string"),
            "that is not a number that fits: a whole number"
        );
        let (field, wrong) =
            query_fault("Failed to deserialize query string: after: invalid digit found in string");
        assert_eq!((field.as_str(), wrong.expected.as_deref()), ("after", Some("a whole number")));
    }
}
