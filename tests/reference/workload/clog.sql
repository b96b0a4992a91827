-- Enough transactions for a new page of pg_xact.
SET synchronous_commit = off;
CALL burn_xids(33000);
