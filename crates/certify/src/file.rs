//! The bytes of a certificate.

use beeline_check::certificate::{Claim, MAGIC, checksum};

use crate::Subject;

/// The file with these blocks of evidence.
pub fn assemble(subject: &Subject<'_>, claim: &Claim, evidence: &str, blocks: &[Vec<u8>]) -> Vec<u8> {
    let Subject { kind, text, objective } = subject;
    let claim = claim.line();
    let length = text.len();
    let header = format!(
        "{MAGIC}\nkind {kind}\nobjective {objective}\nclaim {claim}\nevidence {evidence}\npuzzle {length}\n{text}"
    );
    let mut bytes = header.into_bytes();
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        bytes.extend((block.len() as u32).to_le_bytes());
        bytes.extend(block);
    }
    bytes.extend(0u32.to_le_bytes());
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}
