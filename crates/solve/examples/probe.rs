//! Solves a preset in memory and prints figures.
use puabi_core::RuleSet;
use puabi_solve::{Options, Solver, Unattended};
fn main() {
    let mut args = std::env::args().skip(1);
    let rule_set: RuleSet = args.next().unwrap().parse().unwrap();
    let mut options = Options::default();
    if let Some(t) = args.next() { options.threads = t.parse().unwrap(); }
    if let Some(t) = args.next() { options.instructions = t.parse().unwrap(); }
    let rules = rule_set.compile().unwrap();
    let solver = Solver::new(&rules, options).unwrap();
    println!("estimate {:.3} GB", solver.memory() as f64 / 1e9);
    let t = std::time::Instant::now();
    let (values, report) = solver.solve(&Unattended, &Unattended).unwrap();
    println!("{report:?} {:?}", t.elapsed());
    let mut hasher = blake3::Hasher::new();
    for c in values.chunks() { hasher.update(bytemuck::cast_slice(c)); }
    println!("{}", hasher.finalize());
}
