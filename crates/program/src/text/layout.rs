//! Lays out a tree as lines of text. A group that fits on a line stays on it. Otherwise a form keeps its head and the
//! leaves after it on the first line, and each further child begins a line of its own; data fills lines.

use super::tree::{Kind, Piece, Tree, escaped};

const WIDTH: usize = 110;
const STEP: usize = 2;
/// The depth from which nodes are not indented further: a tree of n levels must not take n² spaces.
const MOST_INDENTED: usize = 60;

pub(super) fn layout(tree: &Tree) -> String {
    let mut lines = Lines { text: String::new(), line_start: 0 };
    let mut open: Vec<Open> = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        while let Some(group) = open.pop_if(|group| group.end == index) {
            lines.text.push_str(group.close);
        }
        match open.last_mut() {
            Some(group) => group.separate(node, index, &mut lines),
            None if index > 0 => lines.text.push('\n'),
            None => {}
        }
        if node.kind.is_leaf() {
            escaped(node.kind, tree.text(index), |piece| lines.text.push_str(piece));
            continue;
        }
        let (begin, close) = node.kind.brackets();
        let flat = open.last().is_some_and(|group| group.flat) || lines.column() + node.width <= WIDTH;
        let indent = open.last().map_or(0, |group| group.indent + STEP);
        let filling = true;
        lines.text.push_str(begin);
        open.push(Open { first: index + 1, end: node.end, indent, close, kind: node.kind, flat, filling });
    }
    while let Some(group) = open.pop() {
        lines.text.push_str(group.close);
    }
    lines.text.push('\n');
    lines.text
}

struct Lines {
    text: String,
    line_start: usize,
}

impl Lines {
    fn column(&self) -> usize {
        self.text.len() - self.line_start
    }

    fn new_line(&mut self, indent: usize) {
        self.text.push('\n');
        self.line_start = self.text.len();
        self.text.extend(std::iter::repeat_n(' ', indent.min(MOST_INDENTED)));
    }
}

/// A group whose children are being written.
struct Open {
    first: usize,
    end: usize,
    /// The indentation of the line on which the group began.
    indent: usize,
    close: &'static str,
    kind: Kind,
    /// Whether the whole group is on one line.
    flat: bool,
    /// Whether no child has needed a line of its own yet.
    filling: bool,
}

impl Open {
    /// Writes the separator before a child: a space or a line break.
    fn separate(&mut self, child: &Piece, index: usize, lines: &mut Lines) {
        if index == self.first {
            return;
        }
        let fills = self.kind != Kind::Form || child.kind.is_leaf() || child.beside_head;
        self.filling &= fills;
        if self.flat || (self.filling && lines.column() + 1 + child.width <= WIDTH) {
            lines.text.push(' ');
        } else {
            lines.new_line(self.indent + STEP);
        }
    }
}
