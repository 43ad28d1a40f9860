-- Processes remember who may log in and which groups a user has. Whoever changes that, by whatever way, tells
-- them all when the change is committed.
CREATE FUNCTION archivolt_identities_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('archivolt_identities', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER users_changed AFTER INSERT OR UPDATE OR DELETE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION archivolt_identities_changed();
--> statement-breakpoint
CREATE TRIGGER groups_changed AFTER INSERT OR UPDATE OR DELETE ON groups
  FOR EACH STATEMENT EXECUTE FUNCTION archivolt_identities_changed();
--> statement-breakpoint
CREATE TRIGGER group_members_changed AFTER INSERT OR UPDATE OR DELETE ON group_members
  FOR EACH STATEMENT EXECUTE FUNCTION archivolt_identities_changed();
