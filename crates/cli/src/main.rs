//! The `ur` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    puabi_cli::main()
}
