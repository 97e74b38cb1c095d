-- concurrently
-- Names are searched for any part of them, without an index.
DROP INDEX CONCURRENTLY IF EXISTS pets_by_name;

DROP INDEX CONCURRENTLY IF EXISTS pets_without_name_key;

DROP INDEX CONCURRENTLY IF EXISTS orders_by_completion;

CREATE INDEX CONCURRENTLY orders_by_completion ON orders (completed_at, id) WHERE completed_at IS NOT NULL;
