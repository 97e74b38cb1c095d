-- program
-- Computes what the program alone can: see schema/fill-columns.ts. A new database has nothing to compute.
SELECT;
