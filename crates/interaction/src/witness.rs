//! Writes out the function inputs of a run.

use crate::play::{CLASSES, Play};
use path::functions::map_parts;
use path::{
    Application, Entry, Function, FunctionNode, Is, Label, Labels, Part, Sort, Table, Witness, has_functions,
    labels_inside,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::{Fun, Term};

impl Play {
    /// Returns the inputs of a run with their functions written out.
    pub(crate) fn written(&self, inputs: &[Term]) -> (Vec<Term>, Witness) {
        let mut writer = Writer { play: self, witness: Witness::default(), numbers: FxHashMap::default() };
        let write = |(index, term): (usize, &Term)| match self.labels.get(Labels::ROOT, Part::Input(index as u32)) {
            Some(label) => writer.data(term, label),
            None => term.clone(),
        };
        let inputs = inputs.iter().enumerate().map(write).collect();
        for applied in &self.applications {
            let of = |label: &Label| self.position_of.get(label).map(|index| self.positions[*index as usize].of);
            let params = applied.args.iter().filter_map(of).collect();
            let args = applied.args.iter().map(|label| writer.position(*label)).collect();
            let application = Application { params, result: applied.result.clone(), function: applied.function, args };
            writer.witness.applications.push(application);
        }
        let scenario = self.scenario(&mut |label| writer.position(label));
        writer.witness.scenario = scenario.map(Arc::new);
        (inputs, writer.witness)
    }
}

struct Writer<'a> {
    play: &'a Play,
    witness: Witness,
    numbers: FxHashMap<Label, u32>,
}

impl Writer<'_> {
    /// Returns a piece of data with the numbers of its functions.
    fn data(&mut self, term: &Term, label: Label) -> Term {
        let mut inside = Vec::new();
        labels_inside(Some(label), term, &mut |label, part| self.play.labels.get(label, part), &mut inside);
        self.numbered(term, &mut inside.into_iter())
    }

    fn numbered(&mut self, term: &Term, inside: &mut dyn Iterator<Item = Option<Label>>) -> Term {
        match term {
            Term::Fun(fun) => {
                let number = inside.next().flatten().map_or(0, |inside| self.function(inside, fun.arity()));
                Term::Fun(Arc::new(Fun::Input { arity: fun.arity(), number }))
            }
            _ if !has_functions(term) => term.clone(),
            _ => map_parts(term, &mut |part| self.numbered(part, inside)),
        }
    }

    fn function(&mut self, label: Label, arity: u32) -> u32 {
        if let Some(number) = self.numbers.get(&label) {
            return *number;
        }
        let number = self.witness.functions.len() as u32;
        self.numbers.insert(label, number);
        let known = self.play.function_of.get(&label).map(|number| &self.play.functions[*number as usize]);
        let sort = known.map_or(Sort::ANY, |function| function.sort.clone());
        // The functions in a smallest value have no numbers.
        let smallest = self.play.types.smallest(sort.result).filter(|smallest| !has_functions(smallest));
        let default = smallest.map(|value| Arc::new(FunctionNode::Answer(value)));
        let empty = Table { entries: Vec::new(), otherwise: default };
        // Its number is taken before those of the functions in it.
        self.witness.functions.push(Function { arity, sort, is: Is::Table(Arc::new(empty)) });
        let is = match (self.play.in_scope.get(&label), self.play.table_of.get(&label)) {
            (Some(index), _) => Some(Is::InScope(*index)),
            (None, Some(table)) => Some(Is::Table(self.table(*table))),
            (None, None) => None,
        };
        if let Some(is) = is {
            self.witness.functions[number as usize].is = is;
        }
        number
    }

    fn table(&mut self, table: u32) -> Arc<Table> {
        let entries = &self.play.tables[table as usize].entries;
        let write = |entry: &crate::play::Entry| {
            let node = Arc::new(self.node(entry.node)?);
            Some(Entry { key: entry.key.clone(), given: entry.given.clone(), node })
        };
        let entries = entries.iter().filter_map(write);
        Arc::new(Table { entries: entries.collect(), otherwise: None })
    }

    /// Writes a node. `None` if the run did not reach it.
    fn node(&mut self, label: Label) -> Option<FunctionNode> {
        let play = self.play;
        let node = &play.nodes[*play.node_of.get(&label)? as usize];
        let answerable = play.types.smallest(node.answers).is_some();
        let chosen = *play.chosen.get(&label)? + u32::from(!answerable);
        let part = |part| play.labels.get(label, part);
        if chosen == 0 {
            let answer = part(Part::Answer)?;
            return Some(FunctionNode::Answer(self.position(answer)));
        }
        if let Some(class) =
            chosen.checked_sub(1 + node.callable.len() as u32).and_then(|class| CLASSES.get(class as usize))
        {
            let reason = part(Part::Reason)?;
            return Some(FunctionNode::Raise(*class, self.position(reason)));
        }
        let probed = *node.callable.get(chosen as usize - 1)?;
        let args = (0..).map_while(|index| part(Part::Argument { probed, index })).collect::<Vec<_>>();
        let of = |label: &Label| play.position_of.get(label).map(|index| play.positions[*index as usize].of);
        let params = args.iter().filter_map(of).collect();
        let args = args.into_iter().map(|argument| self.position(argument)).collect();
        let returned = *play.table_of.get(&part(Part::Returned { probed })?)?;
        let raised = part(Part::Raised { probed })?;
        let catches = play.chosen.get(&raised).is_some_and(|chosen| *chosen == 1);
        let raised = play.table_of.get(&raised).copied().filter(|_| catches);
        Some(FunctionNode::Probe {
            function: probed,
            args,
            params,
            returned: self.table(returned),
            raised: raised.map(|raised| self.table(raised)),
        })
    }

    fn position(&mut self, label: Label) -> Term {
        match self.play.position_of.get(&label) {
            Some(index) => self.data(&self.play.positions[*index as usize].value, label),
            None => Term::Nil,
        }
    }
}
