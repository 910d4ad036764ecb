-- Games as they are played: the record is what counts, the other columns are for finding it.
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Counts the changes, so that two who change a game at once cannot undo each other's.
    version INTEGER NOT NULL,
    rules TEXT NOT NULL,
    light TEXT NOT NULL,
    dark TEXT NOT NULL,
    -- Seconds since 1970.
    started INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    -- light or dark, where the game is over.
    winner TEXT,
    -- How it ended: won, drawn, resigned or abandoned.
    ending TEXT,
    -- The game, as a record in our own notation.
    record TEXT NOT NULL,
    -- What the review of the finished game says, where its rules were solved; percent and chances.
    light_accuracy DOUBLE PRECISION,
    dark_accuracy DOUBLE PRECISION,
    light_luck DOUBLE PRECISION,
    dark_luck DOUBLE PRECISION
);

CREATE INDEX games_by_light ON games (light);
CREATE INDEX games_by_dark ON games (dark);
CREATE INDEX games_by_rules ON games (rules);
