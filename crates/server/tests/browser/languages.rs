//! The page in other languages than English.

use serde_json::{Value, json};

use crate::browser::{Browser, DESK};

/// Returns those of `sentences` that the page leaves in English.
async fn untold(browser: &Browser, sentences: Vec<Value>) -> Value {
    let script = "const [sentences, done] = arguments; \
                  import('/texts.js').then(({ translate }) => done(sentences.filter((one) => translate(one) === one)), \
                  (error) => done(String(error)))";
    browser.client.execute_async(script, vec![Value::Array(sentences)]).await.unwrap()
}

/// What the server says of the rules: introductions and ways of play.
async fn sentences_on_rules(browser: &Browser) -> Vec<Value> {
    let lines = browser.ask("GET", "/api/rules", &Value::Null).await;
    let mut sentences = Vec::new();
    for line in lines.as_array().unwrap() {
        let path = format!("/api/{}", line["name"].as_str().unwrap());
        let rules = browser.ask("GET", &path, &Value::Null).await;
        sentences.push(line["introduction"].clone());
        for chapter in rules["way_of_play"].as_array().unwrap() {
            sentences.push(chapter["title"].clone());
            sentences.extend(chapter["sentences"].as_array().unwrap().iter().cloned());
        }
    }
    sentences
}

#[tokio::test]
async fn the_page_is_german_or_arabic_where_that_is_chosen() {
    let browser = Browser::open(DESK).await;
    browser.visit("rules").await;
    assert_eq!(browser.run("return document.documentElement.lang").await, json!("en"));
    let mut sentences = sentences_on_rules(&browser).await;
    assert!(sentences.len() > 50, "{sentences:?}");
    sentences.extend([
        json!("did not take the piece on B7 and cost 16.6 points"),
        json!("left the central rosette and cost 3.2 points"),
        json!("did not land on the rosette A1 and cost 2.0 points"),
        json!("moved another piece than the one from the hand and cost 1.1 points"),
    ]);
    for (language, direction, rules) in [("de", "ltr", "Regeln"), ("ar", "rtl", "القواعد")] {
        browser.run(&format!("localStorage.setItem('puabi.language', '{language}')")).await;
        browser.visit("rules").await;
        browser.wait_for_text("header", rules).await;
        let root =
            browser.run("const { lang, dir } = document.documentElement; return [lang, dir]").await;
        assert_eq!(root, json!([language, direction]));
        assert_eq!(untold(&browser, sentences.clone()).await, json!([]), "{language}");
        let quoted = "return import('/texts.js').then(({ translate }) => translate('no rule set is called `nothing`').includes('nothing'))";
        assert_eq!(browser.run(quoted).await, json!(true), "{language}: a name stays as it is");
    }
    // Signs stay before their numbers.
    let signed = "return import('/notation.js').then(({ signed }) => [signed(-1.25, 2), signed(1.25, 2), signed(-0.001, 2)])";
    assert_eq!(browser.run(signed).await, json!(["\u{200e}−1.25", "\u{200e}+1.25", "0.00"]));
    // The page is loaded anew when the settings are done.
    browser.click("header button").await;
    browser.find("dialog select").await.select_by_value("en").await.unwrap();
    assert_eq!(browser.run("return document.documentElement.lang").await, json!("ar"));
    browser.click("dialog p .primary").await;
    browser.wait_for("return document.documentElement.lang === 'en'", Vec::new()).await;
    browser.close().await;
}
