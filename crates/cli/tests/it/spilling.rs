//! Games that memory has no room for.

use std::path::Path;

use serde_json::Value;

use crate::{json, output, ur};

#[test]
fn a_game_that_memory_has_no_room_for_is_solved_on_the_disk_of_its_table() {
    // The temporary folder may be memory.
    let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let hash = |args: &str| {
        let out = data.path().join("new/table.urt");
        let args = format!("solve finkel:4 --no-bounds --json {args} --out");
        let mut command = ur(data.path());
        let output = command.args(args.split_whitespace()).arg(&out).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        std::fs::remove_file(out).unwrap();
        (found["hash"].clone(), told)
    };
    let same_on_a_disk = |args: &str| {
        let (expected, told) = hash(args);
        assert!(!told.contains("memory is short"), "{told}");
        let (found, told) = hash(&format!("--memory 50M {args}"));
        assert!(told.contains("memory is short: values at work, "), "{told}");
        assert_eq!(found, expected, "{args}");
        told
    };
    same_on_a_disk("");
    // The rounding of a smaller store is measured with values on the disk too, after a solve and from an existing table.
    let told = same_on_a_disk("--store u16");
    assert!(!told.contains("is solved"), "{told}");
    let solved = output(data.path(), "solve finkel:4 --no-bounds");
    assert!(solved.status.success(), "{solved:?}");
    let told = same_on_a_disk("--store u16");
    assert!(told.contains("finkel:4 is solved: its exact values are stored as u16"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_in_memory_takes_its_part_of_it() {
    let Ok(memory) = tempfile::tempdir_in("/dev/shm") else { return };
    let disk = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let plan = |folder: &Path| {
        let out = folder.join("table.urt");
        json(
            disk.path(),
            &format!("solve finkel:4 --memory 500M --plan --json --out {}", out.display()),
        )
    };
    let [on_disk, in_memory] = [disk.path(), memory.path()].map(plan);
    let bytes = |plan: &Value, what: &str| plan[what].as_u64().unwrap();
    let left = bytes(&on_disk, "memory_limit") - bytes(&on_disk, "disk");
    assert_eq!(bytes(&in_memory, "memory_limit"), left);
}

#[test]
fn a_plan_tells_what_the_disk_may_add() {
    let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = data.path().to_str().unwrap();
    let args = format!("solve finkel:4 --memory 50M --plan --spill {folder}");
    let plan = json(data.path(), &format!("{args} --json"));
    let speed = |what: &str| plan["spill_speed"][what].as_u64().unwrap();
    let bytes = |what: &str| plan[what].as_u64().unwrap();
    assert!(speed("reads") > 0 && speed("writes") > 0);
    // All that is spilled is written and read, more than once.
    assert!(bytes("disk_reads") > 2 * bytes("spilled") && bytes("disk_writes") > bytes("spilled"));
    let told = String::from_utf8(output(data.path(), &args).stdout).unwrap();
    assert!(told.contains("more if memory keeps nothing of what is spilled"), "{told}");
    // Values are spilled beside a table even if the table's folder does not exist yet.
    let told = output(data.path(), "solve finkel:4 --memory 50M --plan");
    assert!(String::from_utf8(told.stdout).unwrap().contains("disk time"));
    let told = output(data.path(), "solve finkel:4 --plan");
    assert!(!String::from_utf8(told.stdout).unwrap().contains("spilled"));
    assert_eq!(data.path().read_dir().unwrap().count(), 0, "nothing is made");
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_that_fits_neither_memory_nor_a_disk_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let refused = output(data.path(), "solve finkel:4 --memory 60M --out /dev/shm/no/such.urt");
    let told = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("the table takes 20.84 MB of it"), "{told}");
    assert!(told.contains("of memory, 39.16 MB are available"), "{told}");
    assert!(told.contains("hint: --spill DIR puts "), "{told}");
    assert!(!Path::new("/dev/shm/no").exists());
}
