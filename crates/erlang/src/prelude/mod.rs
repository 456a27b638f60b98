//! Native functions said in Erlang, for runs in which they are given symbolic values. Rows name them
//! (`machine::Meaning::Prelude`); who loads modules must know this one.

/// Its name and its source.
pub const PRELUDE: (&str, &str) =
    (NAME, concat!(include_str!("beagle_prelude.erl"), include_str!("bits.erl"), include_str!("texts.erl")));

/// What function inputs do, over the questions that their player answers.
pub const INTERACTION: (&str, &str) = ("beagle_interaction", include_str!("beagle_interaction.erl"));

/// What unknown clients of a module do, likewise.
pub const CLIENT: (&str, &str) = ("beagle_client", include_str!("beagle_client.erl"));

/// What stands in the place of functions that are known by samples.
pub const SAMPLES: (&str, &str) = ("beagle_samples", include_str!("beagle_samples.erl"));

/// How a module is called that does something when it is loaded.
pub const LOAD: (&str, &str) = ("beagle_load", include_str!("beagle_load.erl"));

/// Processes of the runtime.
pub const PROCESSES: (&str, &str) = ("beagle_processes", include_str!("beagle_processes.erl"));

/// Starting and stopping applications.
pub const APPLICATIONS: (&str, &str) = ("beagle_applications", include_str!("beagle_applications.erl"));

/// What marks in the code call on the real runtime; our machine has rows for it.
pub const MARK: (&str, &str) = ("beagle_mark", include_str!("beagle_mark.erl"));

/// What conducted code asks on the real runtime; our machine has rows for it.
pub const CONDUCTOR: (&str, &str) =
    ("beagle_conductor", concat!(include_str!("beagle_conductor.erl"), include_str!("visible.erl")));

/// What events in the code call there, likewise.
pub const EVENT: (&str, &str) = ("beagle_event", include_str!("beagle_event.erl"));

/// What the events of traces call there, likewise.
pub const TRACE: (&str, &str) = ("beagle_trace", include_str!("beagle_trace.erl"));

/// All of them.
pub const ALL: &[(&str, &str)] =
    &[PRELUDE, INTERACTION, CLIENT, SAMPLES, LOAD, PROCESSES, APPLICATIONS, MARK, CONDUCTOR, EVENT, TRACE];

/// The module's name.
pub const NAME: &str = "beagle_prelude";
