//! What checks the solutions. It knows the rules of the four problems and nothing of how they are solved, so that a
//! mistake in a solution is not simply repeated here.

pub mod cases;
pub mod check;
pub mod generate;
pub mod hostile;
pub mod oracle;
pub mod run;
pub mod verdict;
