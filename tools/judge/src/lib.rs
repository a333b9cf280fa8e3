//! What checks the solutions. It shares no code with them, so that a mistake in a solution is not simply repeated here.
//! Only long rings are checked with the idea of the solution; [`oracle::ring::by_distance`] says why that is safe.

pub mod cases;
pub mod check;
pub mod generate;
pub mod hostile;
pub mod oracle;
pub mod run;
pub mod verdict;
