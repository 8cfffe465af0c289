//! The messages between ranks: a byte for the kind, then numbers of eight bytes, or a batch of states.

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// Successors for their owner: the layer in which they were made, then records.
    States,
    /// One successor that is a goal, like a batch of one.
    Goal,
    /// To the leader: this rank's status ([`super::termination::Report`]).
    Report,
    /// From the leader: report your status. Carries the number of the question.
    Poll,
    /// From the leader: begin this layer.
    Next,
    /// From the leader: save everything before this layer.
    Save,
    /// To the leader: the layer is saved.
    Saved,
    /// From the leader: a plan of this cost exists.
    Bound,
    /// To the leader: a goal, its cost and its number.
    Found,
    /// To the leader: a limit was reached.
    Trip,
    /// From the leader: the search is over.
    End,
    /// To all, after the end: my last message of the search.
    Last,
    /// To the leader, after the end: my figures.
    Figures,
    /// From the leader, after the end: which node is the parent of your node of this number?
    Ask,
    /// To the leader: the parent (rank and number) and the node's key.
    Answer,
    /// From the leader: no more questions.
    Bye,
}

const ALL: [Kind; 16] = [
    Kind::States,
    Kind::Goal,
    Kind::Report,
    Kind::Poll,
    Kind::Next,
    Kind::Save,
    Kind::Saved,
    Kind::Bound,
    Kind::Found,
    Kind::Trip,
    Kind::End,
    Kind::Last,
    Kind::Figures,
    Kind::Ask,
    Kind::Answer,
    Kind::Bye,
];

impl Kind {
    /// A message of this kind with these numbers.
    pub(super) fn with(self, numbers: &[u64]) -> Vec<u8> {
        let mut message = Vec::with_capacity(1 + 8 * numbers.len());
        message.push(self as u8);
        message.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        message
    }
}

/// Splits a message into kind and content.
pub(super) fn read(message: &[u8]) -> Option<(Kind, &[u8])> {
    let (&kind, rest) = message.split_first()?;
    Some((*ALL.get(usize::from(kind))?, rest))
}

/// The numbers of a message in order; 0 beyond its end.
pub(super) struct Numbers<'a>(pub(super) &'a [u8]);

impl Numbers<'_> {
    /// The rest of the numbers, to their end.
    pub(super) fn rest(&self) -> impl Iterator<Item = u64> {
        self.0.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number))
    }

    pub(super) fn next(&mut self) -> u64 {
        match self.0.split_first_chunk() {
            Some((number, rest)) => {
                self.0 = rest;
                u64::from_le_bytes(*number)
            }
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_what_was_written() {
        for kind in ALL {
            let message = kind.with(&[7, u64::MAX]);
            let (read_kind, rest) = read(&message).unwrap();
            let mut numbers = Numbers(rest);
            assert_eq!((read_kind, numbers.next(), numbers.next(), numbers.next()), (kind, 7, u64::MAX, 0));
        }
        assert!(read(&[]).is_none() && read(&[200]).is_none());
    }
}
