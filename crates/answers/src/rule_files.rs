//! Rule files that are kept by name.

use http::StatusCode;
use puabi_core::{PresetError, RuleSet, Rules};

use crate::error::{ApiError, ApiResult, field_error};

/// The most characters of a kept rule file's name.
const MAX_NAME: usize = 40;
/// Names that would be taken for other parts of the API.
const RESERVED: [&str; 9] =
    ["archive", "docs", "games", "openapi", "progress", "review", "rules", "server", "try"];

/// Compiles the rule file in the body of a request.
///
/// # Errors
///
/// Returns an error if the text is not a rule file, or if its rules are impossible.
pub fn compile_rule_file(text: &str) -> ApiResult<Rules> {
    let rule_set = RuleSet::from_toml(text).map_err(|error| field_error("body", text, &error))?;
    rule_set.compile().map_err(|error| field_error("body", text, &error))
}

/// Returns whether `name` can be the name of a kept file: small letters, digits and hyphens, so never a path.
pub fn is_file_name(name: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_plain)
}

/// Returns the name under which rules called `name` are kept.
///
/// # Errors
///
/// Returns an error if the name has no letter or digit, or is that of a preset or of a part of the API.
pub fn file_name(name: &str) -> ApiResult<String> {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let mut plain = words.join("-").to_ascii_lowercase();
    plain.truncate(MAX_NAME);
    if !is_file_name(&plain) {
        return Err(ApiError::field("name", name, format!("`{name}` cannot be a file's name"))
            .expected("a name with letters a to z or digits"));
    }
    if RESERVED.contains(&&*plain) || plain.parse::<RuleSet>().is_ok() {
        return Err(ApiError::field("name", name, format!("the name `{plain}` is taken"))
            .expected("another name"));
    }
    Ok(plain)
}

/// Returns the name of the file in which the rules that a game calls `name` may be kept, if it differs from `name`: `my-rules`
/// for `My rules`.
pub fn other_name(name: &str) -> Option<String> {
    file_name(name).ok().filter(|file| file != name)
}

/// Returns the error of a rule file whose name is taken by other rules.
pub fn name_taken_error(name: &str) -> ApiError {
    ApiError::conflict(format!("other rules are kept under the name `{name}`"))
        .expected(format!("another name, or DELETE /api/rules/{name} first"))
}

/// Returns the error of a rule file or game that would be one too many; `what` names the kind in the plural.
pub fn limit_reached_error(most: usize, what: &str) -> ApiError {
    let message = format!("{most} {what} are kept already");
    ApiError::new(StatusCode::INSUFFICIENT_STORAGE, message)
        .expected("one of them to be removed first")
}

/// Returns the error of a game whose rules are neither a preset nor kept; `is_taken` says whether other rules have their name.
pub fn rules_not_kept_error(rule_set: &RuleSet, is_taken: bool) -> ApiError {
    let others = if is_taken { ": other rules of this name are kept" } else { "" };
    ApiError::conflict(format!("the rules `{rule_set}` are not kept here{others}"))
        .expected("a preset, or rules kept by POST /api/rules")
}

/// Returns the error of a name under which no rule file is kept, whether or not a preset has this name.
pub fn no_rule_file_error(name: &str) -> ApiError {
    let message = format!("no kept rule file is called `{}`", puabi_core::wording::excerpt(name));
    ApiError::missing("rules", name, message).expected("the name of a kept rule file")
}

/// Returns the error of a name that no rule set has.
pub fn unknown_rules_error(name: &str) -> ApiError {
    if let Err(error @ PresetError::Pieces { .. }) = name.parse::<RuleSet>() {
        return field_error("rules", name, &error).with(StatusCode::NOT_FOUND);
    }
    let presets = RuleSet::PRESETS.map(|preset| preset.to_string()).join(", ");
    let message = format!("no rule set is called `{}`", puabi_core::wording::excerpt(name));
    ApiError::missing("rules", name, message).expected(format!(
        "one of {presets}, with `:N` for N pieces, or the name of a kept rule file"
    ))
}
