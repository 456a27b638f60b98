//! The tape against evaluation, and conditions that are solved.
