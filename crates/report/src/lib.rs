//! Reports: reviews of games and of players as pages and pictures, in HTML and SVG.
//!
//! A [`Page`] shows the [`Review`](puabi_engine::Review) of a game, a [`PlayerPage`] the report on a player, a [`Graph`] the
//! chances of one game, a [`Topic`] what the documents say. Each of them is a text that needs nothing from the network.

mod board;
mod cube;
mod graph;
mod page;
mod player_page;
mod topic;
mod words;

pub use graph::Graph;
pub use page::Page;
pub use player_page::PlayerPage;
pub use topic::Topic;
