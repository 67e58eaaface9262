CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('full', 'clock')),
    started_at REAL NOT NULL,
    last_at REAL NOT NULL,
    deleting INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The referee's log, one event a row, and nothing else decides what happened.
CREATE TABLE events (
    match_id TEXT NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL CHECK (number >= 0),
    event TEXT NOT NULL CHECK (json_valid(event)),
    recorded_at REAL NOT NULL,
    picture TEXT,
    PRIMARY KEY (match_id, number)
) STRICT;

-- What people settle beside the log: cells of the score sheet, games kept by the clock alone.
CREATE TABLE notes (
    match_id TEXT NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL CHECK (number >= 0),
    note TEXT NOT NULL CHECK (json_valid(note)),
    recorded_at REAL NOT NULL,
    PRIMARY KEY (match_id, number)
) STRICT;

CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'events are only ever added');
END;

CREATE TRIGGER notes_stay BEFORE UPDATE ON notes BEGIN
    SELECT RAISE(ABORT, 'notes are only ever added');
END;

CREATE TRIGGER events_go_with_their_match BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM matches WHERE id = OLD.match_id AND deleting = 1) BEGIN
    SELECT RAISE(ABORT, 'events go only with their whole match');
END;

CREATE TRIGGER notes_go_with_their_match BEFORE DELETE ON notes
WHEN NOT EXISTS (SELECT 1 FROM matches WHERE id = OLD.match_id AND deleting = 1) BEGIN
    SELECT RAISE(ABORT, 'notes go only with their whole match');
END;

-- What is at work and may change: the clock, the table typed by hand, racks that are not yet accepted.
CREATE TABLE working (
    match_id TEXT NOT NULL REFERENCES matches (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL CHECK (json_valid(value)),
    PRIMARY KEY (match_id, name)
) STRICT;

CREATE TABLE pictures (
    name TEXT PRIMARY KEY,
    match_id TEXT REFERENCES matches (id),
    kind TEXT NOT NULL CHECK (kind IN ('table', 'rack', 'review')),
    taken_at REAL NOT NULL,
    bytes INTEGER NOT NULL
) STRICT;

CREATE INDEX pictures_by_age ON pictures (taken_at);

-- Settings and other single values of this installation.
CREATE TABLE kept (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;

CREATE TABLE reviews (
    id TEXT PRIMARY KEY,
    started_at REAL NOT NULL,
    review TEXT NOT NULL CHECK (json_valid(review))
) STRICT;
