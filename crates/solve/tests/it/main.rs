//! Laws and facts of solved games.

mod any_rules;
mod bounds;
mod contest;
mod cube;
mod dead;
mod first_roll;
mod fixed_point;
mod general;
mod held;
mod laws;
mod oracle;
mod plan;
mod race;
mod ranks;
mod small;
mod solved;
mod spill;
mod threads;
