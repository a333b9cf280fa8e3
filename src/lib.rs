//! Board helpers for problems from online judges.
