//! Bracketed text as a tree: one flat list of nodes in the order of the text. A group is followed by its children and
//! records where they end, so building, dropping and walking it need no recursion.

use super::ReadError;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// `'…'`
    Quoted,
    /// `"…"`
    Text,
    /// `( … )`
    Form,
    /// `[ … ]`
    List,
    /// `{ … }`
    Tuple,
    /// `#{ … }`
    Map,
}

impl Kind {
    pub(super) fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Kind::Word => ("", ""),
            Kind::Quoted => ("'", "'"),
            Kind::Text => ("\"", "\""),
            Kind::Form => ("(", ")"),
            Kind::List => ("[", "]"),
            Kind::Tuple => ("{", "}"),
            Kind::Map => ("#{", "}"),
        }
    }

    pub(super) fn is_leaf(self) -> bool {
        matches!(self, Kind::Word | Kind::Quoted | Kind::Text)
    }
}

#[derive(Debug)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    /// The range of a leaf's text, without quotes and escapes.
    pub(super) text: Range<usize>,
    /// One past the last node of the subtree.
    pub(super) end: usize,
    /// The width if printed on one line.
    pub(super) width: usize,
    /// Whether the node stays on the line of the word that heads its form, if there is room.
    pub(super) beside_head: bool,
    /// The offset in the text that it was read from.
    pub(super) offset: usize,
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Piece>,
    texts: String,
    /// Groups that are not closed yet.
    open: Vec<usize>,
}

impl Tree {
    pub(super) fn text(&self, node: usize) -> &str {
        &self.texts[self.nodes[node].text.clone()]
    }

    pub(super) fn leaf(&mut self, kind: Kind, text: &str) {
        let mut width = 0;
        escaped(kind, text, |piece| width += piece.len());
        let start = self.texts.len();
        self.texts.push_str(text);
        self.push(kind, start..self.texts.len(), width, 0);
    }

    pub(super) fn begin(&mut self, kind: Kind) {
        self.open.push(self.nodes.len());
        self.push(kind, 0..0, 0, 0);
    }

    pub(super) fn begin_beside_head(&mut self) {
        self.begin(Kind::Form);
        if let Some(node) = self.nodes.last_mut() {
            node.beside_head = true;
        }
    }

    /// Ends the group that was begun last.
    pub(super) fn end(&mut self) {
        let Some(group) = self.open.pop() else { return };
        let (open, close) = self.nodes[group].kind.brackets();
        let mut width = open.len() + close.len();
        let mut child = group + 1;
        while child < self.nodes.len() {
            width = width.saturating_add(self.nodes[child].width + usize::from(child > group + 1));
            child = self.nodes[child].end;
        }
        self.nodes[group].width = width;
        self.nodes[group].end = child;
    }

    fn push(&mut self, kind: Kind, text: Range<usize>, width: usize, offset: usize) {
        let end = self.nodes.len() + 1;
        self.nodes.push(Piece { kind, text, end, width, beside_head: false, offset });
    }
}

/// Calls `piece` with the parts of a leaf as they are written, quotes included.
pub(super) fn escaped(kind: Kind, text: &str, mut piece: impl FnMut(&str)) {
    let (open, close) = kind.brackets();
    piece(open);
    for character in text.chars() {
        match character {
            '\n' if kind != Kind::Word => piece("\\n"),
            '\\' | '\'' | '"' if kind != Kind::Word => {
                piece("\\");
                piece(character.encode_utf8(&mut [0; 4]));
            }
            _ if kind != Kind::Word && character.is_control() => piece(&format!("\\x{:x};", character as u32)),
            _ => piece(character.encode_utf8(&mut [0; 4])),
        }
    }
    piece(close);
}

/// Parses a text. It may consist of several trees; the reader requires a single group.
pub(super) fn parse(text: &str) -> Result<Tree, ReadError> {
    let mut parser = Parser { text, offset: 0, tree: Tree::default() };
    parser.run()?;
    Ok(parser.tree)
}

/// Returns line and column, in characters, of an offset.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

struct Parser<'a> {
    text: &'a str,
    offset: usize,
    tree: Tree,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), ReadError> {
        while let Some(character) = self.peek() {
            let start = self.offset;
            match character {
                ';' => self.skip_while(|c| c != '\n'),
                '(' => self.open(Kind::Form),
                '[' => self.open(Kind::List),
                '{' => self.open(Kind::Tuple),
                '#' if self.text[start..].starts_with("#{") => self.open(Kind::Map),
                ')' | ']' | '}' => self.close(character)?,
                '\'' => self.quoted(Kind::Quoted)?,
                '"' => self.quoted(Kind::Text)?,
                _ if character.is_whitespace() => self.skip_while(char::is_whitespace),
                _ => {
                    self.skip_while(is_word);
                    let word = &self.text[start..self.offset];
                    self.tree.leaf(Kind::Word, word);
                    self.place_at(start);
                }
            }
        }
        match self.tree.open.last() {
            Some(&group) => Err(self.error(self.tree.nodes[group].offset, "this bracket is never closed")),
            None => Ok(()),
        }
    }

    fn open(&mut self, kind: Kind) {
        let start = self.offset;
        self.offset += kind.brackets().0.len();
        self.tree.begin(kind);
        self.place_at(start);
    }

    fn close(&mut self, character: char) -> Result<(), ReadError> {
        let Some(&group) = self.tree.open.last() else {
            return Err(self.error(self.offset, "this bracket closes nothing"));
        };
        let (open, close) = self.tree.nodes[group].kind.brackets();
        if !close.starts_with(character) {
            return Err(self.error(self.offset, &format!("`{open}` is closed by `{close}`, not by `{character}`")));
        }
        self.offset += 1;
        self.tree.end();
        Ok(())
    }

    fn quoted(&mut self, kind: Kind) -> Result<(), ReadError> {
        let start = self.offset;
        let quote = self.take();
        let mut text = String::new();
        loop {
            match self.take() {
                None => return Err(self.error(start, "this quote is never closed")),
                Some('\\') => {
                    let escape = self.escape()?;
                    text.push(escape);
                }
                character if character == quote => break,
                Some(character) => text.push(character),
            }
        }
        self.tree.leaf(kind, &text);
        self.place_at(start);
        Ok(())
    }

    fn escape(&mut self) -> Result<char, ReadError> {
        let start = self.offset;
        match self.take() {
            Some('n') => Ok('\n'),
            Some(character @ ('\\' | '\'' | '"')) => Ok(character),
            Some('x') => {
                let digits = self.offset;
                self.skip_while(|c| c.is_ascii_hexdigit());
                let code = u32::from_str_radix(&self.text[digits..self.offset], 16).ok().and_then(char::from_u32);
                match (code, self.take()) {
                    (Some(character), Some(';')) => Ok(character),
                    _ => Err(self.error(start, "`\\x` wants the hexadecimal number of a character and a `;`")),
                }
            }
            _ => Err(self.error(start, "unknown escape: there are \\n, \\\\, \\', \\\" and \\x…;")),
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.offset += character.len_utf8();
        Some(character)
    }

    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = &self.text[self.offset..];
        self.offset += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    }

    fn place_at(&mut self, offset: usize) {
        if let Some(node) = self.tree.nodes.last_mut() {
            node.offset = offset;
        }
    }

    fn error(&self, offset: usize, message: &str) -> ReadError {
        let (line, column) = position(self.text, offset);
        ReadError { line, column, message: message.to_string() }
    }
}

fn is_word(character: char) -> bool {
    !character.is_whitespace() && !matches!(character, '(' | ')' | '[' | ']' | '{' | '}' | '\'' | '"' | ';')
}
