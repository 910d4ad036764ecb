//! The page as files.

use std::fs;

use puabi_server::Site;

#[test]
fn a_site_is_whole_and_its_worker_keeps_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::new(b"\0asm and more").unwrap();
    site.write(folder.path()).unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (files, _) = site.size();
    let worker = read("sw.js");
    let line = worker.lines().find(|line| line.starts_with("const SITE = ")).unwrap();
    let json = line.trim_start_matches("const SITE = ").trim_end_matches(';');
    let kept: serde_json::Value = serde_json::from_str(json).unwrap();
    // All files but the worker itself; the page is listed by the name of its folder.
    assert_eq!(kept["files"].as_array().unwrap().len(), files - 1);
    assert_eq!(kept["edition"].as_str().unwrap().len(), 16);
    for name in kept["files"].as_array().unwrap().iter().filter(|name| *name != "./") {
        assert!(folder.path().join(name.as_str().unwrap()).is_file(), "{name}");
    }
    assert!(read("index.html").contains("wasm-unsafe-eval"));
    assert!(read("transport.js").contains("alone: true"));
    assert!(read("help/rules.html").contains("href=\"notation.html"));
    for name in ["index.html", "help/rules.html", "help/notation.html"] {
        assert!(!read(name).contains("href=\"/"), "{name} has a link that leaves the folder");
    }
}

#[test]
fn another_page_is_another_edition() {
    let edition = |engine: &[u8]| {
        let folder = tempfile::tempdir().unwrap();
        Site::new(engine).unwrap().write(folder.path()).unwrap();
        fs::read_to_string(folder.path().join("sw.js")).unwrap()
    };
    assert_eq!(edition(b"\0asm 1"), edition(b"\0asm 1"));
    assert_ne!(edition(b"\0asm 1"), edition(b"\0asm 2"));
    assert!(Site::new(b"no module").is_err());
}

#[test]
fn a_site_replaces_an_earlier_one_of_its_own_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::new(b"\0asm").unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    site.write(folder.path()).unwrap();
    site.write(folder.path()).unwrap();
    assert_eq!(fs::read(folder.path().join("notes.txt")).unwrap(), b"mine");
    let other = tempfile::tempdir().unwrap();
    let index = other.path().join("index.html");
    fs::write(&index, "mine").unwrap();
    assert!(site.write(other.path()).unwrap_err().to_string().contains("index.html"));
    assert_eq!(fs::read(&index).unwrap(), b"mine");
}
