-- Signatures are deterministic, so each node computes the same ones.
DROP TABLE "card_signatures" CASCADE;