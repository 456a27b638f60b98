//! Native functions written in Erlang, for runs in which they get symbolic values. Rows refer to them
//! (`machine::Meaning::Prelude`); code that loads modules must know this one.

/// The name and the source of the prelude.
pub const PRELUDE: (&str, &str) =
    (NAME, concat!(include_str!("beagle_prelude.erl"), include_str!("bits.erl"), include_str!("texts.erl")));

/// The behaviour of function inputs, in terms of the questions that their player answers.
pub const INTERACTION: (&str, &str) = ("beagle_interaction", include_str!("beagle_interaction.erl"));

/// The behaviour of unknown clients of a module, in terms of such questions.
pub const CLIENT: (&str, &str) = ("beagle_client", include_str!("beagle_client.erl"));

/// The replacement for functions that are known by samples.
pub const SAMPLES: (&str, &str) = ("beagle_samples", include_str!("beagle_samples.erl"));

/// Calls of modules with a function that runs when they are loaded.
pub const LOAD: (&str, &str) = ("beagle_load", include_str!("beagle_load.erl"));

/// Processes of the runtime.
pub const PROCESSES: (&str, &str) = ("beagle_processes", include_str!("beagle_processes.erl"));

/// Starting and stopping applications.
pub const APPLICATIONS: (&str, &str) = ("beagle_applications", include_str!("beagle_applications.erl"));

/// Functions that marks call on the real runtime; our machine has rows for them.
pub const MARK: (&str, &str) = ("beagle_mark", include_str!("beagle_mark.erl"));

/// Functions that conducted code calls on the real runtime; our machine has rows for them.
pub const CONDUCTOR: (&str, &str) =
    ("beagle_conductor", concat!(include_str!("beagle_conductor.erl"), include_str!("visible.erl")));

/// Functions that events call on the real runtime; our machine has rows for them.
pub const EVENT: (&str, &str) = ("beagle_event", include_str!("beagle_event.erl"));

/// Functions that the events of traces call on the real runtime; our machine has rows for them.
pub const TRACE: (&str, &str) = ("beagle_trace", include_str!("beagle_trace.erl"));

/// All modules of the prelude.
pub const ALL: &[(&str, &str)] =
    &[PRELUDE, INTERACTION, CLIENT, SAMPLES, LOAD, PROCESSES, APPLICATIONS, MARK, CONDUCTOR, EVENT, TRACE];

/// The name of the module with the native functions.
pub const NAME: &str = "beagle_prelude";
