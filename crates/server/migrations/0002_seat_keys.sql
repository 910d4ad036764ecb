-- BLAKE3 hashes of the keys of both seats, where the game was begun on a public server: only with a key it goes on there.
ALTER TABLE games ADD COLUMN light_lock BLOB;
ALTER TABLE games ADD COLUMN dark_lock BLOB;
