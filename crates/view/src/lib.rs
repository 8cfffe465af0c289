//! Pictures of states: text, ANSI colour, SVG.
