-- What includes Browse may be another thing after a deployment of permissions: the upkeep of access rights derives
-- anew what queries look at.
CREATE FUNCTION archivolt_permissions_deployed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('archivolt_access_upkeep', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER contributions_permissions AFTER INSERT OR UPDATE ON contributions
FOR EACH ROW WHEN (NEW.point = 'permissions') EXECUTE FUNCTION archivolt_permissions_deployed();
