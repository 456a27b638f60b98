//! Scanning of text to tokens, as in `erl_scan` (OTP 25).

use super::error::{Position, SyntaxError};
use super::names;
use super::print::is_unicode;
use num_bigint::BigInt;
use term::Atom;

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Atom(Atom),
    Variable(String),
    Integer(BigInt),
    Float(f64),
    Character(char),
    String(String),
    /// Punctuation, an operator or a reserved word.
    Symbol(&'static str),
    /// A full stop.
    Dot,
    End,
}

impl Token {
    /// Returns the name of the token for error messages.
    pub fn describe(&self) -> String {
        match self {
            Token::Atom(atom) => format!("the atom {}", super::print::print_atom(*atom)),
            Token::Variable(name) => format!("the variable {name}"),
            Token::Integer(value) => format!("the integer {value}"),
            Token::Float(value) => format!("the float {}", super::float::float_text(*value)),
            Token::Character(_) => "a character".into(),
            Token::String(_) => "a string".into(),
            Token::Symbol(symbol) => format!("'{symbol}'"),
            Token::Dot => "a full stop".into(),
            Token::End => "the end".into(),
        }
    }
}

/// Scans a text. The last token is always `End`.
pub fn scan(text: &str) -> Result<Vec<(Position, Token)>, SyntaxError> {
    let characters: Vec<char> = text.chars().collect();
    let mut scanner = Scanner { characters: &characters, next: 0, at: Position { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    loop {
        scanner.skip_blank()?;
        let at = scanner.at;
        let token = scanner.token()?;
        let end = token == Token::End;
        tokens.push((at, token));
        if end {
            return Ok(tokens);
        }
    }
}

/// The symbols, longer ones before their prefixes.
const SYMBOLS: &[&str] = &[
    "=:=", "=/=", "...", "<<", "<-", "<=", ">>", ">=", "->", "--", "++", "=<", "=>", "==", "/=", "||", ":=", "::",
    "..", "?=", "(", ")", "[", "]", "{", "}", ",", ";", "|", "#", ":", ".", "=", "<", ">", "+", "-", "*", "/", "!",
    "?", "@", "\\", "^", "`", "~", "&",
];

const LONGEST_ATOM: usize = 255;

struct Scanner<'t> {
    characters: &'t [char],
    next: usize,
    at: Position,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.next + ahead).copied()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.next += 1;
        if c == '\n' {
            self.at = Position { line: self.at.line + 1, column: 1 };
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    fn error<T>(&self, at: Position, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError::new(at, message))
    }

    fn skip_blank(&mut self) -> Result<(), SyntaxError> {
        while let Some(c) = self.peek(0) {
            if c == '%' {
                while let Some(c) = self.peek(0).filter(|&c| c != '\n') {
                    if !is_unicode(c as u32) {
                        return self.error(self.at, "illegal character");
                    }
                    self.take();
                }
            } else if is_blank(c) {
                self.take();
            } else {
                break;
            }
        }
        Ok(())
    }

    fn token(&mut self) -> Result<Token, SyntaxError> {
        let at = self.at;
        let Some(c) = self.peek(0) else {
            return Ok(Token::End);
        };
        if names::starts_atom(c) {
            let word = self.word();
            return match names::reserved(&word) {
                Some(symbol) => Ok(Token::Symbol(symbol)),
                None => self.atom(at, &word),
            };
        }
        if names::starts_variable(c) {
            let word = self.word();
            if word.chars().count() > LONGEST_ATOM {
                return self.error(at, "this variable's name is too long");
            }
            return Ok(Token::Variable(word));
        }
        match c {
            '0'..='9' => self.number(at),
            '"' => Ok(Token::String(self.quoted(at, '"')?)),
            '\'' => {
                let text = self.quoted(at, '\'')?;
                self.atom(at, &text)
            }
            '$' => self.character(at),
            '.' if self.is_full_stop() => {
                self.take();
                Ok(Token::Dot)
            }
            _ => self.symbol(at),
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek(0).filter(|&c| names::continues_name(c)) {
            word.push(c);
            self.take();
        }
        word
    }

    fn atom(&self, at: Position, text: &str) -> Result<Token, SyntaxError> {
        if text.chars().count() > LONGEST_ATOM {
            return self.error(at, format!("an atom has at most {LONGEST_ATOM} characters"));
        }
        Atom::try_new(text).map(Token::Atom).map_err(|_| SyntaxError::new(at, "there are too many atoms already"))
    }

    fn is_full_stop(&self) -> bool {
        self.peek(1).is_none_or(|c| is_blank(c) || c == '%')
    }

    fn symbol(&mut self, at: Position) -> Result<Token, SyntaxError> {
        let matches = |symbol: &&&str| symbol.chars().enumerate().all(|(ahead, c)| self.peek(ahead) == Some(c));
        match SYMBOLS.iter().find(matches) {
            Some(symbol) => {
                for _ in symbol.chars() {
                    self.take();
                }
                Ok(Token::Symbol(symbol))
            }
            None => self.error(at, format!("illegal character {:?}", self.peek(0).unwrap_or(' '))),
        }
    }

    /// Reads a quoted text, from the opening quote up to the closing one.
    fn quoted(&mut self, at: Position, quote: char) -> Result<String, SyntaxError> {
        let mut text = String::new();
        self.take();
        loop {
            let here = self.at;
            match self.take() {
                Some(c) if c == quote => return Ok(text),
                Some('\\') => text.push(self.escape(here)?),
                Some(c) if is_unicode(c as u32) => text.push(c),
                Some(_) => return self.error(here, "illegal character"),
                None if quote == '"' => return self.error(at, "this string has no end: expected '\"'"),
                None => return self.error(at, "this quoted atom has no end: expected '''"),
            }
        }
    }

    fn character(&mut self, at: Position) -> Result<Token, SyntaxError> {
        self.take();
        match self.take() {
            Some('\\') => Ok(Token::Character(self.escape(at)?)),
            Some(c) if is_unicode(c as u32) => Ok(Token::Character(c)),
            Some(_) => self.error(at, "illegal character"),
            None => self.error(at, "expected a character after '$'"),
        }
    }

    /// Reads the part of an escape after the backslash.
    fn escape(&mut self, at: Position) -> Result<char, SyntaxError> {
        let illegal = || SyntaxError::new(at, "illegal escape sequence");
        let octal = |c: Option<char>| c.and_then(|c| c.to_digit(8));
        if let Some(mut code) = octal(self.peek(0)) {
            self.take();
            for _ in 0..2 {
                let Some(digit) = octal(self.peek(0)) else { break };
                code = code * 8 + digit;
                self.take();
            }
            return char::from_u32(code).ok_or_else(illegal);
        }
        match self.take().ok_or_else(illegal)? {
            'x' => self.hexadecimal().ok_or_else(illegal),
            '^' => match self.take().ok_or_else(illegal)? {
                '\n' => Ok('\n'),
                c => char::from_u32(c as u32 & 31).ok_or_else(illegal),
            },
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'v' => Ok('\u{b}'),
            'b' => Ok('\u{8}'),
            'f' => Ok('\u{c}'),
            'e' => Ok('\u{1b}'),
            's' => Ok(' '),
            'd' => Ok('\u{7f}'),
            c if is_unicode(c as u32) => Ok(c),
            _ => Err(illegal()),
        }
    }

    /// Reads `{`, any number of digits and `}`, or exactly two digits.
    fn hexadecimal(&mut self) -> Option<char> {
        let mut code = 0u32;
        if self.peek(0) == Some('{') {
            self.take();
            let mut digits = 0;
            while let Some(digit) = self.peek(0).and_then(|c| c.to_digit(16)) {
                code = code.checked_mul(16)?.checked_add(digit)?;
                digits += 1;
                self.take();
            }
            if digits == 0 || self.take() != Some('}') {
                return None;
            }
        } else {
            for _ in 0..2 {
                code = code * 16 + self.peek(0)?.to_digit(16)?;
                self.take();
            }
        }
        char::from_u32(code).filter(|&c| is_unicode(c as u32))
    }

    /// Reads digits with single underscores between them, and appends them to `text` without the underscores.
    fn digits(&mut self, radix: u32, text: &mut String) {
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_digit(radix));
        let mut any = false;
        loop {
            if is_digit(self.peek(0)) {
                text.extend(self.take());
                any = true;
            } else if any && self.peek(0) == Some('_') && is_digit(self.peek(1)) {
                self.take();
            } else {
                return;
            }
        }
    }

    fn number(&mut self, at: Position) -> Result<Token, SyntaxError> {
        let mut text = String::new();
        self.digits(10, &mut text);
        match self.peek(0) {
            Some('.') if self.peek(1).is_some_and(|c| c.is_ascii_digit()) => self.float(at, text),
            Some('#') => self.based(at, &text),
            _ => integer(at, &text, 10),
        }
    }

    fn based(&mut self, at: Position, base: &str) -> Result<Token, SyntaxError> {
        let Some(radix) = base.parse().ok().filter(|radix| (2..=36).contains(radix)) else {
            return self.error(at, format!("illegal base {base}: it is between 2 and 36"));
        };
        self.take();
        let mut text = String::new();
        self.digits(radix, &mut text);
        integer(at, &text, radix)
    }

    fn float(&mut self, at: Position, mut text: String) -> Result<Token, SyntaxError> {
        text.extend(self.take());
        self.digits(10, &mut text);
        if matches!(self.peek(0), Some('e' | 'E')) {
            text.extend(self.take());
            if matches!(self.peek(0), Some('+' | '-')) {
                text.extend(self.take());
            }
            self.digits(10, &mut text);
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Token::Float(value)),
            _ => self.error(at, format!("illegal float {text}")),
        }
    }
}

fn integer(at: Position, text: &str, radix: u32) -> Result<Token, SyntaxError> {
    match term::digits::read(text.as_bytes(), radix) {
        Some(value) => Ok(Token::Integer(value.into())),
        None => Err(SyntaxError::new(at, "illegal integer: expected a digit")),
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, '\0'..=' ' | '\u{80}'..='\u{a0}')
}
