-- What may happen is decided by the program, not by functions of the database. An instance of an earlier version that is still running needs these
-- functions or the columns below for each of its writes, which therefore fail from here on instead of being stored without their events. Earlier
-- migrations no longer create them.
DROP FUNCTION IF EXISTS place_order, return_order, update_pet, remove_pet, restore_pet, lock_pet, set_category, create_first_key;

ALTER TABLE pets RENAME COLUMN name_key TO folded_name;

ALTER TABLE removed_pets RENAME COLUMN name_key TO folded_name;

ALTER TABLE orders RENAME COLUMN updated_at TO changed_at;
