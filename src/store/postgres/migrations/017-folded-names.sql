-- program
-- First, the program fills columns with what it alone can compute: see schema/fill-columns.ts. A new database has nothing to fill.
ALTER TABLE orders VALIDATE CONSTRAINT completed_orders_have_a_time;
