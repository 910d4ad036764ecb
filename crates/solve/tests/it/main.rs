//! Laws and facts of solved games.

mod bounds;
mod contest;
mod dead;
mod first_roll;
mod fixed_point;
mod general;
mod laws;
mod oracle;
mod race;
mod small;
mod solved;
