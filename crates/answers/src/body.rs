//! Bodies of requests in JSON, with errors that name the field.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use crate::error::{ApiError, ApiResult};
use crate::wording::{InputFault, json_fault, reword};

/// Reads the JSON object in a body. An empty body counts as an empty object.
///
/// # Errors
///
/// Returns an error, which names the wrong field, if the body does not have the form of a `T`.
pub fn read_object<T: DeserializeOwned>(bytes: &[u8]) -> ApiResult<T> {
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        // Serde would read a list as an object whose fields come in order.
        return Err(body_error("body", bytes, reword("the body is not a JSON object")));
    }
    let mut reading = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reading);
    let value = value.map_err(|error| {
        let (path, wrong) = (error.path().to_string(), json_fault(error.inner()));
        match at(bytes, &path) {
            Some(found) => body_error(&path, found.to_string().as_bytes(), wrong),
            None => body_error("body", bytes, wrong),
        }
    })?;
    reading.end().map_err(|error| body_error("body", bytes, json_fault(&error)))?;
    Ok(value)
}

/// Reads an optional number. The error of any other value says what was `expected`.
pub(crate) fn number<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    source: D,
    expected: &str,
) -> Result<Option<T>, D::Error> {
    let Some(found) = Option::<serde_json::Value>::deserialize(source)? else { return Ok(None) };
    let number = found.as_u64().and_then(|number| T::try_from(number).ok());
    let error = || D::Error::custom(format!("the value does not fit: expected {expected}"));
    number.ok_or_else(error).map(Some)
}

/// Reads an optional roll. Whether the dice can show it is checked later, when the rules are known.
pub(crate) fn roll<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u8>, D::Error> {
    number(source, "what the dice can show, as in 3")
}

fn body_error(field: &str, found: &[u8], wrong: InputFault) -> ApiError {
    let object = || "a JSON object as /api/openapi.json describes it".to_owned();
    ApiError::field(field, &String::from_utf8_lossy(found), wrong.message)
        .expected(wrong.expected.unwrap_or_else(object))
}

/// Returns the value at `path` in a body, if it has one.
fn at(bytes: &[u8], path: &str) -> Option<serde_json::Value> {
    let pointer = format!("/{}", path.replace(['.', '['], "/").replace(']', ""));
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    value.pointer(&pointer).cloned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_found_in_a_list_is_told() {
        let body = br#"{"games":[{"record":1},{"record":2}]}"#;
        assert_eq!(super::at(body, "games[1].record"), Some(2.into()));
    }
}
