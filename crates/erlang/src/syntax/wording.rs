//! The names of operators and of parts of data in printed conditions: in Erlang, and in Elixir.

use formula::{Arithmetic, Conversion, Kinds, Numeric};

/// The words of one language.
pub struct Words {
    pub same: &'static str,
    pub not_same: &'static str,
    pub not_equal: &'static str,
    pub at_most: &'static str,
    pub and: &'static str,
    pub or: &'static str,
    /// The pattern of a list that is not empty, and the text between the parts of a tuple.
    pub cons: &'static str,
    pub comma: &'static str,
    /// The number of the first element.
    pub first: u32,
    /// The functions that put a key into a map and change an element of a tuple, if the language has such functions,
    /// with the map or the tuple as the first argument.
    pub put: Option<&'static str>,
    pub put_element: Option<&'static str>,
    /// The texts around the size of a part of a bitstring.
    pub size: (&'static str, &'static str),
    /// The texts before the kind of a part of a bitstring: after a size, and without one.
    pub kind: (&'static str, &'static str),
    /// The name of a function, given Erlang's name for it, and whether its two arguments are swapped.
    pub function: fn(&str) -> (&str, bool),
    pub arithmetic: fn(Arithmetic) -> Operation,
}

/// The notation of an operation. An infix operator has the precedence of sums or that of products.
pub enum Operation {
    Sum(&'static str),
    Product(&'static str),
    Call(&'static str),
}

pub const ERLANG: Words = Words {
    same: "=:=",
    not_same: "=/=",
    not_equal: "/=",
    at_most: "=<",
    and: "andalso",
    or: "orelse",
    cons: "[_|_]",
    comma: ",",
    first: 1,
    put: None,
    put_element: None,
    size: (":", ""),
    kind: ("/", "/"),
    function: |name| (name, false),
    arithmetic: in_erlang,
};

pub const ELIXIR: Words = Words {
    same: "===",
    not_same: "!==",
    not_equal: "!=",
    at_most: "<=",
    and: "and",
    or: "or",
    cons: "[_ | _]",
    comma: ", ",
    first: 0,
    put: Some("Map.put"),
    put_element: Some("put_elem"),
    size: ("::size(", ")"),
    kind: ("-", "::"),
    function: of_elixir,
    arithmetic: in_elixir,
};

fn in_erlang(arithmetic: Arithmetic) -> Operation {
    match arithmetic {
        Arithmetic::Add => Operation::Sum("+"),
        Arithmetic::Subtract => Operation::Sum("-"),
        Arithmetic::Multiply => Operation::Product("*"),
        Arithmetic::Divide => Operation::Product("/"),
        Arithmetic::Quotient => Operation::Product("div"),
        Arithmetic::Remainder => Operation::Product("rem"),
        Arithmetic::BitAnd => Operation::Product("band"),
        Arithmetic::BitOr => Operation::Sum("bor"),
        Arithmetic::BitXor => Operation::Sum("bxor"),
        Arithmetic::ShiftLeft => Operation::Sum("bsl"),
        Arithmetic::ShiftRight => Operation::Sum("bsr"),
        Arithmetic::Power => Operation::Call("math:pow"),
        Arithmetic::Atan2 => Operation::Call("math:atan2"),
        Arithmetic::FloatRemainder => Operation::Call("math:fmod"),
    }
}

fn in_elixir(arithmetic: Arithmetic) -> Operation {
    match arithmetic {
        Arithmetic::Add => Operation::Sum("+"),
        Arithmetic::Subtract => Operation::Sum("-"),
        Arithmetic::Multiply => Operation::Product("*"),
        Arithmetic::Divide => Operation::Product("/"),
        Arithmetic::Quotient => Operation::Call("div"),
        Arithmetic::Remainder => Operation::Call("rem"),
        Arithmetic::BitAnd => Operation::Call("Bitwise.band"),
        Arithmetic::BitOr => Operation::Call("Bitwise.bor"),
        Arithmetic::BitXor => Operation::Call("Bitwise.bxor"),
        Arithmetic::ShiftLeft => Operation::Call("Bitwise.bsl"),
        Arithmetic::ShiftRight => Operation::Call("Bitwise.bsr"),
        Arithmetic::Power => Operation::Call(":math.pow"),
        Arithmetic::Atan2 => Operation::Call(":math.atan2"),
        Arithmetic::FloatRemainder => Operation::Call(":math.fmod"),
    }
}

fn of_elixir(name: &str) -> (&str, bool) {
    match name {
        "map_get" => ("Map.get", true),
        "maps:remove" => ("Map.delete", true),
        "is_map_key" => (name, true),
        "nth" => ("Enum.at", true),
        "nthtail" => ("Enum.drop", true),
        "element" => ("elem", true),
        "key" | "value" => (name, true),
        "bnot" => ("Bitwise.bnot", false),
        "integer_to_list" => ("Integer.to_charlist", false),
        "list_to_integer" => ("List.to_integer", false),
        "integer_to_binary" => ("Integer.to_string", false),
        "binary_to_integer" => ("String.to_integer", false),
        "float_to_list" => ("Float.to_charlist", false),
        "list_to_float" => ("List.to_float", false),
        "float_to_binary" => ("Float.to_string", false),
        "binary_to_float" => ("String.to_float", false),
        "atom_to_list" => ("Atom.to_charlist", false),
        "list_to_atom" => ("List.to_atom", false),
        "atom_to_binary" => ("Atom.to_string", false),
        "binary_to_atom" => ("String.to_atom", false),
        "tuple_to_list" => ("Tuple.to_list", false),
        "list_to_tuple" => ("List.to_tuple", false),
        "float" => (":erlang.float", false),
        "binary_to_list" => (":binary.bin_to_list", false),
        "list_to_binary" => (":erlang.list_to_binary", false),
        _ => (name, false),
    }
}

// The following functions return Erlang's names, by which those of other languages are looked up.

pub fn kind_name(kind: Kinds) -> &'static str {
    match kind {
        Kinds::INTEGER => "is_integer",
        Kinds::FLOAT => "is_float",
        Kinds::ATOM => "is_atom",
        Kinds::NIL => "is_empty_list",
        Kinds::CONS => "is_nonempty_list",
        Kinds::TUPLE => "is_tuple",
        Kinds::MAP => "is_map",
        Kinds::BITS => "is_bitstring",
        Kinds::FUNCTION => "is_function",
        Kinds::PID => "is_pid",
        Kinds::REFERENCE => "is_reference",
        _ => "is_port",
    }
}

pub fn numeric_name(numeric: Numeric) -> &'static str {
    match numeric {
        Numeric::Negate => "-",
        Numeric::Absolute => "abs",
        Numeric::BitNot => "bnot",
        Numeric::ToFloat => "float",
        Numeric::Truncate => "trunc",
        Numeric::Round => "round",
        Numeric::Floor => "floor",
        Numeric::Ceiling => "ceil",
        Numeric::Math(name) => name,
    }
}

pub fn conversion_name(conversion: Conversion) -> &'static str {
    match conversion {
        Conversion::IntegerToList => "integer_to_list",
        Conversion::ListToInteger => "list_to_integer",
        Conversion::IntegerToBinary => "integer_to_binary",
        Conversion::BinaryToInteger => "binary_to_integer",
        Conversion::FloatToList => "float_to_list",
        Conversion::ListToFloat => "list_to_float",
        Conversion::FloatToBinary => "float_to_binary",
        Conversion::BinaryToFloat => "binary_to_float",
        Conversion::AtomToList => "atom_to_list",
        Conversion::ListToAtom => "list_to_atom",
        Conversion::AtomToBinary => "atom_to_binary",
        Conversion::BinaryToAtom => "binary_to_atom",
        Conversion::BinaryToList => "binary_to_list",
        Conversion::ListToBinary => "list_to_binary",
        Conversion::TupleToList => "tuple_to_list",
        Conversion::ListToTuple => "list_to_tuple",
    }
}
