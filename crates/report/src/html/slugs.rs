//! Names of files for the names in a program: plain letters, and no name twice, even where upper and lower case are the
//! same.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The maximum number of characters of a file's name.
const LONGEST: usize = 80;

pub struct Slugs<K> {
    folder: &'static str,
    paths: HashMap<K, String>,
    /// The keys in the order in which they were added.
    order: Vec<K>,
    taken: HashSet<String>,
}

impl<K: Copy + Eq + Hash> Slugs<K> {
    pub fn new(folder: &'static str) -> Slugs<K> {
        Slugs { folder, paths: HashMap::new(), order: Vec::new(), taken: HashSet::new() }
    }

    pub fn add(&mut self, key: K, name: &str) {
        if self.paths.contains_key(&key) {
            return;
        }
        let plain = plain(name);
        let mut slug = plain.clone();
        let mut number = 1;
        while !self.taken.insert(slug.to_ascii_lowercase()) {
            number += 1;
            slug = format!("{plain}~{number}");
        }
        self.paths.insert(key, format!("{}/{slug}.html", self.folder));
        self.order.push(key);
    }

    pub fn get(&self, key: &K) -> Option<&str> {
        self.paths.get(key).map(String::as_str)
    }

    pub fn path(&self, key: &K) -> &str {
        self.get(key).unwrap_or("index.html")
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &str)> {
        self.order.iter().map(|key| (key, self.path(key)))
    }
}

/// Returns the name with characters that need no escape in a path or a link. The slash before an arity becomes a dash.
fn plain(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => out.push(letter),
            // A dot at the beginning would hide the file.
            '.' if !out.is_empty() => out.push(letter),
            ':' if !out.is_empty() => out.push('.'),
            _ => out.push('-'),
        }
        if out.len() >= LONGEST {
            break;
        }
    }
    if out.is_empty() { "-".to_string() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_plain_names_of_their_own() {
        let mut slugs = Slugs::new("functions");
        for (key, name) in ["m:f/1", "M:F/1", "../../etc", "<script>", "é/?#%", "", ".hidden"].iter().enumerate() {
            slugs.add(key, name);
        }
        let paths: Vec<&str> = (0..7).map(|key| slugs.path(&key)).collect();
        let expected = ["m.f-1", "M.F-1~2", "-.-..-etc", "-script-", "-----", "-", "-hidden"];
        assert_eq!(paths, expected.map(|slug| format!("functions/{slug}.html")));
        slugs.add(9, &"x".repeat(1000));
        assert!(slugs.path(&9).len() < 120);
    }
}
