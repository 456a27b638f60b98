//! The applications of a program as one term: a list of `{Name, Keys, Environment}`, where the last two are lists of
//! pairs. Keys are those that `application:get_key/2` knows, or `none` if only the environment of the application is
//! known.

use term::{Atom, Term};

/// An application, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Application {
    pub name: Atom,
    /// The keys of its description, without the environment; `None` if there is no description.
    pub keys: Option<Vec<(Atom, Term)>>,
    pub environment: Vec<(Atom, Term)>,
}

pub fn encode(applications: &[Application]) -> Term {
    let pairs = |pairs: &[(Atom, Term)]| {
        let pair = |(key, value): &(Atom, Term)| Term::tuple(vec![Term::Atom(*key), value.clone()]);
        Term::list(pairs.iter().map(pair).collect::<Vec<_>>())
    };
    let application = |application: &Application| {
        let keys = application.keys.as_deref().map_or(Term::atom("none"), pairs);
        Term::tuple(vec![Term::Atom(application.name), keys, pairs(&application.environment)])
    };
    Term::list(applications.iter().map(application).collect::<Vec<_>>())
}

/// Returns the name, the keys and the environment of each application.
pub fn applications(configuration: &Term) -> impl Iterator<Item = (Atom, Option<&[Term]>, &[Term])> {
    configuration.as_list().unwrap_or_default().iter().filter_map(|application| match application.as_tuple() {
        Some([Term::Atom(name), keys, environment]) => {
            let is_described = !matches!(keys, Term::Atom(_));
            let keys = is_described.then(|| keys.as_list().unwrap_or_default());
            Some((*name, keys, environment.as_list().unwrap_or_default()))
        }
        _ => None,
    })
}

/// Returns the application of a module, if processes are started with the application. An application that was not
/// built does not list its modules; it is assumed to be the one if no other such application exists.
pub fn started_with(configuration: &Term, module: Atom) -> Option<Atom> {
    let key = |keys: &[Term], name: &str| {
        let value = |pair: &Term| match pair.as_tuple() {
            Some([Term::Atom(key), value]) if key.text() == name => Some(value.clone()),
            _ => None,
        };
        keys.iter().find_map(value).unwrap_or(Term::Nil)
    };
    let started =
        || applications(configuration).filter(|(_, keys, _)| keys.is_some_and(|keys| key(keys, "mod") != Term::Nil));
    let has_module =
        |keys: &[Term]| key(keys, "modules").as_list().is_some_and(|all| all.contains(&Term::Atom(module)));
    let owner = applications(configuration).find(|(_, keys, _)| keys.is_some_and(has_module));
    match owner {
        Some((name, _, _)) => started().any(|(other, _, _)| other == name).then_some(name),
        None => {
            let mut unnamed =
                started().filter(|(_, keys, _)| keys.is_some_and(|keys| key(keys, "modules") == Term::Nil));
            unnamed.next().filter(|_| unnamed.next().is_none()).map(|(name, _, _)| name)
        }
    }
}
