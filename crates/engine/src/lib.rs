//! Players and judgement.
