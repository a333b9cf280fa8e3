//! Any solution as one file that every judge takes.

pub mod inline;
pub mod nodes;
pub mod resolve;
pub mod rustc;
pub mod shake;
pub mod text;
pub mod verify;
