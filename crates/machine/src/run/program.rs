//! The program of a machine: modules are loaded on demand, functions compiled when first called, names resolved once.

use crate::compile::{Code, Linker, compile, questions};
use crate::language::{Gate, Language};
use crate::primitive::Primitive;
use crate::value::{Heap, Word, copy_in};
use path::{Asks, Stop};
use program::{Callee, Expr, Function, FunctionId, Module, Origin, Span, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::{Atom, Term};

/// Loads modules.
pub trait ModuleSource {
    /// Loads a module. `None` if there is no such module; an error with the reason if it cannot be loaded.
    fn load(&mut self, name: Atom) -> Result<Option<Arc<Module>>, String>;

    /// Returns the functions of a module, by name and arity, that are known by samples instead of their code.
    fn sampled(&self, _module: &Module) -> Vec<(Atom, u32)> {
        Vec::new()
    }

    /// Returns whether rows may replace functions of a module if arguments have shadows. False if every choice of its
    /// code must be observed.
    fn may_summarise(&self, _module: Atom) -> bool {
        true
    }

    /// Returns whether a function outside has already acted. Then its result is asked from [`crate::Context::outside`].
    fn is_outside(&self, _module: Atom, _function: Atom, _arity: u32) -> bool {
        false
    }

    /// The application that a module belongs to, if a system can be without it and the program does not bring it along.
    fn optional_application(&self, _module: Atom) -> Option<Atom> {
        None
    }

    /// Returns the modules of the program that export a function: those that a name that is an input can refer to. The
    /// result is always the same.
    fn exporters(&mut self, _function: Atom, _arity: u32) -> Vec<Atom> {
        Vec::new()
    }
}

/// A program without modules.
pub struct NoModules;

impl ModuleSource for NoModules {
    fn load(&mut self, _: Atom) -> Result<Option<Arc<Module>>, String> {
        Ok(None)
    }
}

/// The meaning of a name.
#[derive(Clone, Copy)]
pub(crate) enum Resolved {
    Function(u32),
    /// A function of a module that does something when it is loaded.
    Guarded(u32),
    /// A function, and the row that replaces it if arguments have shadows.
    Summarised(u32, &'static Primitive),
    Row(&'static Primitive),
    Denied,
    /// A function outside whose results come from another source.
    Outside,
    Undefined,
}

pub(crate) struct Export {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    pub resolved: Option<Resolved>,
}

struct FunctionEntry {
    module: u32,
    id: FunctionId,
    /// The compiled code. Null until the function is first called.
    code: *const Code,
    /// For a function that is known by samples: the number under which its own code is found. Callers get code that
    /// asks for a sample instead.
    own: Option<u32>,
}

/// The questions of a function's decisions: instructions, expressions, questions.
type Questions = Arc<[(u32, u32, Asks)]>;

pub(crate) struct Program {
    language: &'static dyn Language,
    source: Box<dyn ModuleSource>,
    /// Modules, each with the number of its first function; its other functions follow in order.
    modules: Vec<(Arc<Module>, u32)>,
    /// Indices of modules that do something when they are loaded.
    on_load: FxHashSet<u32>,
    by_name: FxHashMap<Atom, Option<u32>>,
    functions: Vec<FunctionEntry>,
    #[allow(clippy::vec_box, reason = "frames point to code, which must not move")]
    code: Vec<Box<Code>>,
    exports: Vec<Export>,
    /// Modules that were called or looked for since [`Program::forget_links`], whether they are there or not.
    used: FxHashSet<Atom>,
    export_numbers: FxHashMap<(Atom, Atom, u32), u32>,
    /// Code that completes primitives that requested a call, by the address of the row that does it.
    finishes: FxHashMap<usize, Box<Code>>,
    /// Code with which processes begin, by the export that it calls.
    boots: FxHashMap<u32, Box<Code>>,
    /// Code that does the operation of a row, by the address of the row.
    stubs: FxHashMap<usize, Box<Code>>,
    /// The questions of the functions for which they were computed.
    questions: FxHashMap<u32, Questions>,
    literals: Heap,
}

/// The address space for literals; only the used part costs memory.
const LITERAL_SPACE: usize = 4 << 30;

impl Program {
    pub fn new(language: &'static dyn Language, source: Box<dyn ModuleSource>) -> std::io::Result<Program> {
        Ok(Program {
            language,
            source,
            modules: Vec::new(),
            on_load: FxHashSet::default(),
            by_name: FxHashMap::default(),
            functions: Vec::new(),
            code: Vec::new(),
            exports: Vec::new(),
            used: FxHashSet::default(),
            export_numbers: FxHashMap::default(),
            finishes: FxHashMap::default(),
            boots: FxHashMap::default(),
            stubs: FxHashMap::default(),
            questions: FxHashMap::default(),
            literals: Heap::for_literals(LITERAL_SPACE, language.key_order())?,
        })
    }

    /// Adds a module that does not come from the source. It replaces one of the same name.
    pub fn add(&mut self, module: Arc<Module>) -> u32 {
        let index = self.modules.len() as u32;
        let first = self.functions.len() as u32;
        let ids = (0..module.functions.len() as u32).map(FunctionId);
        let entry = |id| FunctionEntry { module: index, id, code: std::ptr::null(), own: None };
        self.functions.extend(ids.map(entry));
        for (name, arity) in self.source.sampled(&module) {
            let is = |function: &program::Function| function.name == name && function.arity == arity;
            if let Some(id) = module.functions.iter().position(|function| is(function) && function.captures == 0) {
                let own = self.functions.len() as u32;
                self.functions.push(entry(FunctionId(id as u32)));
                self.functions[first as usize + id].own = Some(own);
            }
        }
        if self.by_name.insert(module.name, Some(index)).is_some() {
            for export in self.exports.iter_mut().filter(|export| export.module == module.name) {
                export.resolved = None;
            }
        }
        if self.language.has_on_load(&module) {
            self.on_load.insert(index);
        }
        self.modules.push((module, first));
        index
    }

    pub fn module(&mut self, name: Atom) -> Result<Option<u32>, Stop> {
        self.used.insert(name);
        if let Some(known) = self.by_name.get(&name) {
            return Ok(*known);
        }
        match self.source.load(name) {
            Ok(Some(module)) => Ok(Some(self.add(module))),
            Ok(None) => {
                self.by_name.insert(name, None);
                Ok(None)
            }
            Err(message) => Err(Stop::LoadFailed(message)),
        }
    }

    pub fn loaded(&self, index: u32) -> &Arc<Module> {
        &self.modules[index as usize].0
    }

    /// Returns whether a module was looked up and not found.
    pub fn is_absent(&self, name: Atom) -> bool {
        self.by_name.get(&name) == Some(&None)
    }

    pub fn has_on_load(&self, index: u32) -> bool {
        self.on_load.contains(&index)
    }

    /// Returns the code of a function of a loaded module, if it was called before.
    pub fn code_of(&self, module: Atom, function: Atom, arity: u32) -> Option<*const Code> {
        let number = self.number_of(module, function, arity)?;
        Some(self.functions[number as usize].code).filter(|code| !code.is_null())
    }

    /// Returns the number of a function that other modules may call.
    pub fn exported(&mut self, module: Atom, function: Atom, arity: u32) -> Result<Option<u32>, Stop> {
        let Some(index) = self.module(module)? else { return Ok(None) };
        let (module, first) = &self.modules[index as usize];
        let is_callable = |function: &Function| function.exported && function.captures == 0;
        let found = module.find(function, arity).filter(|id| is_callable(module.function(*id)));
        Ok(found.map(|id| first + id.0))
    }

    /// Returns the number of a function, exported or not, of a loaded module.
    pub fn number_of(&self, module: Atom, function: Atom, arity: u32) -> Option<u32> {
        let index = (*self.by_name.get(&module)?)?;
        let (module, first) = &self.modules[index as usize];
        let is = |(_, own): &(usize, &program::Function)| own.name == function && own.arity == arity;
        module.functions.iter().enumerate().find(is).map(|(id, _)| first + id as u32)
    }

    /// Returns the names of a module's functions that others may call with this number of arguments; none if it cannot
    /// be loaded.
    pub fn exports_of(&mut self, module: Atom, arity: u32) -> Vec<Atom> {
        let Ok(Some(index)) = self.module(module) else { return Vec::new() };
        let functions = self.modules[index as usize].0.functions.iter();
        functions
            .filter(|function| function.exported && function.arity == arity && function.captures == 0)
            .map(|function| function.name)
            .collect()
    }

    pub fn is_outside(&self, module: Atom, function: Atom, arity: u32) -> bool {
        self.source.is_outside(module, function, arity)
    }

    pub fn optional_application(&self, module: Atom) -> Option<Atom> {
        self.source.optional_application(module)
    }

    pub fn exporters(&mut self, function: Atom, arity: u32) -> Vec<Atom> {
        self.source.exporters(function, arity)
    }

    pub fn export(&mut self, module: Atom, function: Atom, arity: u32) -> u32 {
        *self.export_numbers.entry((module, function, arity)).or_insert_with(|| {
            self.exports.push(Export { module, function, arity, resolved: None });
            self.exports.len() as u32 - 1
        })
    }

    /// Starts recording anew which modules are called.
    pub fn forget_links(&mut self) {
        self.used.clear();
        self.exports.iter_mut().for_each(|export| export.resolved = None);
    }

    pub fn used(&self) -> &FxHashSet<Atom> {
        &self.used
    }

    pub fn name(&self, export: u32) -> (Atom, Atom, u32) {
        let Export { module, function, arity, .. } = self.exports[export as usize];
        (module, function, arity)
    }

    /// Returns the function of a name that has already been resolved to a function.
    #[inline]
    pub fn linked(&self, export: u32) -> Option<u32> {
        match self.exports[export as usize].resolved {
            Some(Resolved::Function(number)) => Some(number),
            _ => None,
        }
    }

    pub fn resolve(&mut self, export: u32) -> Result<Resolved, Stop> {
        let Export { module, function, arity, resolved } = self.exports[export as usize];
        if let Some(resolved) = resolved {
            return Ok(resolved);
        }
        self.used.insert(module);
        let resolved = match self.language.primitive(module, function, arity) {
            Some(row) => Resolved::Row(row),
            None => match self.language.gate(module, function, arity) {
                Gate::Denied if self.source.is_outside(module, function, arity) => Resolved::Outside,
                Gate::Denied => Resolved::Denied,
                Gate::Open => match self.exported(module, function, arity)? {
                    Some(number) if self.has_on_load(self.functions[number as usize].module) => {
                        Resolved::Guarded(number)
                    }
                    Some(number) => match self.language.summary(module, function, arity) {
                        Some(row)
                            if self.functions[number as usize].own.is_none() && self.source.may_summarise(module) =>
                        {
                            Resolved::Summarised(number, row)
                        }
                        _ => Resolved::Function(number),
                    },
                    None => Resolved::Undefined,
                },
            },
        };
        self.exports[export as usize].resolved = Some(resolved);
        Ok(resolved)
    }

    /// Returns the code of a function. Compiles it at its first call.
    #[inline]
    pub fn code(&mut self, number: u32) -> Result<*const Code, Stop> {
        let code = self.functions[number as usize].code;
        if code.is_null() { self.compile(number) } else { Ok(code) }
    }

    #[cold]
    fn compile(&mut self, number: u32) -> Result<*const Code, Stop> {
        let FunctionEntry { module: index, id, own, .. } = self.functions[number as usize];
        let module = Arc::clone(self.loaded(index));
        let function = module.function(id);
        let name = || format!("{}:{}/{}", module.name, function.name, function.arity);
        let asks_for_sample;
        let body = match own {
            Some(_) => {
                asks_for_sample = sampled_call(self.language.sampler(), module.name, function);
                &asks_for_sample
            }
            None => function.body.get().map_err(|error| Stop::LoadFailed(format!("{}: {error}", name())))?,
        };
        let first = self.modules[index as usize].1;
        let mut linker = ModuleLinker { program: self, module: &module, first };
        let mut code = compile(&mut linker, number, function.arity + function.captures, body)
            .map_err(|error| Stop::Fault(format!("{}: {error}", name())))?;
        let mut shown = function;
        while let Origin::Join { of } = shown.origin {
            code.shown_as = first + of.0;
            shown = module.function(of);
        }
        self.code.push(Box::new(code));
        let code: *const Code = &raw const **self.code.last().expect("just pushed");
        self.functions[number as usize].code = code;
        Ok(code)
    }

    /// Returns code that calls a function with the arguments in its slots. A process begins with it.
    pub fn boot_code(&mut self, export: u32, count: u16) -> *const Code {
        &raw const **self.boots.entry(export).or_insert_with(|| Box::new(Code::boot(export, count)))
    }

    /// Returns code that applies `row` to the arguments in its slots.
    pub fn stub_code(&mut self, row: &'static Primitive) -> *const Code {
        let address = std::ptr::from_ref(row) as usize;
        &raw const **self.stubs.entry(address).or_insert_with(|| Box::new(Code::stub(row)))
    }

    /// Returns code that waits for a call and applies `row` to its result.
    pub fn finish_code(&mut self, row: &'static Primitive) -> *const Code {
        let address = std::ptr::from_ref(row) as usize;
        &raw const **self.finishes.entry(address).or_insert_with(|| Box::new(Code::finish(row)))
    }

    /// Returns the number of a function's own code.
    pub fn own_code(&self, number: u32) -> u32 {
        self.functions[number as usize].own.unwrap_or(number)
    }

    pub fn has_function(&self, number: u32) -> bool {
        (number as usize) < self.functions.len()
    }

    /// Returns the place of a decision of a function that has run, and the function that it is shown as.
    pub fn decision(&self, number: u32, instruction: u32) -> Option<(u32, Span)> {
        let entry = self.functions.get(number as usize)?;
        // SAFETY: code is kept as long as the program is.
        let code = unsafe { entry.code.as_ref() }?;
        Some((code.shown_as, code.decision_span(instruction)))
    }

    /// Returns the questions of a function's decisions: instructions, expressions, questions. Empty if it is known by
    /// samples.
    pub fn questions(&mut self, number: u32) -> Questions {
        if let Some(known) = self.questions.get(&number) {
            return Arc::clone(known);
        }
        let found: Questions = self.find_questions(number).into();
        self.questions.insert(number, Arc::clone(&found));
        found
    }

    fn find_questions(&mut self, number: u32) -> Vec<(u32, u32, Asks)> {
        let Some(FunctionEntry { module: index, id, own: None, .. }) = self.functions.get(number as usize) else {
            return Vec::new();
        };
        let (index, id) = (*index, *id);
        let module = Arc::clone(self.loaded(index));
        let function = module.function(id);
        let Ok(body) = function.body.get() else { return Vec::new() };
        let first = self.modules[index as usize].1;
        let mut linker = ModuleLinker { program: self, module: &module, first };
        questions(&mut linker, function.arity + function.captures, body)
    }

    /// Returns the module and the index of a function.
    pub fn function(&self, number: u32) -> (&Arc<Module>, FunctionId) {
        let entry = &self.functions[number as usize];
        (self.loaded(entry.module), entry.id)
    }
}

/// Returns the expression that replaces a function that is known by samples.
fn sampled_call((sampler, call): (Atom, Atom), module: Atom, function: &Function) -> Expr {
    let args = (0..function.arity)
        .rev()
        .fold(Expr::Const(Term::Nil), |rest, number| Expr::Cons(Box::new(Expr::Var(Var(number))), Box::new(rest)));
    let callee = Callee::Remote { module: sampler, function: call };
    let args = vec![Expr::atom(module), Expr::atom(function.name), args];
    Expr::Call { callee, args, span: function.span }
}

struct ModuleLinker<'a> {
    program: &'a mut Program,
    module: &'a Module,
    /// The number of the module's first function.
    first: u32,
}

impl Linker for ModuleLinker<'_> {
    fn function(&self, id: FunctionId, args: usize) -> Option<u32> {
        let function = self.module.functions.get(id.0 as usize)?;
        ((function.arity + function.captures) as usize == args).then_some(self.first + id.0)
    }

    fn closure(&self, id: FunctionId, captures: usize) -> Option<u32> {
        let function = self.module.functions.get(id.0 as usize)?;
        (function.captures as usize == captures).then_some(self.first + id.0)
    }

    fn export(&mut self, module: Atom, function: Atom, arity: u32) -> u32 {
        self.program.export(module, function, arity)
    }

    fn constant(&mut self, term: &Term) -> Word {
        copy_in(&mut self.program.literals, term)
    }

    fn primitive(&self, module: Atom, function: Atom, arity: u32) -> Option<&'static Primitive> {
        self.program.language.primitive(module, function, arity)
    }

    fn unread(&self, row: &'static Primitive) -> Option<&'static Primitive> {
        self.program.language.unread(row)
    }

    fn operation(&self, name: Atom, arity: u32) -> Option<&'static Primitive> {
        self.program.language.operation(name, arity)
    }
}
