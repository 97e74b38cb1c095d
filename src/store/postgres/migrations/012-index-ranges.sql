-- concurrently
-- Lists are read as one range of an index that ends in the id. One index serves every status.
DROP INDEX CONCURRENTLY IF EXISTS pets_by_status;

CREATE INDEX CONCURRENTLY pets_by_status ON pets (status, id);

DROP INDEX CONCURRENTLY IF EXISTS orders_by_status;

CREATE INDEX CONCURRENTLY orders_by_status ON orders (status, id);

DROP INDEX CONCURRENTLY IF EXISTS pets_available;

DROP INDEX CONCURRENTLY IF EXISTS pets_pending;

DROP INDEX CONCURRENTLY IF EXISTS pets_sold;

DROP INDEX CONCURRENTLY IF EXISTS orders_placed;

DROP INDEX CONCURRENTLY IF EXISTS orders_completed;

DROP INDEX CONCURRENTLY IF EXISTS orders_cancelled;

DROP INDEX CONCURRENTLY IF EXISTS orders_returned;

-- The index on (pet_id, status, id) serves the orders of an animal of every status. With both, the planner reads all orders of an animal
-- by this one for those with one status.
DROP INDEX CONCURRENTLY IF EXISTS orders_by_pet;
