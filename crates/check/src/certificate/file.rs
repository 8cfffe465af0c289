//! The file format: header lines, the puzzle's text, blocks of evidence, and a checksum over all before it.

use super::Fault;

/// The first line: name and version of the format.
pub const MAGIC: &str = "beeline certificate 1";

/// The claim of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No plan costs less than this.
    AtLeast(u64),
    /// There is no plan.
    None,
    /// These steps are a solution, and there is no other.
    Unique(Vec<String>),
}

impl Claim {
    /// The claim as a line of the header.
    pub fn line(&self) -> String {
        match self {
            Self::AtLeast(cost) => format!("at least {cost}"),
            Self::None => "none".to_owned(),
            Self::Unique(steps) => format!("unique {}", steps.join(" ")),
        }
    }

    fn read(line: &str) -> Option<Self> {
        match line.split_once(' ') {
            None if line == "none" => Some(Self::None),
            Some(("unique", steps)) => {
                Some(Self::Unique(steps.split_whitespace().map(str::to_owned).collect()))
            }
            _ => line.strip_prefix("at least ")?.parse().ok().map(Self::AtLeast),
        }
    }

    /// The cost below which no plan may exist; `None` if the claim is that there is no plan.
    pub(crate) fn limit(&self) -> Result<Option<u32>, Fault> {
        match self {
            Self::AtLeast(cost) => {
                u32::try_from(*cost).map(Some).map_err(|_| Fault::at("claim", "too large"))
            }
            Self::None => Ok(None),
            Self::Unique(_) => Err(Fault::at("claim", "states prove nothing about the number of solutions")),
        }
    }
}

/// A certificate as read: only its form and its checksum are verified.
#[derive(Clone, Debug)]
pub struct Certificate<'a> {
    /// The kind of puzzle.
    pub kind: String,
    /// The canonical text of the puzzle.
    pub text: String,
    /// The objective that a plan minimises.
    pub objective: String,
    /// The claim.
    pub claim: Claim,
    /// The kind of evidence, followed by a blank and its bound if it has one.
    pub evidence: String,
    /// The blocks of evidence.
    pub blocks: Vec<&'a [u8]>,
}

/// FNV-1a with 64 bits. It detects accidental damage; only the verification itself detects forgery.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &b| (sum ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

impl<'a> Certificate<'a> {
    /// Parses a certificate.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Fault> {
        let fault = |why: &str| Fault::at("header", why);
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or_else(|| fault("the file is cut off"))?;
        if !body.starts_with(MAGIC.as_bytes()) {
            return Err(fault("this is no certificate, or one of another version"));
        }
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(Fault::at("checksum", "the file is cut off or damaged"));
        }
        let mut rest = body;
        let mut field = |name: &str| -> Result<String, Fault> {
            let end = rest.iter().position(|&b| b == b'\n').ok_or_else(|| fault("a line is cut off"))?;
            let line = std::str::from_utf8(&rest[..end]).map_err(|_| fault("a line is no text"))?;
            rest = &rest[end + 1..];
            let value = line.strip_prefix(name).ok_or_else(|| fault(&format!("no line {name:?}")))?;
            Ok(value.trim_start().to_owned())
        };
        field(MAGIC)?;
        let (kind, objective) = (field("kind")?, field("objective")?);
        let claim = Claim::read(&field("claim")?).ok_or_else(|| fault("the claim cannot be read"))?;
        let evidence = field("evidence")?;
        let length: usize = field("puzzle")?.parse().map_err(|_| fault("the puzzle has no length"))?;
        let (text, mut rest) = rest.split_at_checked(length).ok_or_else(|| fault("the puzzle is cut off"))?;
        let text = std::str::from_utf8(text).map_err(|_| fault("the puzzle is no text"))?.to_owned();
        let mut blocks = Vec::new();
        loop {
            let cut = || Fault::at(format!("block {}", blocks.len() + 1), "cut off");
            let (length, after) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
            let length = u32::from_le_bytes(*length) as usize;
            if length == 0 {
                let end = after.is_empty();
                let there = Self { kind, text, objective, claim, evidence, blocks };
                return if end { Ok(there) } else { Err(fault("bytes behind the last block")) };
            }
            let (block, after) = after.split_at_checked(length).ok_or_else(cut)?;
            blocks.push(block);
            rest = after;
        }
    }
}

/// Appends a number in LEB128: seven bits a byte, lowest first, with the highest bit set on all bytes but the last.
pub fn put_number(out: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a LEB128 number from the front.
pub fn take_number(bytes: &mut &[u8]) -> Option<u128> {
    let (mut number, mut shift) = (0u128, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if shift > 126 || (shift == 126 && byte > 3) {
            return None;
        }
        number |= u128::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

/// A state of a block of layers and its cost.
pub type BlockState = (u128, u32);

/// The states of a block with their costs: the first number, then the difference to the previous one each.
pub fn states_of(mut block: &[u8]) -> impl Iterator<Item = Result<BlockState, &'static str>> + '_ {
    let mut last: Option<u128> = None;
    std::iter::from_fn(move || {
        if block.is_empty() {
            return None;
        }
        let mut next = || {
            let step = take_number(&mut block).ok_or("a number is cut off")?;
            let cost = take_number(&mut block).ok_or("a cost is cut off")?;
            let state = match last {
                None => Some(step),
                Some(_) if step == 0 => return Err("the states do not ascend"),
                Some(before) => before.checked_add(step),
            };
            last = state;
            let cost = u32::try_from(cost).map_err(|_| "a cost is too large")?;
            Ok((state.ok_or("a number is too large")?, cost))
        };
        let state = next();
        if state.is_err() {
            block = &[];
        }
        Some(state)
    })
}
